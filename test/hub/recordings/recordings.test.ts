// Rules, retention and free space of recordings, with a clock and a disk that the test moves.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { addChannel, setChannel } from '../../../contract/stream/channel.ts'
import type { RecordingRule } from '../../../contract/stream/channel-settings.schema.ts'
import type { ObservedChannel } from '../../../engine/interfaces/channel.ts'
import { Recordings } from '../../../hub/recordings/recordings.ts'
import { FREE_MIN, FREE_WANTED } from '../../../hub/recordings/retention.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'

const test = suite('rules and retention of recordings')

const SECOND = 1000
const DAY = 86_400 * SECOND
/** A Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 10, 30)
const SEGMENT = 10 * SECOND
const BYTES = 1000

let hub: TestHub
let admin: Client
let folder = ''
let recordings: Recordings
let channel = 0
let now = MONDAY
let free = Number.MAX_SAFE_INTEGER
let badSince: number | undefined
let kbps = 0

test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
  folder = mkdtempSync(join(tmpdir(), 'headend-recordings-'))
  channel = (await admin.send(addChannel, { name: 'Hall' })).id
  now = MONDAY
  free = Number.MAX_SAFE_INTEGER
  badSince = undefined
  kbps = 0
  recordings = open()
})

test.after.each(async () => {
  await recordings.close()
  await hub.close()
  rmSync(folder, { recursive: true, force: true })
})

/** As after a start of the hub, but without timers. */
function open(): Recordings {
  return new Recordings({
    store: hub.parts.store,
    folder,
    observe: () => ({ kbps, recording: { id: 0, openBytes: 1 } }) as ObservedChannel,
    badSince: () => badSince,
    now: () => now,
    freeSpace: async () => free
  })
}

const setRule = (rule: Partial<RecordingRule>) =>
  admin.send(setChannel, {
    id: channel,
    name: 'Hall',
    config: { recording: { mode: 'manual', 'keep-days': 0, 'keep-gb': 0, 'when-full': 'delete', ...rule } }
  })

/** What the recorder does until a time: a segment of 10 s after the other, while the channel is to be recorded. */
async function recordUntil(end: number, step = SEGMENT): Promise<void> {
  while (now < end) {
    const wanted = recordings.wantedOf(channel)
    if (wanted) writeSegment(wanted.folder, now, now + step)
    now += step
    await recordings.check()
  }
}

function writeSegment(path: string, start: number, end: number): void {
  const day = join(path, new Date(start).toISOString().slice(0, 10))
  mkdirSync(day, { recursive: true })
  writeFileSync(join(day, `${start}-${end}.ts`), Buffer.alloc(BYTES))
}

/** Times of all segments on disk in seconds since `MONDAY`, oldest first. */
const stored = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .flatMap((path) => /(\d+)-(\d+)\.ts$/.exec(path)?.slice(1).map(Number) ?? [])
    .filter((_, index) => index % 2 === 0)
    .map((start) => (start - MONDAY) / SECOND)
    .sort((a, b) => a - b)

const listed = () => recordings.all().map(({ row, stored }) => [row?.kind, row?.ended === null, stored?.segments.count])

test('a channel that is always recorded goes on after a restart, and stops when its rule changes', async () => {
  await setRule({ mode: 'always' })
  await recordings.check()
  await recordUntil(MONDAY + 60 * SECOND)
  recordings = open()
  await recordUntil(MONDAY + 120 * SECOND)
  assert.deepEqual(listed(), [['rule', true, 12]])
  await setRule({ mode: 'manual' })
  await recordings.check()
  assert.deepEqual(listed(), [['rule', false, 12]])
  assert.equal(recordings.wantedOf(channel), undefined)
})

test('a channel is recorded in the periods of its schedule, and one that was stopped by hand stays so', async () => {
  const rule = { days: 127, start: '00:01', stop: '00:03' }
  await setRule({ mode: 'schedule', schedule: { zone: 'UTC', rules: [rule] } })
  await recordUntil(MONDAY + 240 * SECOND)
  assert.deepEqual([stored()[0], stored().at(-1)], [60, 170])
  now = MONDAY + DAY
  await recordUntil(MONDAY + DAY + 90 * SECOND)
  assert.ok(recordings.end(channel))
  await recordUntil(MONDAY + DAY + 170 * SECOND)
  assert.equal(stored().at(-1), DAY / SECOND + 80)
  now = MONDAY + 2 * DAY
  await recordUntil(MONDAY + 2 * DAY + 90 * SECOND)
  assert.equal(stored().at(-1), (2 * DAY) / SECOND + 80)
})

test('a recording that was started by hand is not stopped by a rule', async () => {
  await setRule({ mode: 'schedule', schedule: { zone: 'UTC', rules: [{ days: 127, start: '00:01', stop: '00:02' }] } })
  recordings.begin(channel, 'Admin')
  await recordUntil(MONDAY + 180 * SECOND)
  assert.deepEqual(listed(), [['manual', true, 18]])
})

test('a recording without a segment is forgotten a minute after its end', async () => {
  const id = recordings.begin(channel, 'Admin')
  recordings.end(channel)
  now += 59 * SECOND
  await recordings.check()
  assert.ok(recordings.find(id))
  now += SECOND
  await recordings.check()
  assert.deepEqual(recordings.all(), [])
})

test('the last recording of a rule stays, also without a segment, so that the rule does not start it again', async () => {
  await setRule({ mode: 'schedule', schedule: { zone: 'UTC', rules: [{ days: 127, start: '00:00', stop: '12:00' }] } })
  await recordings.check()
  const id = recordings.end(channel)
  now += 3600 * SECOND
  await recordings.check()
  await recordings.check()
  assert.deepEqual(
    recordings.all().map((each) => [each.id, each.row?.ended !== null]),
    [[id, true]]
  )
})

test('an alarm keeps 30 s before and after, and without an alarm only the last minute is on disk', async () => {
  await setRule({ mode: 'alarm' })
  await recordings.check()
  await recordUntil(MONDAY + 600 * SECOND)
  assert.deepEqual(listed(), [])
  assert.ok(stored().length <= 7, String(stored()))
  badSince = now - 5 * SECOND
  await recordUntil(MONDAY + 660 * SECOND)
  badSince = undefined
  await recordUntil(MONDAY + 1200 * SECOND)
  const [alarm] = recordings.all()
  assert.deepEqual(listed(), [['alarm', false, alarm?.stored?.segments.count]])
  const { first, last } = alarm?.stored?.segments ?? {}
  assert.ok((first?.start ?? 0) <= MONDAY + 565 * SECOND && (first?.end ?? 0) > MONDAY + 565 * SECOND)
  assert.ok((last?.end ?? 0) >= MONDAY + 690 * SECOND && (last?.end ?? 0) <= MONDAY + 720 * SECOND)
})

test('an alarm that lasts over a restart of the hub is one recording', async () => {
  await setRule({ mode: 'alarm' })
  await recordUntil(MONDAY + 60 * SECOND)
  badSince = now
  await recordUntil(MONDAY + 90 * SECOND)
  recordings = open()
  await recordUntil(MONDAY + 120 * SECOND)
  assert.deepEqual(
    listed().map(([kind, isRunning]) => [kind, isRunning]),
    [['alarm', true]]
  )
  assert.deepEqual(recordings.all()[0]?.stored?.segments.first?.start, MONDAY + 30 * SECOND)
})

test('of a week with segments of 10 min, two days are kept, and the folders of the others are removed', async () => {
  await setRule({ mode: 'always', 'keep-days': 2 })
  await recordings.check()
  await recordUntil(MONDAY + 7 * DAY, 600 * SECOND)
  assert.equal(stored().length, (2 * DAY) / (600 * SECOND))
  assert.equal(stored()[0], (5 * DAY) / SECOND)
  const [recording] = recordings.all()
  assert.equal(readdirSync(recordings.wantedOf(channel)?.folder ?? '').length, 2)
  assert.equal(recording?.stored?.segments.bytes, BYTES * stored().length)
})

test('a full disk deletes the oldest segments, and none of a channel that does not allow it', async () => {
  await setRule({ mode: 'always' })
  await recordings.check()
  await recordUntil(MONDAY + 300 * SECOND)
  free = FREE_WANTED - 1
  await setRule({ mode: 'always', 'when-full': 'stop' })
  await recordings.check()
  assert.equal(stored().length, 30)
  await setRule({ mode: 'always' })
  await recordings.check()
  assert.deepEqual(stored(), [])
  assert.equal(recordings.free, FREE_WANTED - 1 - FREE_MIN)
  assert.deepEqual(listed(), [['rule', true, 0]])
})

test('a recording that cannot be read does not hide the others after a start of the hub', async () => {
  writeSegment(join(folder, `${channel}/7`), MONDAY, MONDAY + SEGMENT)
  for (const path of ['1', `${channel}/6`]) writeFileSync(join(folder, path), '')
  recordings = open()
  recordings.start()
  await recordings.whenIdle()
  assert.deepEqual(
    recordings.all().map(({ id, stored }) => [id, stored?.segments.count]),
    [[7, 1]]
  )
})

test('a disk that does not suffice for a day is foreseen', async () => {
  await setRule({ mode: 'always', 'when-full': 'stop' })
  kbps = 8000
  // 8 Mbps are 86.4 GB a day.
  free = FREE_MIN + 87e9
  await recordings.check()
  assert.equal(recordings.isSpaceShort, false)
  free = FREE_MIN + 36e9
  await recordings.check()
  assert.equal(recordings.isSpaceShort, true)
  assert.equal(Math.round(recordings.hoursLeft ?? 0), 10)
})

test.run()
