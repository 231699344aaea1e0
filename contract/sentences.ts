// Result codes and warnings as sentences, in the wordings of specification 8: those of a hub. Both ends say them, the console of answers,
// the hub of what its logs hold. What only devices answer is worded by the hub alone (`hub/words/`).
import type { WARNING } from './device/device.ts'
import type { Pair } from './language.ts'

// The next steps, where there is one.
const NONE = undefined
export const AGAIN: Pair = ['Try again in a moment.', '请稍后重试。']
export const LOOK: Pair = ['It may be done all the same: look before you try again.', '可能已经完成，请确认后再重试。']
export const CHECK: Pair = ['Check your entry.', '请检查输入。']
export const POWER: Pair = ['Check its power and network.', '请检查其电源和网络。']
export const OTHER: Pair = ['Choose another one.', '请换一个。']
export const PRESENT: Pair = ['The present state is shown.', '已显示最新状态。']

/** What happened, what to do next where there is something, and the codes that mean this to who reads them. */
export type Sentence = readonly [what: Pair, next: Pair | undefined, ...codes: number[]]

export const SENTENCES: readonly Sentence[] = [
  [['Operation succeeded', '操作成功'], NONE, 0],
  [['Still under way', '正在进行'], AGAIN, 1],
  [['The operation timed out', '操作超时'], LOOK, 2],
  [['Operation failed', '操作失败'], NONE, 3, 6],
  [['Try again later', '请稍后重试'], NONE, 4],
  [['Not yet supported', '暂不支持'], NONE, 5, 9, 34, -11],
  [['Invalid request parameters', '请求参数无效'], CHECK, 7, -10],
  [['Not enough space', '空间不足'], ['Free some space first.', '请先释放空间。'], 29],
  [['Occupied', '被占用'], AGAIN, 10, 1005, -9],
  [['The device is busy', '设备忙'], AGAIN, 11],
  [['The device is offline', '设备已离线'], POWER, 12, 10007],
  [['Write error', '写入失败'], NONE, 15],
  [['This configuration has been deleted by another user.', '该配置已被其他用户删除。'], PRESENT, 16, -14],
  [['Limit exceeded', '超出限制'], NONE, 17, 18],
  [['Limit exceeded', '超出限制'], ['The license allows no more.', '许可证数量已用完。'], 1006],
  [['Out of range', '超出范围'], CHECK, 19, 20, 27],
  [['Invalid data', '数据无效'], NONE, 21, 49, 50, 53],
  [['Already exists', '已存在'], OTHER, 22, 41],
  [['Invalid file', '文件无效'], OTHER, 23, 25, 30],
  [['Not for this type of device', '与设备类型不符'], OTHER, 24],
  [['Read-only', '只读'], NONE, 26],
  [['The connection was broken', '连接已中断'], AGAIN, 28, 45],
  [['No permission to operate.', '没有操作权限。'], ['Ask an administrator for it.', '请联系管理员授权。'], 31],
  [['Invalid address', '地址无效'], CHECK, 32],
  [['Not possible in this state', '当前状态无法操作'], PRESENT, 35, 38],
  [['Authorization failed', '认证失败'], CHECK, 36],
  [['Not signed in', '未登录'], NONE, 37],
  [['Incorrect account or password', '账号或密码错误'], NONE, 39],
  [['Verification failed', '校验失败'], NONE, 40],
  [['Cancelled', '已取消'], NONE, 42],
  [['Repeated operations', '重复操作'], AGAIN, 43],
  [['Connection refused', '连接被拒绝'], CHECK, 44],
  [['The port is already in use', '端口已被占用'], OTHER, 46, 1007],
  [['No response from the device', '设备无响应'], POWER, 47, 10004],
  [['The pull key already exists', '拉流密钥已存在'], OTHER, 1001],
  [['The push key already exists', '推流密钥已存在'], OTHER, 1002],
  [['The name already exists', '名称已存在'], OTHER, 1003],
  [['The status has been changed by another people', '状态已被他人更改'], PRESENT, 48, 1004],
  [['The user group does not exist', '用户组不存在'], OTHER, 1008],
  [['Data would be lost', '将会丢失数据'], NONE, 1009],
  [['The NDI source is offline', 'NDI 源已离线'], NONE, 2001],
  [['The NDI source is online', 'NDI 源已上线'], NONE, 2002],
  [['The device does not exist', '设备不存在'], NONE, 10006],
  [['Device error', '设备错误'], NONE, -4]
]

/** Warnings of devices by their names, in the specification's order. */
export const WARNING_WORDS: Readonly<Record<keyof typeof WARNING, Pair>> = {
  noSignal: ['No signal', '无信号'],
  usbInvalid: ['USB drive invalid', 'USB 存储无效'],
  usbFull: ['USB drive full', 'USB 存储已满'],
  storageFull: ['Storage full', '存储空间已满'],
  firmwareUnsupported: ['Firmware not supported', '固件不受支持'],
  firmwareOld: ['Firmware too old', '固件版本过低']
}
