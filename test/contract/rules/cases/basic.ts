// Cases for the basic rules.
import * as rules from '../../../../contract/rules/rules.ts'
import {
  ARABIC,
  BACKWARDS,
  CHINESE,
  DECOMPOSED,
  DELETE,
  FAMILY,
  HALF,
  ISOLATE,
  LONG,
  LONG_EMOJI,
  NEXT_LINE,
  NUL,
  RIGHT_TO_LEFT,
  table
} from './table.ts'

table('required', rules.required, [
  ['', 'required'],
  [' ', 'ok'],
  ['0', 'ok'],
  ['\0', 'ok'],
  [LONG, 'ok']
])

table('noOuterSpace', rules.noOuterSpace, [
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
