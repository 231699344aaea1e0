// Result codes as sentences, in the wordings of specification 8.
import { type Pair, t } from './language.ts'

// What the console answers itself where no answer came, outside the wire's range.
/** The hub could not be reached at all. */
export const NO_CONNECTION = -90001
/** The hub did not answer in time. */
export const REQUEST_TIMED_OUT = -90002
/** The hub answered, the device behind it did not. */
export const NO_RESPONSE = -90003

const REPEATED: Pair = ['Repeated operations', '重复操作']
const OCCUPIED: Pair = ['Occupied', '被占用']
const LIMIT: Pair = ['Limit exceeded', '超出限制']
const BAD_PARAMETERS: Pair = ['Invalid request parameters', '请求参数无效']
const UNSUPPORTED: Pair = ['Not yet supported', '暂不支持']
const DELETED: Pair = ['This configuration has been deleted by another user.', '该配置已被其他用户删除。']
const PORT: Pair = ['The port is already in use', '端口已被占用']
const NO_ANSWER: Pair = ['No response from the device', '设备无响应']
const MEMORY: Pair = ['Out of memory', '内存不足']
const OFFLINE: Pair = ['The device is offline', '设备已离线']
const BROKEN: Pair = ['The connection was broken', '连接已中断']

const CODES: Readonly<Record<number, Pair>> = {
  0: ['Operation succeeded', '操作成功'],
  1: ['The operation is still under way', '操作尚未完成'],
  2: ['The operation timed out', '操作超时'],
  3: ['The operation was interrupted', '操作被中断'],
  4: ['Try again later', '请稍后重试'],
  5: UNSUPPORTED,
  6: ['Operation failed', '操作失败'],
  7: BAD_PARAMETERS,
  8: MEMORY,
  9: UNSUPPORTED,
  10: ['The file is in use', '文件被占用'],
  11: ['The device is busy', '设备忙'],
  12: OFFLINE,
  13: ['Input or output error', '输入输出错误'],
  14: ['Read error', '读取失败'],
  15: ['Write error', '写入失败'],
  16: DELETED,
  17: LIMIT,
  18: ['Too large', '数据过大'],
  19: ['Value too high', '数值过大'],
  20: ['Value too low', '数值过小'],
  21: ['Wrong format', '格式错误'],
  22: ['The file already exists', '文件已存在'],
  23: ['Invalid file', '文件无效'],
  24: ['Not for this type of device', '与设备类型不符'],
  25: ['It is a folder', '目标是文件夹'],
  26: ['Read-only', '只读'],
  27: ['Out of range', '超出范围'],
  28: BROKEN,
  29: ['Not enough space', '空间不足'],
  30: ['It is not a folder', '目标不是文件夹'],
  31: ['No permission to operate.', '没有操作权限。'],
  32: ['Invalid address', '地址无效'],
  33: ['Seek error', '定位失败'],
  34: ['On different devices', '不在同一设备上'],
  35: ['Not ready yet', '尚未就绪'],
  36: ['Authorization failed', '认证失败'],
  37: ['Not signed in', '未登录'],
  38: ['Not possible in the present state', '当前状态下无法操作'],
  39: ['Incorrect account or password', '账号或密码错误'],
  40: ['Verification failed', '校验失败'],
  41: ['Already exists', '已存在'],
  42: ['Cancelled', '已取消'],
  43: REPEATED,
  44: ['Connection refused', '连接被拒绝'],
  45: BROKEN,
  46: PORT,
  47: NO_ANSWER,
  48: ['It was changed meanwhile', '信息已变更'],
  49: ['Invalid data', '数据无效'],
  50: ['Incomplete data', '数据不完整'],
  51: MEMORY,
  52: ['Too much data', '数据过多'],
  53: ['No data', '没有数据'],
  54: ['The buffer is full', '缓冲区已满'],
  1001: ['The pull key already exists', '拉流密钥已存在'],
  1002: ['The push key already exists', '推流密钥已存在'],
  1003: ['The name already exists', '名称已存在'],
  1004: ['The status has been changed by another people', '状态已被他人更改'],
  1005: OCCUPIED,
  1006: LIMIT,
  1007: PORT,
  1008: ['The user group does not exist', '用户组不存在'],
  1009: ['Data would be lost', '将会丢失数据'],
  2001: ['The NDI source is offline', 'NDI 源已离线'],
  2002: ['The NDI source is online', 'NDI 源已上线'],
  10004: NO_ANSWER,
  10006: ['The device does not exist', '设备不存在'],
  10007: OFFLINE,
  [-4]: ['Device error', '设备错误'],
  [-9]: OCCUPIED,
  [-10]: BAD_PARAMETERS,
  [-11]: UNSUPPORTED,
  [-14]: DELETED,
  [-20]: ['No license', '没有许可证'],
  [-28]: ['The input string is incorrect', '输入的字符串不正确'],
  [-102]: ['Invalid certificate', '证书无效'],
  [-103]: ['Invalid private key', '私钥无效'],
  [-107]: ['License subscription is expired, please renew it.', '许可证订阅已过期，请续订。'],
  [-109]: ['Certificate error', '证书错误'],
  [-110]: ['Certificate disabled', '证书已停用'],
  [-111]: ['activated by another user', '已被其他用户激活'],
  [NO_CONNECTION]: ['Cannot connect to server', '无法连接到服务器'],
  [REQUEST_TIMED_OUT]: ['Network Error: Please check your network connection', '网络错误：请检查网络连接'],
  [NO_RESPONSE]: NO_ANSWER
}

const UNKNOWN: Pair = ['Operation failed. Error code: {code}', '操作失败，错误码：{code}']

/** The sentence of a result code; one with the number for a code nobody knows. */
export function codeText(code: number): string {
  return t(CODES[code] ?? UNKNOWN, { code })
}

/** Whether there is a sentence for a code. */
export function isKnownCode(code: number): boolean {
  return code in CODES
}
