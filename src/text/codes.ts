// Result codes of the hub as sentences, in the wordings of specification 8. Each says what happened; what a whole answer says besides,
// and what to do next, is in `answers.ts`. The same numbers from elsewhere: `ultra-codes.ts`, `license.ts`.
import { type Pair, t } from './language.ts'

// What the console answers itself where no answer came, outside the wire's range.
/** The hub could not be reached at all. */
export const NO_CONNECTION = -90001
/** The hub did not answer in time. */
export const REQUEST_TIMED_OUT = -90002
/** The hub answered, the device behind it did not. */
export const NO_RESPONSE = -90003

// Codes that mean the same to who reads them share a sentence.
const SENTENCES: readonly (readonly [Pair, ...number[]])[] = [
  [['Operation succeeded', '操作成功'], 0],
  [['Still under way', '正在进行'], 1],
  [['The operation timed out', '操作超时'], 2],
  [['Operation failed', '操作失败'], 3, 6],
  [['Try again later', '请稍后重试'], 4],
  [['Not yet supported', '暂不支持'], 5, 9, -11],
  [['Invalid request parameters', '请求参数无效'], 7, -10],
  [['Not enough memory', '内存不足'], 8, 51, 52, 54],
  [['Not enough space', '空间不足'], 29],
  [['Occupied', '被占用'], 10, 1005, -9],
  [['The device is busy', '设备忙'], 11],
  [['The device is offline', '设备已离线'], 12, 10007],
  [['Read or write error', '读写失败'], 13],
  [['Read error', '读取失败'], 14, 33],
  [['Write error', '写入失败'], 15],
  [['This configuration has been deleted by another user.', '该配置已被其他用户删除。'], 16, -14],
  [['Limit exceeded', '超出限制'], 17, 18, 1006],
  [['Out of range', '超出范围'], 19, 20, 27],
  [['Invalid data', '数据无效'], 21, 49, 50, 53],
  [['Already exists', '已存在'], 22, 41],
  [['Invalid file', '文件无效'], 23, 25, 30],
  [['Not for this type of device', '与设备类型不符'], 24],
  [['Read-only', '只读'], 26],
  [['The connection was broken', '连接已中断'], 28, 45],
  [['No permission to operate.', '没有操作权限。'], 31],
  [['Invalid address', '地址无效'], 32],
  [['Cannot be moved to another storage', '无法移动到其他存储'], 34],
  [['Not possible in the present state', '当前状态下无法操作'], 35, 38],
  [['Authorization failed', '认证失败'], 36],
  [['Not signed in', '未登录'], 37],
  [['Incorrect account or password', '账号或密码错误'], 39],
  [['Verification failed', '校验失败'], 40],
  [['Cancelled', '已取消'], 42],
  [['Repeated operations', '重复操作'], 43],
  [['Connection refused', '连接被拒绝'], 44],
  [['The port is already in use', '端口已被占用'], 46, 1007],
  [['No response from the device', '设备无响应'], 47, 10004, NO_RESPONSE],
  [['It was changed meanwhile', '信息已变更'], 48],
  [['The pull key already exists', '拉流密钥已存在'], 1001],
  [['The push key already exists', '推流密钥已存在'], 1002],
  [['The name already exists', '名称已存在'], 1003],
  [['The status has been changed by another people', '状态已被他人更改'], 1004],
  [['The user group does not exist', '用户组不存在'], 1008],
  [['Data would be lost', '将会丢失数据'], 1009],
  [['The NDI source is offline', 'NDI 源已离线'], 2001],
  [['The NDI source is online', 'NDI 源已上线'], 2002],
  [['The device does not exist', '设备不存在'], 10006],
  [['Device error', '设备错误'], -4],
  [['The input string is incorrect', '输入的字符串不正确'], -28],
  [['Invalid certificate', '证书无效'], -102],
  [['Invalid private key', '私钥无效'], -103],
  [['Cannot connect to server', '无法连接到服务器'], NO_CONNECTION],
  [['Network Error: Please check your network connection', '网络错误：请检查网络连接'], REQUEST_TIMED_OUT]
]

const UNKNOWN: Pair = ['Operation failed. Error code: {code}', '操作失败，错误码：{code}']

const sentenceOf = (code: number) => SENTENCES.find(([, ...codes]) => codes.includes(code))?.[0]

/** The sentence of a result code of the hub; one with the number for a code nobody knows. */
export function codeText(code: number): string {
  return t(sentenceOf(code) ?? UNKNOWN, { code })
}

/** Whether there is a sentence for a code. */
export function isKnownCode(code: number): boolean {
  return sentenceOf(code) !== undefined
}
