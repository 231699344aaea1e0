// Cases for matrices of the NDI router.
import * as matrix from '../../../../contract/rules/matrix.ts'
import { BACKWARDS, CHINESE, NUL, repeat, table } from './table.ts'

table('matrixLabel', matrix.matrixLabel, [
  ['', 'required'],
  ['Stage "left" <2>', 'ok'],
  [`${CHINESE} 3`, 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  [' a', 'outer-space'],
  [BACKWARDS, 'characters'],
  [NUL, 'characters']
])

// `SRC1 ( 64)` leaves 53 of 63 bytes for the base name.
table("matrixBaseName('SRC1')", matrix.matrixBaseName('SRC1'), [
  ['', 'required'],
  ['Matrix', 'ok'],
  [repeat(53), 'ok'],
  [repeat(54), 'bytes 1..53'],
  [repeat(17, '室'), 'ok'],
  [repeat(18, '室'), 'bytes 1..53'],
  [repeat(13, '😀'), 'ok'],
  [repeat(14, '😀'), 'bytes 1..53'],
  ['a ', 'outer-space'],
  ['a"b', 'characters'],
  ['a\\b', 'characters'],
  ['a<b', 'characters'],
  ['a>b', 'characters'],
  ['a|b', 'characters'],
  ['a:b', 'characters'],
  ['a?b', 'characters'],
  ['a*b', 'characters'],
  ['a/b', 'characters'],
  ['a\tb', 'characters'],
  [NUL, 'characters']
])

table('matrixBaseName()', matrix.matrixBaseName(), [
  [repeat(57), 'ok'],
  [repeat(58), 'bytes 1..57']
])

table('matrixSourceName', matrix.matrixSourceName, [
  ['', 'required'],
  ['HALL (Cam 1)', 'ok'],
  ['HALL 2 (Cam (left))', 'ok'],
  [`HALL (${CHINESE})`, 'ok'],
  [`HALL (${repeat(246)})`, 'ok'],
  [`HALL (${repeat(247)})`, 'length 1..253'],
  ['HALL', 'invalid'],
  ['(Cam 1)', 'invalid'],
  ['HALL (Cam 1', 'invalid'],
  ['HALL (Cam\n1)', 'characters']
])
