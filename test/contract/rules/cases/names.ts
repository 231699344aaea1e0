// Cases for names and stream keys.
import { catalogName } from '../../../../contract/catalog.ts'
import * as account from '../../../../contract/rules/account.ts'
import * as rules from '../../../../contract/rules/rules.ts'
import {
  ARABIC,
  BACKWARDS,
  CHINESE,
  DECOMPOSED,
  DELETE,
  EMOJI,
  FAMILY,
  HALF,
  HINDI,
  LONG,
  LONG_EMOJI,
  LONG_MARKS,
  NEXT_LINE,
  NUL,
  RIGHT_TO_LEFT,
  repeat,
  THAI,
  table
} from './table.ts'

table('streamName', rules.streamName, [
  ['', 'required'],
  ['a', 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  [repeat(21, '室'), 'ok'],
  [`${repeat(21, '室')}a`, 'ok'],
  [`${repeat(21, '室')}ab`, 'units 1..64'],
  [repeat(22, '室'), 'units 1..64'],
  ['Main Hall (2) #1', 'ok'],
  ["Bob's [cam] v1.2+", 'ok'],
  ['a_b-c', 'ok'],
  [`${CHINESE} 3`, 'ok'],
  ['Größe', 'ok'],
  [HINDI, 'ok'],
  [THAI, 'ok'],
  [ARABIC, 'ok'],
  [DECOMPOSED, 'ok'],
  ['\u0301a', 'characters'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  ['   ', 'outer-space'],
  ['a\u3000', 'outer-space'],
  ['a^b', 'characters'],
  ['a/b', 'characters'],
  ['a\\b', 'characters'],
  ['a"b', 'characters'],
  ['a<b>', 'characters'],
  ['a&b', 'characters'],
  ['a=b', 'characters'],
  ['a:b', 'characters'],
  ['a,b', 'characters'],
  ['a\tb', 'characters'],
  ['a\nb', 'characters'],
  [NUL, 'characters'],
  [DELETE, 'characters'],
  [BACKWARDS, 'characters'],
  [RIGHT_TO_LEFT, 'characters'],
  ['a\u200bb', 'characters'],
  [EMOJI, 'characters'],
  [FAMILY, 'characters'],
  [HALF, 'characters'],
  [LONG, 'length 1..64'],
  [LONG_EMOJI, 'units 1..64'],
  [LONG_MARKS, 'units 1..64']
])

table('dottedStreamName', rules.dottedStreamName, [
  ['', 'required'],
  ["Az09._-+'[]()", 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  ['a b', 'characters'],
  ['a#b', 'characters'],
  ['a ', 'outer-space'],
  [CHINESE, 'characters'],
  [EMOJI, 'characters'],
  [NUL, 'characters'],
  [LONG, 'length 1..64']
])

table('channelName', rules.channelName, [
  ['', 'required'],
  ['Evening service', 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  [repeat(22, '室'), 'units 1..64'],
  [' a', 'outer-space'],
  [NUL, 'characters']
])

for (const [name, rule] of [
  ['deviceName', rules.deviceName],
  ['usbName', rules.usbName]
] as const)
  table(name, rule, [
    ['', 'required'],
    ['Encoder 1_a-B', 'ok'],
    ['0', 'ok'],
    [repeat(64), 'ok'],
    [repeat(65), 'length 1..64'],
    [' a', 'outer-space'],
    ['a ', 'outer-space'],
    ['a.b', 'characters'],
    ['a#b', 'characters'],
    ["a'b", 'characters'],
    ['a(b)', 'characters'],
    [CHINESE, 'characters'],
    ['é', 'characters'],
    [EMOJI, 'characters'],
    [NUL, 'characters'],
    ['a\nb', 'characters'],
    [RIGHT_TO_LEFT, 'characters'],
    [LONG, 'length 1..64']
  ])

table('dottedDeviceName', rules.dottedDeviceName, [
  ['', 'required'],
  ["Hall 1_-.+'[]()", 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  ['a#b', 'characters'],
  ['a/b', 'characters'],
  ['a ', 'outer-space'],
  [CHINESE, 'characters'],
  [EMOJI, 'characters'],
  [NUL, 'characters'],
  [LONG, 'length 1..64']
])

for (const [name, rule] of [
  ['catalogName', catalogName],
  ['groupName', account.groupName]
] as const)
  table(name, rule, [
    ['', 'required'],
    ['a', 'ok'],
    [repeat(32), 'ok'],
    [repeat(33), 'length 1..32'],
    [repeat(10, '组'), 'ok'],
    [`${repeat(10, '组')}ab`, 'ok'],
    [repeat(11, '组'), 'units 1..32'],
    ['North / South & <East>', 'ok'],
    [HINDI, 'ok'],
    [ARABIC, 'ok'],
    [DECOMPOSED, 'ok'],
    [EMOJI, 'ok'],
    [' a', 'outer-space'],
    ['a ', 'outer-space'],
    [' ', 'outer-space'],
    [NUL, 'characters'],
    ['a\nb', 'characters'],
    [BACKWARDS, 'characters'],
    [HALF, 'characters'],
    [LONG, 'length 1..32'],
    [LONG_EMOJI, 'units 1..32']
  ])

table('streamKey', rules.streamKey, [
  ['', 'required'],
  ['k', 'ok'],
  [repeat(63), 'ok'],
  [repeat(64), 'length 1..63'],
  [repeat(21, '^'), 'ok'],
  [repeat(22, '^'), 'units 1..63'],
  [repeat(21, '密'), 'ok'],
  [`${repeat(21, '密')}a`, 'units 1..63'],
  ['a b', 'ok'],
  ['~!@#$%^&*()/?', 'ok'],
  [EMOJI, 'ok'],
  [' k', 'outer-space'],
  ['k ', 'outer-space'],
  ['a\nb', 'characters'],
  ['a\n', 'characters'],
  [NUL, 'characters'],
  [DELETE, 'characters'],
  [NEXT_LINE, 'characters'],
  [BACKWARDS, 'characters'],
  [LONG, 'length 1..63'],
  [LONG_EMOJI, 'units 1..63']
])

table('wireKey', rules.wireKey, [
  ['', 'required'],
  ['PULL-1F0A', 'ok'],
  [repeat(256), 'ok'],
  [repeat(257), 'length 1..256'],
  [repeat(85, '密'), 'ok'],
  [repeat(86, '密'), 'units 1..256'],
  ['a b', 'any-space'],
  [' k', 'any-space'],
  ['k\u3000', 'any-space'],
  ['a\nb', 'characters'],
  ['a&b=c', 'ok'],
  ['a?b', 'characters'],
  [NUL, 'characters'],
  [LONG, 'length 1..256']
])

table('streamId', rules.streamId, [
  ['', 'ok'],
  ['#!::r=live/a,m=request', 'ok'],
  [repeat(256), 'ok'],
  [repeat(257), 'length 0..256'],
  ['a b', 'characters'],
  ['é', 'characters'],
  ['a\n', 'characters'],
  [NUL, 'characters'],
  [LONG, 'length 0..256']
])

table('passphrase', rules.passphrase, [
  [repeat(9), 'length 10..79'],
  [repeat(10), 'ok'],
  [repeat(79), 'ok'],
  [repeat(80), 'length 10..79'],
  [repeat(79, '^'), 'ok'],
  ['in a word ~', 'ok'],
  ['', 'length 10..79'],
  [' 123456789', 'outer-space'],
  ['123456789 ', 'outer-space'],
  ['123456789é', 'characters'],
  ['123456789\n', 'characters'],
  ['123456789\0', 'characters'],
  [LONG, 'length 10..79']
])
