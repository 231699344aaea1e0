import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { parseSource, parseTracking, syncStateOf } from '../../../../hub/machine/time/chrony-report.ts'

const test = suite('reports of chrony')

const TRACKING =
  '7F000002,127.0.0.2,6,1795432669.778850138,2.999998331,0.000000073,0.000000495,-0.008,0.004,0.271,0.000006269,0.000002640,1.0,Normal'
const NOT_YET =
  '00000000,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,1.000000000,1.000000000,0.0,Not synchronised'
const USED = '^,*,ntp.example,5,6,377,12,-0.000000206,0.000000359,0.000003107'
const source = (line: string) => parseSource(line, ['NTP.example']) ?? assert.fail(line)

test('a clock that chrony moves forward is behind: its offset is negative', () => {
  const tracking = parseTracking(TRACKING)
  assert.deepEqual(tracking, { isSynchronised: true, offset: -2.999998331, updatedAt: 1_795_432_669_779 })
})

test('a line that is not a report is ignored', () => {
  for (const line of ['', '506 Cannot talk to daemon', '1,2,3']) assert.equal(parseTracking(line), undefined)
  for (const line of ['', '200 OK', 'x,y']) assert.equal(parseSource(line, []), undefined)
})

test('a source has its reachability in octal, and no measurement before its first answer', () => {
  assert.deepEqual(source(USED), {
    name: 'ntp.example',
    'set-here': true,
    state: 'selected',
    reach: 255,
    'last-answer-s': 12,
    stratum: 5,
    offset: -0.000000206,
    error: 0.000003107
  })
  const silent = source('^,?,nowhere.invalid,0,6,0,4294967295,0.000000000,0.000000000,0.000000000')
  assert.deepEqual(silent, { name: 'nowhere.invalid', 'set-here': false, state: 'unreachable', reach: 0 })
})

test('only a clock close to a server that has answered lately is synchronised', () => {
  const tracking = parseTracking(TRACKING) ?? assert.fail()
  const close = { ...tracking, offset: 0.05 }
  assert.equal(syncStateOf(close, [source(USED)]), 'synchronised')
  assert.equal(syncStateOf(tracking, [source(USED)]), 'correcting')
  assert.equal(syncStateOf({ ...close, offset: 0.11 }, [source(USED)]), 'correcting')
  assert.equal(syncStateOf(parseTracking(NOT_YET) ?? assert.fail(), [source(USED)]), 'waiting')
  assert.equal(syncStateOf(close, []), 'lost')
  // The last three of eight requests were not answered.
  assert.equal(syncStateOf(close, [source(USED.replace('377', '370'))]), 'lost')
  assert.equal(syncStateOf(close, [source(USED.replace('377', '374'))]), 'synchronised')
  assert.equal(syncStateOf(close, [source(USED.replace('*', '-'))]), 'lost')
})

test.run()
