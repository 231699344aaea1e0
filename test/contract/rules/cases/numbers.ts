// Cases for numbers and ports.
import * as number from '../../../../contract/rules/number.ts'
import * as rules from '../../../../contract/rules/rules.ts'
import { EMOJI, LONG, repeat, table } from './table.ts'

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
  [repeat(400, '9'), 'range 5..10'],
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
  [`-${repeat(10_000, '9')}`, 'range -3..3']
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
  [repeat(10_000, '1'), 'range 1..65535']
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
  [repeat(10_000, '-'), 'invalid'],
  [repeat(10_000, '1-'), 'invalid']
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
  ['0443', 'invalid'],
  ['80-0443', 'invalid'],
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

table('lossPercent', number.lossPercent, [
  ['', 'required'],
  ['0', 'ok'],
  ['0.1', 'ok'],
  ['99.99', 'ok'],
  ['100', 'ok'],
  ['100.01', 'range 0..100'],
  ['-1', 'range 0..100'],
  ['0.125', 'range 0..100'],
  ['1,5', 'range 0..100']
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
