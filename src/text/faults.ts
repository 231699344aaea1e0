// What is wrong with a value, as a sentence (specification 5).
import type { Fault } from '../../contract/rules.ts'
import { type Pair, t } from './language.ts'

const FAULTS: Readonly<Record<Fault['name'], Pair>> = {
  required: ['Required', '必填'],
  invalid: ['Invalid entry', '输入无效'],
  number: ['Invalid number', '数字无效'],
  'outer-space': ['Cannot begin or end with a space', '不能以空格开头或结尾'],
  'any-space': ['Cannot contain any space', '不能包含空格'],
  length: ['Must be {min} to {max} characters long', '长度必须为 {min} 到 {max} 个字符'],
  range: ['Must be between {min} and {max}', '必须在 {min} 到 {max} 之间'],
  characters: ['Contains characters that are not allowed', '包含不允许的字符'],
  different: ['Two passwords are inconsistent', '两次输入的密码不一致'],
  scheme: [
    'Unknown protocol: use rtmp, srt, udp, rtp, rtsp or http',
    '协议未知，请使用 rtmp、srt、udp、rtp、rtsp 或 http'
  ]
}

const AT_MOST: Pair = ['At most {max} characters', '最多 {max} 个字符']

/** The sentence of a fault. Lengths are in units: a character above code 127 counts as 3 (contract/rules.ts). */
export function faultText({ name, min = 0, max = 0 }: Fault): string {
  return t(name === 'length' && min === 0 ? AT_MOST : FAULTS[name], { min, max })
}
