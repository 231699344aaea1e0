// Cases for the general settings of the hub.
import { hubName, invitationCode } from '../../../../contract/rules/hub.ts'
import { CHINESE, LONG, NUL, repeat, table } from './table.ts'

table('hubName', hubName, [
  ['', 'required'],
  ['Studio 1', 'ok'],
  ['a', 'ok'],
  ['Rack_4-B', 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  [' a', 'outer-space'],
  ['a ', 'outer-space'],
  ['_-_', 'invalid'],
  ['a.example', 'characters'],
  [CHINESE, 'characters'],
  [NUL, 'characters'],
  [LONG, 'length 1..64']
])

table('invitationCode', invitationCode, [
  ['', 'required'],
  ['0165', 'ok'],
  ['9999', 'ok'],
  ['165', 'invalid'],
  ['01655', 'invalid'],
  ['01 5', 'invalid'],
  ['０１６５', 'invalid'],
  ['0165\n', 'invalid'],
  ['-165', 'invalid']
])
