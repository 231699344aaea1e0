// Cases for the clock of the machine.
import { firstTimeServer, secondTimeServer } from '../../../../contract/rules/time.ts'
import { CHINESE, LONG, NUL, table } from './table.ts'

table('firstTimeServer', firstTimeServer, [
  ['', 'ok'],
  ['ntp.example', 'ok'],
  ['ntp', 'ok'],
  ['192.0.2.9', 'ok'],
  ['2001:db8::1', 'ok'],
  ['ntp.example iburst', 'invalid'],
  ['ntp.example\nallow', 'invalid'],
  ['a#b', 'invalid'],
  ['-ntp', 'invalid'],
  [NUL, 'invalid'],
  [CHINESE, 'invalid'],
  [LONG, 'length 1..253']
])

table("secondTimeServer('ntp.example')", (value: string) => secondTimeServer(value, { server1: 'ntp.example' }), [
  ['', 'ok'],
  ['ntp2.example', 'ok'],
  ['ntp.example', 'same'],
  ['NTP.example', 'same'],
  ['a b', 'invalid'],
  [LONG, 'length 1..253']
])

table('secondTimeServer, without a first one', (value: string) => secondTimeServer(value, { server1: '' }), [
  ['', 'ok'],
  ['ntp.example', 'invalid']
])
