// Cases for users, passwords, access tokens and licences.
import * as account from '../../../../contract/rules/account.ts'
import { makePasswordRule, NO_PASSWORD_RULES } from '../../../../contract/rules/password.ts'
import * as rules from '../../../../contract/rules/rules.ts'
import {
  BACKWARDS,
  CHINESE,
  EMOJI,
  HALF,
  ISOLATE,
  LONG,
  LONG_EMOJI,
  NUL,
  RIGHT_TO_LEFT,
  repeat,
  table
} from './table.ts'

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
  [repeat(32), 'ok'],
  [repeat(33), 'length 1..32'],
  [repeat(32, '名'), 'ok'],
  [repeat(33, '名'), 'length 1..32'],
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
  [repeat(32), 'ok'],
  [repeat(33), 'length 0..32'],
  [repeat(32, EMOJI), 'ok'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  [NUL, 'characters'],
  [ISOLATE, 'characters'],
  [LONG, 'length 0..32']
])

table('displayName', account.displayName, [
  ['', 'required'],
  ['Control room (left)', 'ok'],
  [repeat(32), 'ok'],
  [repeat(33), 'length 0..32'],
  [' a', 'outer-space'],
  [NUL, 'characters']
])

table('groupDescription', account.groupDescription, [
  ['', 'ok'],
  [' those of the night ', 'ok'],
  [repeat(256), 'ok'],
  [repeat(257), 'length 0..256'],
  [repeat(256, '述'), 'ok'],
  [repeat(256, EMOJI), 'ok'],
  [repeat(257, EMOJI), 'length 0..256'],
  ['a\nb', 'characters'],
  [NUL, 'characters'],
  [RIGHT_TO_LEFT, 'characters'],
  [LONG, 'length 0..256']
])

table('atLeastOnePermission', account.atLeastOnePermission, [
  [0, 'required'],
  [1, 'ok'],
  [1 << 17, 'ok'],
  [4_294_967_295, 'ok']
])

table('password', rules.password, [
  ['', 'required'],
  ['a', 'ok'],
  ['Aa0_~!@#$%^&*-+=', 'ok'],
  [repeat(32), 'ok'],
  [repeat(33), 'length 1..32'],
  [repeat(32, '^'), 'ok'],
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

table('makePasswordRule(none)', makePasswordRule(NO_PASSWORD_RULES, 'Admin'), [
  ['', 'required'],
  ['a', 'ok'],
  ['Admin', 'ok'],
  ['a b', 'any-space'],
  [repeat(33), 'length 1..32'],
  ['é', 'characters']
])

table(
  'makePasswordRule(all)',
  makePasswordRule({ length: 8, lowercase: 1, uppercase: 1, number: 1, special: 1, 'chk-name': 1 }, 'Anna'),
  [
    ['', 'required'],
    ['aB3_xyz', 'length 8..32'],
    ['aB3_xyzz', 'ok'],
    [`aB3_${repeat(28)}`, 'ok'],
    [`aB3_${repeat(29)}`, 'length 1..32'],
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

table(
  'makePasswordRule(numbers of characters)',
  makePasswordRule({ length: 0, lowercase: 3, uppercase: 2, number: 4, special: 2, 'chk-name': 0 }),
  [
    ['abcAB1234_-', 'ok'],
    ['_-1234ABabc', 'ok'],
    ['a1b2c3A4B_x-', 'ok'],
    ['abAB1234_-', 'lower 3'],
    ['abcA1234_-', 'upper 2'],
    ['abcAB123_-', 'digit 4'],
    ['abcAB1234_', 'special 2'],
    ['', 'required']
  ]
)

table('makePasswordRule(unknown user name)', makePasswordRule({ ...NO_PASSWORD_RULES, 'chk-name': 1 }), [
  ['a', 'ok'],
  ['Admin', 'ok'],
  ['', 'required']
])

table('accessToken', account.accessToken, [
  ['', 'required'],
  [repeat(64), 'ok'],
  [`${repeat(21, 'aZ9')}0`, 'ok'],
  [repeat(63), 'length 64..64'],
  [repeat(65), 'length 64..64'],
  [`${repeat(63)}-`, 'characters'],
  [`${repeat(63)}_`, 'characters'],
  [`${repeat(63)} `, 'characters'],
  [`${repeat(64)}\n`, 'characters'],
  [`${repeat(63)}é`, 'characters'],
  [`${repeat(63)}\0`, 'characters'],
  [repeat(32, EMOJI), 'characters'],
  [LONG, 'length 64..64']
])

table('licenseSerial', account.licenseSerial, [
  ['', 'required'],
  ['A', 'ok'],
  ['0123456789ABCDEF', 'ok'],
  [repeat(64, 'F'), 'ok'],
  [repeat(65, 'F'), 'length 1..64'],
  ['abcdef', 'characters'],
  ['G', 'characters'],
  ['A-B', 'characters'],
  ['A B', 'characters'],
  ['A\n', 'characters'],
  ['Ａ', 'characters'],
  [NUL, 'characters'],
  [EMOJI, 'characters'],
  [repeat(10_000, 'A'), 'length 1..64']
])
