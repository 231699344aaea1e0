// Sentences for validation errors (docs/wire.md, Validation rules).
import type { Fault } from '../../contract/rules/rules.ts'
import { type Translation, t } from './language.ts'

// Result codes and firmware errors with the same meaning have the same text, so that the bundle contains it once.
const FAULTS: Readonly<Record<Fault['name'], Translation>> = {
  required: ['Required', '必填'],
  invalid: ['Invalid entry', '输入无效'],
  characters: ['Contains characters that are not allowed', '包含不允许的字符'],
  number: ['Invalid number', '数字无效'],
  range: ['Must be between {min} and {max}', '必须在 {min} 到 {max} 之间'],
  port: ['Must be {default}, or between {min} and {max}', '必须为 {default}，或在 {min} 到 {max} 之间'],
  length: ['Must be {min} to {max} characters long', '长度必须为 {min} 到 {max} 个字符'],
  units: [
    'Must be {min} to {max} characters long; ^ and letters other than A-Z count as 3',
    '长度必须为 {min} 到 {max} 个字符，^ 和汉字等按 3 个计'
  ],
  bytes: ['Too long: at most {max} bytes, a Chinese character takes 3', '过长：最多 {max} 字节，一个汉字占 3 字节'],
  'outer-space': ['Cannot begin or end with a space', '不能以空格开头或结尾'],
  'any-space': ['Cannot contain any space', '不能包含空格'],
  scheme: ['Use rtmp, srt, udp, rtp, rtsp or http', '请使用 rtmp、srt、udp、rtp、rtsp 或 http'],
  different: ['Two passwords are inconsistent', '两次输入的密码不一致'],
  same: ['Must differ from the other entry', '两项不能相同'],
  taken: ['Already in use', '已被使用'],
  order: ['The end must come after the start', '结束必须在开始之后'],
  lower: ['Must contain a lowercase letter', '必须包含小写字母'],
  upper: ['Must contain an uppercase letter', '必须包含大写字母'],
  digit: ['Must contain a digit', '必须包含数字'],
  special: ['Must contain one of ~!@#$%^&*_-+=', '必须包含 ~!@#$%^&*_-+= 之一'],
  'user-name': ['Cannot contain the user name', '不能包含用户名'],
  file: ['Invalid file', '文件无效'],
  model: ['The file does not match the model', '文件与设备型号不匹配'],
  space: ['Less than {min} MB free', '可用空间不足 {min} MB'],
  certificate: ['Invalid certificate', '证书无效'],
  'private-key': ['Invalid private key', '私钥无效']
}

/** Faults of a password that needs several characters of a kind. */
const SEVERAL: Readonly<Partial<Record<Fault['name'], Translation>>> = {
  lower: ['Must contain {min} lowercase letters', '必须包含至少 {min} 个小写字母'],
  upper: ['Must contain {min} uppercase letters', '必须包含至少 {min} 个大写字母'],
  digit: ['Must contain {min} digits', '必须包含至少 {min} 个数字'],
  special: ['Must contain {min} of ~!@#$%^&*_-+=', '必须包含至少 {min} 个 ~!@#$%^&*_-+= 中的字符']
}

const AT_MOST: Translation = ['At most {max} characters', '最多 {max} 个字符']
const EXACTLY: Translation = ['Must be {max} characters long', '长度必须为 {max} 个字符']

/**
 * The sentence for a fault. A fault without a number that its sentence needs, as another hub may send it, becomes
 * 'Invalid entry'.
 */
export function faultText({ name, ...numbers }: Fault): string {
  const { min, max } = numbers
  const length = name === 'length' && (min === 0 ? AT_MOST : min === max && EXACTLY)
  const sentence = t(length || (min && SEVERAL[name]) || FAULTS[name], numbers as Record<string, string | number>)
  return sentence.includes('{') ? t(FAULTS.invalid) : sentence
}

/** The fault in a response with result 7; `invalid` when it contains no known fault. */
export function faultOf({ fault = '', ...numbers }: { fault?: string } & Omit<Fault, 'name'>): Fault {
  return { ...numbers, name: Object.hasOwn(FAULTS, fault) ? (fault as Fault['name']) : 'invalid' }
}
