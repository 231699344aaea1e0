// What each rule of contract/ says to which value. A row is a value and the verdict: 'ok', or the fault as `verdictOf` writes it.

import { catalogName } from '../../../contract/catalog.ts'
import * as account from '../../../contract/rules/account.ts'
import * as compare from '../../../contract/rules/compare.ts'
import * as file from '../../../contract/rules/file.ts'
import * as network from '../../../contract/rules/network.ts'
import * as number from '../../../contract/rules/number.ts'
import { NO_PASSWORD_RULES, passwordByRules } from '../../../contract/rules/password.ts'
import * as rules from '../../../contract/rules/rules.ts'
import * as schedule from '../../../contract/rules/schedule.ts'
import { sourceUrl } from '../../../contract/stream/source-url.ts'

type Row<Value> = readonly [value: Value, verdict: string]

export interface RuleTable {
  /** The rule as it is called; what stands before the bracket is its name in contract/. */
  name: string
  rule: (value: never) => rules.Fault | undefined
  rows: readonly Row<unknown>[]
}

export const tables: RuleTable[] = []

function table<Value>(name: string, rule: (value: Value) => rules.Fault | undefined, rows: readonly Row<Value>[]) {
  tables.push({ name, rule, rows })
}

/** A fault in a word: `required`, `length 1..64`, `port 8080 1024..2048`. */
export function verdictOf(fault: rules.Fault | undefined): string {
  if (!fault) return 'ok'
  const { name, min, max, default: standard } = fault
  const bounds = max === undefined ? min : `${min}..${max}`
  return [name, standard, bounds].filter((part) => part !== undefined).join(' ')
}

const of = (count: number, text = 'x') => text.repeat(count)

const NUL = 'a\0b'
const DELETE = 'a\x7fb'
const NEXT_LINE = 'a\x85b'
/** Shown as `a` and the rest of the line backwards. */
const BACKWARDS = 'a\u202eb'
const RIGHT_TO_LEFT = 'a\u200fb'
const ISOLATE = 'a\u2066b'
const EMOJI = '😀'
const FAMILY = '👨\u200d👩\u200d👧'
/** Half of an emoji. */
const HALF = 'a\ud83d'
const HINDI = 'नमस्ते'
const THAI = 'ห้องส่ง'
const ARABIC = 'قناة'
/** An e, and its accent as a character of its own. */
const DECOMPOSED = 'Cafe\u0301'
const CHINESE = '演播室'
const LONG = of(10_000)
const LONG_EMOJI = of(10_000, EMOJI)
const LONG_MARKS = `a${of(10_000, '\u0301')}`

// ---------------------------------------------------------------------------------------------- what all rules share

table('required', rules.required, [
  ['', 'required'],
  [' ', 'ok'],
  ['0', 'ok'],
  ['\0', 'ok'],
  [LONG, 'ok']
])

table('outerSpace', rules.outerSpace, [
  ['', 'ok'],
  ['a b', 'ok'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  [' ', 'outer-space'],
  ['\ta', 'outer-space'],
  ['a\n', 'outer-space'],
  ['\u00a0a', 'outer-space'],
  ['a\u3000', 'outer-space'],
  [`${LONG} `, 'outer-space']
])

table('noSpace', rules.noSpace, [
  ['', 'ok'],
  ['ab', 'ok'],
  ['a b', 'any-space'],
  ['a\u00a0b', 'any-space'],
  ['a\u3000b', 'any-space'],
  ['a\r\nb', 'any-space'],
  [LONG, 'ok']
])

table('printable', rules.printable, [
  ['', 'ok'],
  ['a b', 'ok'],
  [CHINESE, 'ok'],
  [ARABIC, 'ok'],
  [FAMILY, 'ok'],
  [DECOMPOSED, 'ok'],
  [NUL, 'characters'],
  ['\x1b[31m', 'characters'],
  [DELETE, 'characters'],
  [NEXT_LINE, 'characters'],
  ['a\u2028b', 'characters'],
  ['a\u2029b', 'characters'],
  [BACKWARDS, 'characters'],
  [RIGHT_TO_LEFT, 'characters'],
  [ISOLATE, 'characters'],
  ['\ufeffa', 'characters'],
  [HALF, 'characters'],
  [LONG, 'ok']
])

table('unitLength(2, 6)', rules.unitLength(2, 6), [
  ['', 'length 2..6'],
  ['a', 'length 2..6'],
  ['ab', 'ok'],
  ['abcdef', 'ok'],
  ['abcdefg', 'length 2..6'],
  ['^', 'ok'],
  ['^^', 'ok'],
  ['^^a', 'units 2..6'],
  ['\x7f', 'length 2..6'],
  ['\x80\x80', 'ok'],
  ['演播', 'ok'],
  [CHINESE, 'units 2..6'],
  ['😀😀', 'ok'],
  ['😀😀a', 'units 2..6'],
  [LONG, 'length 2..6'],
  [LONG_EMOJI, 'units 2..6']
])

table('characterLength(2, 4)', rules.characterLength(2, 4), [
  ['a', 'length 2..4'],
  ['ab', 'ok'],
  ['abcd', 'ok'],
  ['abcde', 'length 2..4'],
  ['演播室一', 'ok'],
  ['^^^^', 'ok'],
  ['😀😀😀😀', 'ok'],
  ['😀', 'length 2..4'],
  ['😀😀😀😀😀', 'length 2..4'],
  [LONG_EMOJI, 'length 2..4']
])

// ------------------------------------------------------------------------------------------------------ names and keys

table('streamName', rules.streamName, [
  ['', 'required'],
  ['a', 'ok'],
  [of(64), 'ok'],
  [of(65), 'length 1..64'],
  [of(21, '室'), 'ok'],
  [`${of(21, '室')}a`, 'ok'],
  [`${of(21, '室')}ab`, 'units 1..64'],
  [of(22, '室'), 'units 1..64'],
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

table('plainStreamName', rules.plainStreamName, [
  ['', 'required'],
  ['Az 09_-#()', 'ok'],
  [of(64), 'ok'],
  [of(65), 'length 1..64'],
  ['a.b', 'characters'],
  ['a+b', 'characters'],
  ["a'b", 'characters'],
  ['a[b]', 'characters'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  ['é', 'characters'],
  [CHINESE, 'characters'],
  [EMOJI, 'characters'],
  [NUL, 'characters'],
  [BACKWARDS, 'characters'],
  [LONG, 'length 1..64']
])

table('dottedStreamName', rules.dottedStreamName, [
  ['', 'required'],
  ["Az09._-+'[]()", 'ok'],
  [of(64), 'ok'],
  [of(65), 'length 1..64'],
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
  [of(64), 'ok'],
  [of(65), 'length 1..64'],
  [of(22, '室'), 'units 1..64'],
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
    [of(64), 'ok'],
    [of(65), 'length 1..64'],
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
  [of(64), 'ok'],
  [of(65), 'length 1..64'],
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
    [of(32), 'ok'],
    [of(33), 'length 1..32'],
    [of(10, '组'), 'ok'],
    [`${of(10, '组')}ab`, 'ok'],
    [of(11, '组'), 'units 1..32'],
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
  [of(63), 'ok'],
  [of(64), 'length 1..63'],
  [of(21, '^'), 'ok'],
  [of(22, '^'), 'units 1..63'],
  [of(21, '密'), 'ok'],
  [`${of(21, '密')}a`, 'units 1..63'],
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
  [of(256), 'ok'],
  [of(257), 'length 1..256'],
  [of(85, '密'), 'ok'],
  [of(86, '密'), 'units 1..256'],
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
  [of(256), 'ok'],
  [of(257), 'length 0..256'],
  ['a b', 'characters'],
  ['é', 'characters'],
  ['a\n', 'characters'],
  [NUL, 'characters'],
  [LONG, 'length 0..256']
])

table('passphrase', rules.passphrase, [
  [of(9), 'length 10..79'],
  [of(10), 'ok'],
  [of(79), 'ok'],
  [of(80), 'length 10..79'],
  [of(79, '^'), 'ok'],
  ['in a word ~', 'ok'],
  ['', 'length 10..79'],
  [' 123456789', 'outer-space'],
  ['123456789 ', 'outer-space'],
  ['123456789é', 'characters'],
  ['123456789\n', 'characters'],
  ['123456789\0', 'characters'],
  [LONG, 'length 10..79']
])

// ------------------------------------------------------------------------------------------------ accounts and secrets

table('userName', account.userName, [
  ['', 'required'],
  ['ab', 'length 3..12'],
  ['abc', 'ok'],
  ['Admin', 'ok'],
  ['A_1', 'ok'],
  ['___', 'ok'],
  ['abcdefghijkl', 'ok'],
  ['abcdefghijklm', 'length 3..12'],
  [' abc', 'outer-space'],
  ['abc ', 'outer-space'],
  ['a bc', 'characters'],
  ['a-bc', 'characters'],
  ['a.bc', 'characters'],
  ['a@bc', 'characters'],
  ['äbc', 'characters'],
  ['аbc', 'characters'],
  [CHINESE, 'characters'],
  [EMOJI, 'characters'],
  [NUL, 'characters'],
  ['abc\n', 'outer-space'],
  [BACKWARDS, 'characters'],
  [LONG, 'length 3..12']
])

table('wireUserName', account.wireUserName, [
  ['', 'required'],
  ['a', 'ok'],
  [of(32), 'ok'],
  [of(33), 'length 1..32'],
  [of(32, '名'), 'ok'],
  [of(33, '名'), 'length 1..32'],
  ['first last', 'ok'],
  ["o'neil@example", 'ok'],
  [EMOJI, 'ok'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  [NUL, 'characters'],
  ['a\r\nb', 'characters'],
  [BACKWARDS, 'characters'],
  [HALF, 'characters'],
  [LONG, 'length 1..32'],
  [LONG_EMOJI, 'length 1..32']
])

table('nickName', account.nickName, [
  ['', 'ok'],
  ['Anna (night shift)', 'ok'],
  [of(32), 'ok'],
  [of(33), 'length 0..32'],
  [of(32, EMOJI), 'ok'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  [NUL, 'characters'],
  [ISOLATE, 'characters'],
  [LONG, 'length 0..32']
])

table('groupDescription', account.groupDescription, [
  ['', 'ok'],
  [' those of the night ', 'ok'],
  [of(256), 'ok'],
  [of(257), 'length 0..256'],
  [of(256, '述'), 'ok'],
  [of(256, EMOJI), 'ok'],
  [of(257, EMOJI), 'length 0..256'],
  ['a\nb', 'characters'],
  [NUL, 'characters'],
  [RIGHT_TO_LEFT, 'characters'],
  [LONG, 'length 0..256']
])

table('somePermission', account.somePermission, [
  [0, 'required'],
  [1, 'ok'],
  [1 << 17, 'ok'],
  [4_294_967_295, 'ok']
])

table('password', rules.password, [
  ['', 'required'],
  ['a', 'ok'],
  ['Aa0_~!@#$%^&*-+=', 'ok'],
  [of(32), 'ok'],
  [of(33), 'length 1..32'],
  [of(32, '^'), 'ok'],
  ['a b', 'any-space'],
  [' a', 'any-space'],
  ['a\t', 'any-space'],
  ['\u3000', 'any-space'],
  ['a.b', 'characters'],
  ['a(b)', 'characters'],
  ['a"b', 'characters'],
  ["a'b", 'characters'],
  ['a\\b', 'characters'],
  ['a/b', 'characters'],
  ['é', 'characters'],
  [CHINESE, 'characters'],
  [EMOJI, 'characters'],
  [NUL, 'characters'],
  [BACKWARDS, 'characters'],
  [LONG, 'length 1..32']
])

table('passwordByRules(none)', passwordByRules(NO_PASSWORD_RULES, 'Admin'), [
  ['', 'required'],
  ['a', 'ok'],
  ['Admin', 'ok'],
  ['a b', 'any-space'],
  [of(33), 'length 1..32'],
  ['é', 'characters']
])

table(
  'passwordByRules(all)',
  passwordByRules(
    { 'min-length': 8, lower: true, upper: true, digit: true, special: true, 'not-user-name': true },
    'Anna'
  ),
  [
    ['', 'required'],
    ['aB3_xyz', 'length 8..32'],
    ['aB3_xyzz', 'ok'],
    [`aB3_${of(28)}`, 'ok'],
    [`aB3_${of(29)}`, 'length 1..32'],
    ['AB3_XYZZ', 'lower'],
    ['ab3_xyzz', 'upper'],
    ['aBc_xyzz', 'digit'],
    ['aB3cxyzz', 'special'],
    ['aB3~xyzz', 'ok'],
    ['aB3=xyzz', 'ok'],
    ['aB3_Anna', 'user-name'],
    ['aB3_aNNa', 'user-name'],
    ['ANNA3_xx', 'user-name'],
    ['aB3_Anxa', 'ok'],
    ['aB3_xyz z', 'any-space'],
    ['aB3_xyzé', 'characters']
  ]
)

table('passwordByRules(a name not known yet)', passwordByRules({ ...NO_PASSWORD_RULES, 'not-user-name': true }), [
  ['a', 'ok'],
  ['Admin', 'ok'],
  ['', 'required']
])

table('accessToken', account.accessToken, [
  ['', 'required'],
  [of(64), 'ok'],
  [`${of(21, 'aZ9')}0`, 'ok'],
  [of(63), 'length 64..64'],
  [of(65), 'length 64..64'],
  [`${of(63)}-`, 'characters'],
  [`${of(63)}_`, 'characters'],
  [`${of(63)} `, 'characters'],
  [`${of(64)}\n`, 'characters'],
  [`${of(63)}é`, 'characters'],
  [`${of(63)}\0`, 'characters'],
  [of(32, EMOJI), 'characters'],
  [LONG, 'length 64..64']
])

table('licenseSerial', account.licenseSerial, [
  ['', 'required'],
  ['A', 'ok'],
  ['0123456789ABCDEF', 'ok'],
  [of(64, 'F'), 'ok'],
  [of(65, 'F'), 'length 1..64'],
  ['abcdef', 'characters'],
  ['G', 'characters'],
  ['A-B', 'characters'],
  ['A B', 'characters'],
  ['A\n', 'characters'],
  ['Ａ', 'characters'],
  [NUL, 'characters'],
  [EMOJI, 'characters'],
  [of(10_000, 'A'), 'length 1..64']
])

// --------------------------------------------------------------------------------------------------- numbers and ports

table('optional(port)', rules.optional(rules.port), [
  ['', 'ok'],
  ['1', 'ok'],
  ['0', 'range 1..65535'],
  [' ', 'number']
])

table('wholeNumber(value, 5, 10)', (value: string) => rules.wholeNumber(value, 5, 10), [
  ['', 'required'],
  ['4', 'range 5..10'],
  ['5', 'ok'],
  ['10', 'ok'],
  ['11', 'range 5..10'],
  ['007', 'ok'],
  [of(400, '9'), 'range 5..10'],
  ['-5', 'number'],
  ['+5', 'number'],
  ['5.0', 'number'],
  ['5e0', 'number'],
  ['0x5', 'number'],
  [' 5', 'number'],
  ['5\n', 'number'],
  ['1,000', 'number'],
  ['٥', 'number'],
  ['５', 'number'],
  ['NaN', 'number'],
  ['5\0', 'number'],
  ['5\u200f', 'number'],
  [LONG, 'number']
])

table('numberRange(-3, 3)', number.numberRange(-3, 3), [
  ['', 'required'],
  ['-4', 'range -3..3'],
  ['-3', 'ok'],
  ['-0', 'ok'],
  ['3', 'ok'],
  ['4', 'range -3..3'],
  ['--1', 'number'],
  ['-', 'number'],
  ['−1', 'number'],
  [`-${of(10_000, '9')}`, 'range -3..3']
])

table('port', rules.port, [
  ['', 'required'],
  ['0', 'range 1..65535'],
  ['1', 'ok'],
  ['65535', 'ok'],
  ['65536', 'range 1..65535'],
  ['-1', 'number'],
  ['80.0', 'number'],
  ['http', 'number'],
  ['8 0', 'number'],
  [EMOJI, 'number'],
  [of(10_000, '1'), 'range 1..65535']
])

table(
  'portOrDefault({ default: 80, min: 1024, max: 49151 })',
  number.portOrDefault({ default: 80, min: 1024, max: 49_151 }),
  [
    ['', 'required'],
    ['80', 'ok'],
    ['1024', 'ok'],
    ['49151', 'ok'],
    ['79', 'port 80 1024..49151'],
    ['81', 'port 80 1024..49151'],
    ['1023', 'port 80 1024..49151'],
    ['49152', 'port 80 1024..49151'],
    ['0', 'port 80 1024..49151'],
    ['80.0', 'number'],
    ['0x50', 'number'],
    [' 80', 'number'],
    [LONG, 'number']
  ]
)

table('portOrDefault({ default: 80, unique: [80, 443] })', number.portOrDefault({ default: 80, unique: [80, 443] }), [
  ['80', 'taken'],
  ['443', 'taken'],
  ['0443', 'taken'],
  ['444', 'ok'],
  ['0', 'port 80 1..65535'],
  ['65535', 'ok'],
  ['65536', 'port 80 1..65535']
])

table('portOrDefault({ min: 5, max: 6 })', number.portOrDefault({ min: 5, max: 6 }), [
  ['4', 'range 5..6'],
  ['5', 'ok'],
  ['7', 'range 5..6']
])

table('portRange', number.portRange, [
  ['', 'required'],
  ['1-2', 'ok'],
  ['1-65535', 'ok'],
  ['5000-5010', 'ok'],
  ['9-10', 'ok'],
  ['10-9', 'order'],
  ['80-80', 'order'],
  ['0-80', 'range 1..65535'],
  ['80-65536', 'range 1..65535'],
  ['80', 'invalid'],
  ['-80', 'invalid'],
  ['80-', 'invalid'],
  ['-', 'invalid'],
  ['1-2-3', 'invalid'],
  ['1 - 2', 'invalid'],
  ['1–2', 'invalid'],
  ['a-b', 'invalid'],
  ['1-2\n', 'invalid'],
  ['1-\0', 'invalid'],
  [of(10_000, '-'), 'invalid'],
  [of(10_000, '1-'), 'invalid']
])

table('firewallPort', number.firewallPort, [
  ['', 'required'],
  ['1', 'ok'],
  ['65535', 'ok'],
  ['0', 'range 1..65535'],
  ['65536', 'range 1..65535'],
  ['8000-8010', 'ok'],
  ['8010-8000', 'order'],
  ['8000-8000', 'order'],
  ['-1', 'invalid'],
  ['80,81', 'number'],
  ['all', 'number'],
  ['1-2-3', 'invalid'],
  [LONG, 'number']
])

table('latency', rules.latency, [
  ['', 'required'],
  ['19', 'range 20..8000'],
  ['20', 'ok'],
  ['8000', 'ok'],
  ['8001', 'range 20..8000'],
  ['120.5', 'number']
])

table('bufferDuration', number.bufferDuration, [
  ['', 'required'],
  ['0', 'range 1..2000'],
  ['1', 'ok'],
  ['2000', 'ok'],
  ['2001', 'range 1..2000'],
  ['1s', 'number']
])

table('multicastTtl', number.multicastTtl, [
  ['', 'required'],
  ['0', 'range 1..255'],
  ['1', 'ok'],
  ['255', 'ok'],
  ['256', 'range 1..255'],
  ['-1', 'number']
])

table('mtu', number.mtu, [
  ['227', 'range 228..1500'],
  ['228', 'ok'],
  ['1500', 'ok'],
  ['1501', 'range 228..1500']
])

table('overhead', number.overhead, [
  ['', 'required'],
  ['4', 'range 5..100'],
  ['5', 'ok'],
  ['100', 'ok'],
  ['101', 'range 5..100']
])

table('clientLimit', number.clientLimit, [
  ['0', 'range 1..64'],
  ['1', 'ok'],
  ['64', 'ok'],
  ['65', 'range 1..64']
])

table('segmentCount', number.segmentCount, [
  ['2', 'range 3..20'],
  ['3', 'ok'],
  ['20', 'ok'],
  ['21', 'range 3..20']
])

table('segmentDuration', number.segmentDuration, [
  ['0', 'range 1..10'],
  ['1', 'ok'],
  ['10', 'ok'],
  ['2.5', 'number']
])

// ------------------------------------------------------------------------------------------------------------ networks

table('networkInterface', network.networkInterface, [
  ['', 'required'],
  ['eth0', 'ok'],
  ['enp0s31f6.100', 'ok'],
  ['192.168.1.7', 'ok'],
  ['-i', 'invalid'],
  ['eth0 x', 'invalid'],
  ['eth0&timeout=1', 'invalid'],
  [of(16), 'invalid']
])

table('pathKey', network.pathKey, [
  ['', 'required'],
  ['HLS-1_b', 'ok'],
  [of(63), 'ok'],
  [of(64), 'length 1..63'],
  ['a/b', 'characters'],
  ['..', 'characters'],
  ['a%2fb', 'characters'],
  ['ä', 'characters']
])

table('loginName', network.loginName, [
  ['', 'required'],
  ['viewer@hall', 'ok'],
  ['a:b', 'characters'],
  ['a"b', 'characters'],
  ['a\\b', 'characters'],
  [NUL, 'characters']
])

table('ipv4', network.ipv4, [
  ['', 'required'],
  ['1.0.0.0', 'ok'],
  ['255.255.255.255', 'ok'],
  ['192.168.1.10', 'ok'],
  ['0.0.0.1', 'invalid'],
  ['0.0.0.0', 'invalid'],
  ['256.1.1.1', 'invalid'],
  ['1.1.1.256', 'invalid'],
  ['1.1.1', 'invalid'],
  ['1.1.1.1.1', 'invalid'],
  ['01.1.1.1', 'invalid'],
  ['1.1.1.01', 'invalid'],
  ['1..1.1', 'invalid'],
  ['1.1.1.a', 'invalid'],
  ['0x1.1.1.1', 'invalid'],
  ['1.1.1.1/24', 'invalid'],
  ['1.1.1.1:80', 'invalid'],
  [' 1.1.1.1', 'invalid'],
  ['1.1.1.1\n', 'invalid'],
  ['1.1.1.1\0', 'invalid'],
  ['１.1.1.1', 'invalid'],
  ['::1', 'invalid'],
  ['localhost', 'invalid'],
  [LONG, 'invalid'],
  [of(10_000, '1.'), 'invalid']
])

table('domain', network.domain, [
  ['', 'required'],
  ['a.b', 'ok'],
  ['stream.example', 'ok'],
  ['1a.2b', 'ok'],
  ['a-.example', 'ok'],
  ['xn--bcher-kva.example', 'ok'],
  [`${of(63)}.example`, 'ok'],
  [`${of(64)}.example`, 'invalid'],
  [`${of(126, 'a.')}b`, 'ok'],
  [`${of(126, 'a.')}bc`, 'invalid'],
  ['example', 'invalid'],
  ['-a.example', 'invalid'],
  ['a..example', 'invalid'],
  ['.example', 'invalid'],
  ['a.example.', 'invalid'],
  ['a_b.example', 'invalid'],
  ['a b.example', 'invalid'],
  ['bücher.example', 'invalid'],
  ['1.2.3.4', 'invalid'],
  ['http://a.example', 'invalid'],
  ['a.example\n', 'invalid'],
  ['a.example\0', 'invalid'],
  ['a\u202e.example', 'invalid'],
  [`${EMOJI}.example`, 'invalid'],
  [LONG, 'invalid'],
  [of(10_000, 'a.'), 'invalid']
])

table('host', rules.host, [
  ['', 'required'],
  ['10.0.0.1', 'ok'],
  ['stream.example', 'ok'],
  ['localhost', 'ok'],
  ['nas', 'invalid'],
  ['-i', 'invalid'],
  ['0.0.0.0', 'invalid'],
  ['1.2.3.4.5', 'invalid'],
  ['10.0.0.1:80', 'invalid'],
  ['a.example/x', 'invalid'],
  ['a.example ', 'invalid'],
  [LONG, 'invalid']
])

table('hostList()', network.hostList(), [
  ['', 'required'],
  ['10.0.0.1', 'ok'],
  ['10.0.0.1,a.example', 'ok'],
  ['a.example,b.example,c.example', 'ok'],
  ['a.example,', 'invalid'],
  [',a.example', 'invalid'],
  ['a.example,,b.example', 'invalid'],
  [',', 'invalid'],
  ['a.example, b.example', 'any-space'],
  ['a.example\n,b.example', 'any-space'],
  ['a.example;b.example', 'invalid'],
  ['a.example,nas', 'invalid'],
  ['a.example,0.0.0.0', 'invalid'],
  ['a.example,\0', 'invalid'],
  [of(10_000, ','), 'invalid'],
  [`${of(5000, 'a.b,')}a.b`, 'ok']
])

table("hostList({ separator: ';', allowEmpty: true })", network.hostList({ separator: ';', allowEmpty: true }), [
  ['', 'ok'],
  ['10.0.0.1;a.example', 'ok'],
  ['10.0.0.1,a.example', 'invalid'],
  ['10.0.0.1;', 'invalid'],
  [';', 'invalid'],
  [' ', 'any-space']
])

table("ipBetween('10.0.0.5', '10.0.1.9')", network.ipBetween('10.0.0.5', '10.0.1.9'), [
  ['', 'required'],
  ['10.0.0.4', 'range 10.0.0.5..10.0.1.9'],
  ['10.0.0.5', 'ok'],
  ['10.0.0.255', 'ok'],
  ['10.0.1.0', 'ok'],
  ['10.0.1.9', 'ok'],
  ['10.0.1.10', 'range 10.0.0.5..10.0.1.9'],
  ['9.255.255.255', 'range 10.0.0.5..10.0.1.9'],
  ['200.0.0.1', 'range 10.0.0.5..10.0.1.9'],
  ['10.0.0', 'invalid'],
  ['a.example', 'invalid'],
  [LONG, 'invalid']
])

table('multicastAddress', network.multicastAddress, [
  ['', 'required'],
  ['223.255.255.255', 'range 224.0.0.0..239.255.255.255'],
  ['224.0.0.0', 'ok'],
  ['239.255.255.255', 'ok'],
  ['240.0.0.0', 'range 224.0.0.0..239.255.255.255'],
  ['224.0.0', 'invalid']
])

table('ipRange', network.ipRange, [
  ['', 'required'],
  ['10.0.0.0', 'ok'],
  ['10.0.0.0/8', 'ok'],
  ['192.168.1.7/32', 'ok'],
  ['10.0.0.0/1', 'ok'],
  ['10.0.0.0/0', 'invalid'],
  ['10.0.0.0/33', 'invalid'],
  ['10.0.0.0/08', 'invalid'],
  ['10.0.0.0/', 'invalid'],
  ['10.0.0.0/8/8', 'invalid'],
  ['10.0.0.0/8 ', 'invalid'],
  ['10.0.0/8', 'invalid'],
  ['a.example', 'invalid']
])

table("ipNotBelow('first')", (value: string) => network.ipNotBelow('first')(value, { first: '10.0.0.200' }), [
  ['', 'required'],
  ['10.0.0.199', 'order'],
  ['10.0.0.200', 'ok'],
  ['10.0.1.0', 'ok'],
  ['9.0.0.201', 'order'],
  ['10.0.0', 'invalid']
])

table(
  "ipNotBelow('first'), which is no address",
  (value: string) => network.ipNotBelow('first')(value, { first: '' }),
  [
    ['10.0.0.1', 'ok'],
    ['', 'required']
  ]
)

table('subnetMask', network.subnetMask, [
  ['', 'required'],
  ['128.0.0.0', 'ok'],
  ['255.0.0.0', 'ok'],
  ['255.255.0.0', 'ok'],
  ['255.255.255.0', 'ok'],
  ['255.255.254.0', 'ok'],
  ['255.255.255.252', 'ok'],
  ['255.255.255.254', 'ok'],
  ['255.255.255.255', 'ok'],
  ['0.0.0.0', 'invalid'],
  ['255.0.255.0', 'invalid'],
  ['255.255.255.1', 'invalid'],
  ['255.255.253.0', 'invalid'],
  ['254.255.0.0', 'invalid'],
  ['1.0.0.0', 'invalid'],
  ['24', 'invalid'],
  ['/24', 'invalid'],
  ['255.255.255.0 ', 'invalid'],
  [LONG, 'invalid']
])

table('liveUrl', network.liveUrl, [
  ['', 'required'],
  ['rtmp://a.example/live', 'ok'],
  ['rtmps://a.example/live', 'ok'],
  ['RTMP://A.Example/live', 'ok'],
  ['a.example/live', 'ok'],
  ['10.0.0.1/live/key', 'ok'],
  ['rtmp://10.0.0.1:1/live', 'ok'],
  ['rtmp://10.0.0.1:65535/live', 'ok'],
  ['rtmp://10.0.0.1:0/live', 'range 1..65535'],
  ['rtmp://10.0.0.1:65536/live', 'range 1..65535'],
  ['rtmp://10.0.0.1:/live', 'invalid'],
  ['rtmp://a.example/live/', 'ok'],
  ['rtmp://a.example/live?token=1/2', 'ok'],
  ['rtmp://a.example', 'invalid'],
  ['rtmp://a.example/', 'invalid'],
  ['rtmp://a.example//live', 'invalid'],
  ['rtmp:///live', 'invalid'],
  ['rtmp://', 'invalid'],
  ['rtmp://nas/live', 'invalid'],
  ['rtmp://0.1.2.3/live', 'invalid'],
  ['rtmp://me:secret@a.example/live', 'invalid'],
  ['rtmp://a.example/live#x', 'invalid'],
  ['rtmp://a.example/`id`', 'invalid'],
  ['rtmp://a.example/a|b', 'invalid'],
  ['http://a.example/live', 'scheme'],
  ['srt://a.example:9000', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['rtmp://a.example/live x', 'any-space'],
  [' rtmp://a.example/live', 'any-space'],
  ['rtmp://a.example/live\n', 'any-space'],
  ['rtmp://a.example/li\0ve', 'invalid'],
  ['rtmp://a.example/li\u202eve', 'invalid'],
  [`rtmp://a.example/${EMOJI}`, 'invalid'],
  [LONG, 'invalid'],
  [`a.example${of(10_000, '/a')}`, 'ok'],
  [`a.example${of(10_000, '/')}`, 'invalid']
])

table('sourceUrl', sourceUrl, [
  ['', 'required'],
  ['rtmp://a.example/live', 'ok'],
  ['srt://10.0.0.1:9000?latency=20', 'ok'],
  ['srt://10.0.0.1:9000?latency=19', 'range 20..8000'],
  ['srt://10.0.0.1:9000?passphrase=short', 'length 10..79'],
  ['srt://10.0.0.1', 'range 1..65535'],
  ['rtmp://a.example/', 'invalid'],
  ['concat:a|file:/etc/passwd', 'invalid'],
  ['file:///etc/passwd', 'scheme'],
  ['rtmp://a.example/li\0ve', 'invalid'],
  ['rtmp://a.example/li\u202eve', 'invalid'],
  [`rtmp://a.example/${of(2031)}`, 'length 1..2048'],
  [LONG, 'length 1..2048']
])

// --------------------------------------------------------------------------------------------------- what must differ

const beside = <Field extends string>(
  rule: (value: string, all: Record<Field, string>) => rules.Fault | undefined,
  field: Field,
  other: string
) => {
  return (value: string) => rule(value, { [field]: other } as Record<Field, string>)
}

table("sameAs('password')", beside(compare.sameAs('password'), 'password', 'Secret1'), [
  ['Secret1', 'ok'],
  ['secret1', 'different'],
  ['Secret1 ', 'different'],
  ['', 'different']
])

table("notSameAs('key')", beside(compare.notSameAs('key'), 'key', 'Main-1'), [
  ['Main-1', 'same'],
  ['main-1', 'ok'],
  ['Main-2', 'ok'],
  ['', 'ok']
])

table("notSameAs('key', 'taken'), which is empty", beside(compare.notSameAs('key', 'taken'), 'key', ''), [
  ['', 'ok'],
  ['Main-1', 'ok']
])

table("notSameHost('other'), an address", beside(compare.notSameHost('other'), 'other', '10.0.0.1'), [
  ['10.0.0.1', 'same'],
  ['10.0.0.2', 'ok'],
  ['10.0.0.11', 'ok'],
  ['', 'ok']
])

table("notSameHost('other'), a domain", beside(compare.notSameHost('other'), 'other', 'Live.Example'), [
  ['live.example', 'same'],
  ['LIVE.EXAMPLE.', 'same'],
  ['live.example:1935', 'same'],
  ['rtmp://live.example/app', 'same'],
  ['rtmps://me:secret@live.example:443/app?x=1', 'same'],
  ['rtmp://other.example/live.example', 'ok'],
  ['live.example.org', 'ok'],
  ['', 'ok']
])

table("notSameHost('other'), which is empty", beside(compare.notSameHost('other'), 'other', ''), [
  ['', 'ok'],
  ['live.example', 'ok']
])

table('notAmong(keys)', compare.notAmong(['Main-1', 'Main-2']), [
  ['Main-1', 'taken'],
  ['Main-2', 'taken'],
  ['main-1', 'ok'],
  ['Main-3', 'ok'],
  ['', 'ok']
])

table('notAmong(names, true)', compare.notAmong(['North', 'ÄPFEL'], true), [
  ['north', 'taken'],
  ['NORTH', 'taken'],
  ['äpfel', 'taken'],
  ['South', 'ok']
])

// --------------------------------------------------------------------------------------------------------------- files

table('firmwareFile', file.firmwareFile, [
  ['', 'required'],
  ['ultra_stream_sdi_rev_a_1_5_79.mwf', 'ok'],
  ['a.MWF', 'ok'],
  ['.mwf', 'file'],
  ['a.mwf.zip', 'file'],
  ['a.bin', 'file'],
  ['amwf', 'file'],
  ['a.mwf ', 'file'],
  ['a.mwf\n', 'file'],
  ['a.mwf\0', 'file'],
  ['../.mwf', 'file'],
  [`${LONG}.mwf`, 'ok'],
  [LONG, 'file']
])

table('freeSpace', file.freeSpace, [
  [0, 'space 50'],
  [52_428_799, 'space 50'],
  [52_428_800, 'ok'],
  [1e12, 'ok']
])

const byId = { 'product-id': 787, 'product-name': '', 'hardware-ver': 'A' }
const byName = { 'product-id': 0, 'product-name': 'ultra stream sdi', 'hardware-ver': 'A' }

table(
  'forDevice(device)',
  file.forDevice({ 'product-id': 787, 'module-name': 'Ultra Stream SDI', 'hardware-ver': 'A' }),
  [
    [byId, 'ok'],
    [byName, 'ok'],
    [{ ...byId, 'product-id': 788 }, 'model'],
    [{ ...byId, 'hardware-ver': 'B' }, 'model'],
    [{ ...byName, 'product-name': 'ultra stream hdmi' }, 'model'],
    [{ ...byName, 'hardware-ver': 'B' }, 'model']
  ]
)

const BODY = 'MIIBszCCAVmgAwIBAgIU\nQUJD+/==\n'
const pem = (label: string, body = BODY, last = label) => `-----BEGIN ${label}-----\n${body}-----END ${last}-----\n`

table('certificate', file.certificate, [
  ['', 'required'],
  [pem('CERTIFICATE'), 'ok'],
  [pem('CERTIFICATE').replaceAll('\n', '\r\n'), 'ok'],
  [pem('CERTIFICATE').trimEnd(), 'ok'],
  [pem('CERTIFICATE') + pem('CERTIFICATE'), 'ok'],
  [`subject=CN = hub\n\n${pem('CERTIFICATE')}`, 'ok'],
  [pem('PRIVATE KEY'), 'certificate'],
  [pem('CERTIFICATE REQUEST'), 'certificate'],
  [pem('CERTIFICATE', BODY, 'PRIVATE KEY'), 'certificate'],
  ['-----BEGIN CERTIFICATE-----\n', 'certificate'],
  [`-----BEGIN CERTIFICATE-----\n${pem('CERTIFICATE')}`, 'certificate'],
  ['-----END CERTIFICATE-----\n', 'certificate'],
  [pem('CERTIFICATE', 'not base64!\n'), 'certificate'],
  [pem('CERTIFICATE', 'QUJD\0\n'), 'certificate'],
  [BODY, 'certificate'],
  ['0\x82\x01\n', 'certificate'],
  [LONG, 'certificate'],
  [pem('CERTIFICATE', of(1000, `${of(64, 'A')}\n`)), 'ok'],
  [pem('CERTIFICATE', of(1010, `${of(64, 'A')}\n`)), 'certificate'],
  [of(2000, '-----BEGIN '), 'certificate']
])

table('privateKey', file.privateKey, [
  ['', 'required'],
  [pem('PRIVATE KEY'), 'ok'],
  [pem('RSA PRIVATE KEY'), 'ok'],
  [pem('EC PRIVATE KEY'), 'ok'],
  [pem('CERTIFICATE') + pem('PRIVATE KEY'), 'ok'],
  [pem('ENCRYPTED PRIVATE KEY'), 'private-key'],
  [pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\n\n${BODY}`), 'private-key'],
  [pem('PUBLIC KEY'), 'private-key'],
  [pem('CERTIFICATE'), 'private-key'],
  ['-----BEGIN PRIVATE KEY-----', 'private-key'],
  [NUL, 'private-key'],
  [LONG, 'private-key']
])

table('scheduleTime', schedule.scheduleTime, [
  ['', 'required'],
  ['00:00', 'ok'],
  ['23:59', 'ok'],
  ['24:00', 'invalid'],
  ['09:60', 'invalid'],
  ['9:00', 'invalid'],
  ['09:00:00', 'invalid'],
  [' 09:00', 'invalid'],
  ['09.00', 'invalid'],
  [NUL, 'invalid']
])

const RULE = { days: 31, start: '08:00', stop: '17:30' }
const inZone = (...rules: (typeof RULE)[]) => ({ zone: 'UTC', rules })

table('scheduleRules', schedule.scheduleRules, [
  [inZone(), 'ok'],
  [inZone(RULE, RULE), 'ok'],
  [inZone(RULE, { ...RULE, days: 0 }), 'required'],
  [inZone({ ...RULE, start: '' }, RULE), 'required'],
  [inZone({ ...RULE, stop: '' }), 'required']
])

table('timeZone', schedule.timeZone, [
  ['', 'required'],
  ['Europe/Berlin', 'ok'],
  ['Asia/Shanghai', 'ok'],
  ['UTC', 'ok'],
  ['Europe/Nowhere', 'invalid'],
  ['+02:00', 'invalid'],
  ['Europe/Berlin ', 'invalid'],
  [NUL, 'invalid'],
  [LONG, 'invalid']
])
