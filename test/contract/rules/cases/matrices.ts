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

table('matrixBaseName', matrix.matrixBaseName, [
  ['', 'required'],
  ['Matrix', 'ok'],
  [repeat(40), 'ok'],
  [repeat(41), 'length 1..40'],
  [repeat(13, '室'), 'ok'],
  [repeat(14, '室'), 'length 1..40'],
  [repeat(20, 'é'), 'ok'],
  [repeat(21, 'é'), 'length 1..40'],
  [repeat(10, '😀'), 'ok'],
  [repeat(11, '😀'), 'length 1..40'],
  ['a ', 'outer-space'],
  ['a"b', 'characters'],
  ['a\\b', 'characters'],
  ['a<b', 'characters'],
  ['a>b', 'characters'],
  ['a\tb', 'characters'],
  [NUL, 'characters']
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
