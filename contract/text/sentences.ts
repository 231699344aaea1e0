// Sentences for result codes and device warnings: the console uses them for responses, the hub for its logs.
import type { ExistingKind } from '../call.ts'
import type { DEVICE_WARNING_BITS } from '../device/status.ts'
import type { Translation } from './language.ts'

// Next steps.
const NO_NEXT_STEP = undefined
const RETRY_LATER: Translation = ['Try again in a moment.', '请稍后重试。']
export const CHECK_FIRST: Translation = [
  'The operation may have completed. Check before you try again.',
  '操作可能已经完成，请确认后再重试。'
]
const CHECK_INPUT: Translation = ['Check your entry.', '请检查输入。']
export const CHECK_POWER: Translation = ['Check its power and network.', '请检查其电源和网络。']
const CHOOSE_ANOTHER: Translation = ['Choose another one.', '请换一个。']
const ASK_ADMIN: Translation = ['An administrator can extend it.', '管理员可以延长其有效期。']
const STATE_REFRESHED: Translation = ['The current state is shown.', '已显示最新状态。']

/** Result 41 by what exists already. */
export const EXISTING_SENTENCES: Readonly<Record<ExistingKind, Translation>> = {
  user: ['User already exists', '用户已存在'],
  group: ['Group already exists', '用户组已存在'],
  catalog: ['Group already exists', '设备组已存在'],
  server: ['The server already exists', '服务器已存在']
}

/** The problem, the next step, and the result codes that this sentence is for. */
export type ResultSentence = readonly [what: Translation, next: Translation | undefined, ...codes: number[]]

export const RESULT_SENTENCES: readonly ResultSentence[] = [
  [['Operation succeeded', '操作成功'], NO_NEXT_STEP, 0],
  [['Still in progress', '正在进行'], RETRY_LATER, 1],
  [['The operation timed out', '操作超时'], CHECK_FIRST, 2],
  [['Operation failed', '操作失败'], NO_NEXT_STEP, 3, 6],
  [['Try again later', '请稍后重试'], NO_NEXT_STEP, 4],
  [['Not yet supported', '暂不支持'], NO_NEXT_STEP, 5, 9, 34, -11],
  [['Invalid request parameters', '请求参数无效'], CHECK_INPUT, 7, -10],
  [['Not enough space', '空间不足'], ['Free some space first.', '请先释放空间。'], 29],
  [['Occupied', '被占用'], RETRY_LATER, 10, 1005, -9],
  [['The device is busy', '设备忙'], RETRY_LATER, 11],
  [['The device is offline', '设备已离线'], CHECK_POWER, 12, 10007],
  [['Write error', '写入失败'], NO_NEXT_STEP, 15],
  [['This configuration has been deleted by another user.', '该配置已被其他用户删除。'], STATE_REFRESHED, 16, -14],
  [['Limit exceeded', '超出限制'], NO_NEXT_STEP, 17, 18],
  [['Limit exceeded', '超出限制'], ['The license limit is reached.', '许可证数量已用完。'], 1006],
  [['Out of range', '超出范围'], CHECK_INPUT, 19, 20, 27],
  [['Invalid data', '数据无效'], NO_NEXT_STEP, 21, 49, 50, 53],
  [['Already exists', '已存在'], CHOOSE_ANOTHER, 22, 41],
  [['Invalid file', '文件无效'], CHOOSE_ANOTHER, 23, 25, 30],
  [['Not compatible with this type of device', '与设备类型不符'], CHOOSE_ANOTHER, 24],
  [['Read-only', '只读'], NO_NEXT_STEP, 26],
  [['Connection lost', '连接已中断'], RETRY_LATER, 28, 45],
  [['No permission to operate.', '没有操作权限。'], ['Ask an administrator for it.', '请联系管理员授权。'], 31],
  [['Invalid address', '地址无效'], CHECK_INPUT, 32],
  [['Not possible in the current state', '当前状态无法操作'], STATE_REFRESHED, 35, 38],
  [['Authorization failed', '认证失败'], CHECK_INPUT, 36],
  [['Not signed in', '未登录'], NO_NEXT_STEP, 37],
  [['Incorrect account or password', '用户名或密码错误'], NO_NEXT_STEP, 39],
  [['Verification failed', '校验失败'], NO_NEXT_STEP, 40],
  [['Cancelled', '已取消'], NO_NEXT_STEP, 42],
  [['Repeated operations', '重复操作'], RETRY_LATER, 43],
  [['Connection refused', '连接被拒绝'], CHECK_INPUT, 44],
  [['The port is already in use', '端口已被占用'], CHOOSE_ANOTHER, 46, 1007],
  [['No response from the device', '设备无响应'], CHECK_POWER, 47, 10004],
  [['The playback key already exists', '拉流密钥已存在'], CHOOSE_ANOTHER, 1001],
  [['The ingest key already exists', '推流密钥已存在'], CHOOSE_ANOTHER, 1002],
  [['The name already exists', '名称已存在'], CHOOSE_ANOTHER, 1003],
  [['The status has been changed by another people', '状态已被他人更改'], STATE_REFRESHED, 48, 1004],
  [['The user group does not exist', '用户组不存在'], CHOOSE_ANOTHER, 1008],
  [['Data would be lost', '将会丢失数据'], NO_NEXT_STEP, 1009],
  [['Confirm your password', '请确认您的密码'], NO_NEXT_STEP, 1100],
  [['Enter the code of your authenticator app', '请输入身份验证器应用中的验证码'], NO_NEXT_STEP, 1101],
  [['Channels are interrupted', '频道将中断播出'], NO_NEXT_STEP, 1102],
  [['This account has expired', '此账号已到期'], ASK_ADMIN, 1103],
  [['The NDI source is offline', 'NDI 源已离线'], NO_NEXT_STEP, 2001],
  [['The NDI source is online', 'NDI 源已上线'], NO_NEXT_STEP, 2002],
  [['The device does not exist', '设备不存在'], NO_NEXT_STEP, 10006],
  [['Device error', '设备错误'], NO_NEXT_STEP, -4],
  [['Not enough memory', '内存不足'], NO_NEXT_STEP, 8, 51, 52, 54],
  [['Read or write error', '读写失败'], NO_NEXT_STEP, 13],
  [['Read error', '读取失败'], NO_NEXT_STEP, 14, 33],
  [['The input string is incorrect', '输入的字符串不正确'], CHECK_INPUT, -28],
  [['Invalid certificate', '证书无效'], NO_NEXT_STEP, -102],
  [['Invalid private key', '私钥无效'], NO_NEXT_STEP, -103],
  // States of licences that have no other meaning as a result code. `error-sentences.ts` has all states.
  [['No license', '没有许可证'], NO_NEXT_STEP, -20],
  [['License subscription is expired, please renew it.', '许可证订阅已过期，请续订。'], NO_NEXT_STEP, -107],
  [['Certificate error', '证书错误'], NO_NEXT_STEP, -109],
  [['Certificate disabled', '证书已停用'], NO_NEXT_STEP, -110],
  [['activated by another user', '已被其他用户激活'], NO_NEXT_STEP, -111]
]

/** Labels of the device warnings (`DEVICE_WARNING_BITS`). */
export const WARNING_LABELS: Readonly<Record<keyof typeof DEVICE_WARNING_BITS, Translation>> = {
  noSignal: ['No signal', '无信号'],
  usbInvalid: ['USB drive invalid', 'USB 存储无效'],
  usbFull: ['USB drive full', 'USB 存储已满'],
  storageFull: ['Storage full', '存储空间已满'],
  firmwareUnsupported: ['Firmware not supported', '固件不受支持'],
  firmwareOld: ['Firmware too old', '固件版本过低']
}
