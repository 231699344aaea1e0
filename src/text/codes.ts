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
const FAILED: Pair = ['Operation failed', '操作失败']
const SPACE: Pair = ['Not enough space', '空间不足']
const OFFLINE: Pair = ['The device is offline', '设备已离线']
const BROKEN: Pair = ['The connection was broken', '连接已中断']
const RANGE: Pair = ['Out of range', '超出范围']
const DATA: Pair = ['Invalid data', '数据无效']
const FILE: Pair = ['Invalid file', '文件无效']
const READ: Pair = ['Read error', '读取失败']
const EXISTS: Pair = ['Already exists', '已存在']
const BUSY: Pair = ['The device is busy', '设备忙']
const NOT_NOW: Pair = ['Not possible in the present state', '当前状态下无法操作']

// Codes that mean the same to who reads them share a sentence.
const CODES: Readonly<Record<number, Pair>> = {
  0: ['Operation succeeded', '操作成功'],
  1: ['Still under way', '正在进行'],
  2: ['The operation timed out', '操作超时'],
  3: FAILED,
  4: ['Try again later', '请稍后重试'],
  5: UNSUPPORTED,
  6: FAILED,
  7: BAD_PARAMETERS,
  8: SPACE,
  9: UNSUPPORTED,
  10: OCCUPIED,
  11: BUSY,
  12: OFFLINE,
  13: READ,
  14: READ,
  15: ['Write error', '写入失败'],
  16: DELETED,
  17: LIMIT,
  18: LIMIT,
  19: RANGE,
  20: RANGE,
  21: DATA,
  22: EXISTS,
  23: FILE,
  24: ['Not for this type of device', '与设备类型不符'],
  25: FILE,
  26: ['Read-only', '只读'],
  27: RANGE,
  28: BROKEN,
  29: SPACE,
  30: FILE,
  31: ['No permission to operate.', '没有操作权限。'],
  32: ['Invalid address', '地址无效'],
  33: READ,
  34: UNSUPPORTED,
  35: NOT_NOW,
  36: ['Authorization failed', '认证失败'],
  37: ['Not signed in', '未登录'],
  38: NOT_NOW,
  39: ['Incorrect account or password', '账号或密码错误'],
  40: ['Verification failed', '校验失败'],
  41: EXISTS,
  42: ['Cancelled', '已取消'],
  43: REPEATED,
  44: ['Connection refused', '连接被拒绝'],
  45: BROKEN,
  46: PORT,
  47: NO_ANSWER,
  48: ['It was changed meanwhile', '信息已变更'],
  49: DATA,
  50: DATA,
  51: SPACE,
  52: DATA,
  53: DATA,
  54: SPACE,
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
