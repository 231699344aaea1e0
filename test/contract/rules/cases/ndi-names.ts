// Cases for the names that the hub announces by NDI.
import * as ndi from '../../../../contract/rules/ndi-names.ts'
import { BACKWARDS, CHINESE, EMOJI, NUL, repeat, table } from './table.ts'

// A machine name of 4 bytes leaves 56: the NDI runtime announces `SRC1 (…)` with 63 bytes, and nothing with 64.
table("ndiName('SRC1')", ndi.ndiName('SRC1'), [
  ['', 'required'],
  [repeat(56), 'ok'],
  [repeat(57), 'bytes 1..56'],
  [repeat(18, '厅'), 'ok'],
  [repeat(19, '厅'), 'bytes 1..56'],
  [repeat(28, 'é'), 'ok'],
  [repeat(29, 'é'), 'bytes 1..56'],
  [repeat(14, '😀'), 'ok'],
  [repeat(15, '😀'), 'bytes 1..56'],
  [CHINESE, 'ok'],
  [EMOJI, 'ok'],
  ["Cam (1) & 2; #3, [x] {y} 50% 'a' `b` ^~!@$=+._-", 'ok'],
  ['a"b', 'characters'],
  ['a\\b', 'characters'],
  ['a<b', 'characters'],
  ['a>b', 'characters'],
  ['a|b', 'characters'],
  ['a:b', 'characters'],
  ['a?b', 'characters'],
  ['a*b', 'characters'],
  ['a/b', 'characters'],
  [' a', 'outer-space'],
  ['a\tb', 'characters'],
  [NUL, 'characters'],
  [BACKWARDS, 'characters']
])

table('ndiName()', ndi.ndiName(), [
  [repeat(60), 'ok'],
  [repeat(61), 'bytes 1..60']
])

table('ndiMachineName', ndi.ndiMachineName, [
  ['', 'ok'],
  ['Studio 1', 'ok'],
  [repeat(48), 'ok'],
  [repeat(49), 'bytes 1..48'],
  [repeat(16, '厅'), 'ok'],
  [repeat(17, '厅'), 'bytes 1..48'],
  ['a (b)', 'characters'],
  ['a"b', 'characters'],
  ['a ', 'outer-space'],
  [NUL, 'characters']
])
