// Cases for names of tags and saved views.
import * as rules from '../../../../contract/rules/label.ts'
import { BACKWARDS, CHINESE, EMOJI, NUL, repeat, table } from './table.ts'

table('labelName', rules.labelName, [
  ['', 'required'],
  ['Client A', 'ok'],
  [CHINESE, 'ok'],
  [repeat(64, EMOJI), 'ok'],
  [repeat(65), 'length 1..64'],
  [' Client', 'outer-space'],
  ['two\nlines', 'characters'],
  [NUL, 'characters'],
  [BACKWARDS, 'characters']
])
