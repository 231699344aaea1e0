import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { HISTORY_CHANNELS_MAX } from '../../../contract/stream/channel-series.ts'
import { ChannelHistories, FREE_MIN } from '../../../hub/history/history.ts'
import { RING_FILE_BYTES, RINGS, readRing, writeRings } from '../../../hub/history/ring-file.ts'
import type { Slot } from '../../../hub/history/slot.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'

const test = suite('history of channels')

const HOUR = 3600
const DAY = 24 * HOUR
/** A Monday at midnight, in seconds since the epoch. */
const START = 1_800_230_400

let folder: string
/** Seconds since the epoch. */
let clock: number
let free: number
let isObserving: boolean
let fault: 'full' | undefined
let channels: number[]
let kept: number[]
/** What the next samples have. */
let values: Partial<Slot>

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'history-'))
  clock = START
  free = Number.POSITIVE_INFINITY
  isObserving = true
  fault = undefined
  channels = [1]
  kept = []
  values = {}
})
test.after.each(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (id: number) => join(folder, `${id}.rings`)

function createHistories(): ChannelHistories {
  return new ChannelHistories({
    folder,
    channels: () => channels,
    isKept: (id) => kept.includes(id),
    isObserving: () => isObserving,
    sample: () => slotOf(values),
    storageFault: () => fault,
    now: () => clock * 1000,
    freeSpace: async () => free
  })
}

/** One second on air at 4 Mbit/s. */
function slotOf({ in: kbps = 4000, ...more }: Partial<Slot>): Slot {
  const rates = { in: kbps, inMin: kbps, inMax: kbps, out: 2 * kbps, outMin: 2 * kbps, outMax: 2 * kbps }
  const state = { observed: 1, onAir: 1, degraded: 0, down: 0, stopped: 0 }
  return { ...rates, lost: 0, errors: Number.NaN, viewers: 0, ...state, ...more }
}

/** Records seconds, one sample each. */
async function record(histories: ChannelHistories, seconds: number, next: Partial<Slot> = {}): Promise<void> {
  values = next
  for (let n = 1; n <= seconds; n++) {
    histories.sampleAll()
    clock++
    if (n % 60 === 0) await histories.write()
  }
}

const DOWN = { in: 0, onAir: 0, down: 1 }
const sum = (slots: readonly (Slot | undefined)[], field: keyof Slot) =>
  slots.reduce((total, slot) => total + (slot?.[field] ?? 0), 0)

/** Whether a number is another one within the precision of a file. */
const isNear = (value: number | undefined, expected: number) =>
  value !== undefined && Math.abs(value - expected) <= expected / 1000

test('an hour is kept by the second, a week by 10 s, a year by 5 min', async () => {
  const histories = createHistories()
  await record(histories, 300)
  await record(histories, 60, DOWN)
  await record(histories, 240, { in: 6000, viewers: 3 })
  const seconds = await histories.read(1, START + 299, START + 301, 10)
  assert.deepEqual([seconds.step, seconds.slots.map((slot) => slot?.in)], [1, [4000, 0]])
  clock = START + 2 * HOUR
  const tens = await histories.read(1, START, START + 600, 1000)
  assert.equal(tens.step, 10)
  assert.deepEqual([tens.slots.length, sum(tens.slots, 'down'), sum(tens.slots, 'observed')], [60, 60, 600])
  clock = START + 8 * DAY
  const { step, slots } = await histories.read(1, START, START + 600, 1000)
  const [first, second] = slots
  assert.deepEqual([step, slots.length, first?.onAir, second?.onAir, second?.down], [300, 2, 300, 240, 60])
  assert.deepEqual([second?.inMin, second?.inMax, second?.viewers], [0, 6000, 3])
  assert.ok(isNear(second?.in, 4800) && isNear(second?.out, 9600))
})

test('what was not recorded is a gap and not 0', async () => {
  const histories = createHistories()
  await record(histories, 10)
  isObserving = false
  await record(histories, 20)
  isObserving = true
  await record(histories, 10)
  const { slots } = await histories.read(1, START, clock, 1000)
  assert.deepEqual(
    slots.map((slot) => slot?.in),
    [...Array(10).fill(4000), ...Array(20).fill(undefined), ...Array(10).fill(4000)]
  )
})

test('a sample that is late by some seconds leaves no gap, and a second is not counted twice', async () => {
  const histories = createHistories()
  histories.sampleAll()
  histories.sampleAll()
  clock += 3
  histories.sampleAll()
  const [slot] = (await histories.read(1, START, START + 10, 1)).slots
  assert.equal(slot?.observed, 4)
})

test('a restarted hub continues the intervals, whether it was closed or killed', async () => {
  const first = createHistories()
  await record(first, 100)
  await first.close()
  const second = createHistories()
  await record(second, 80, DOWN)
  // The 80 s are written after the 60th of them.
  await second.write()
  const third = createHistories()
  await record(third, 20)
  const { slots } = await third.read(1, START, START + 300, 1)
  assert.deepEqual([slots[0]?.observed, slots[0]?.onAir, slots[0]?.down], [200, 120, 80])
  assert.ok(isNear(slots[0]?.in, 2400))
})

test('each ring replaces its oldest intervals, and the file does not become longer', async () => {
  for (const [index, ring] of RINGS.entries()) {
    const stamp = Math.floor(START / ring.step)
    const write = (at: number) =>
      writeRings(
        fileOf(1),
        RINGS.map((_, n) => new Map(n === index ? [[at, slotOf({})]] : []))
      )
    const isStored = async (at: number) => {
      const found: number[] = []
      await readRing(fileOf(1), ring, { first: at, end: at + 1 }, (stamp) => found.push(stamp))
      return found.length === 1
    }
    await write(stamp)
    const { size } = statSync(fileOf(1))
    assert.ok(await isStored(stamp))
    await write(stamp + ring.count)
    assert.deepEqual([await isStored(stamp), await isStored(stamp + ring.count)], [false, true])
    assert.equal(statSync(fileOf(1)).size, size)
    for (let at = stamp; at < stamp + ring.count; at += 1000) await write(at)
    assert.ok(statSync(fileOf(1)).size <= RING_FILE_BYTES)
  }
})

test('a year is answered with as many points as requested, and what is older is forgotten', async () => {
  const histories = createHistories()
  const days = 400
  values = {}
  // A second in each 5 minutes: the ring of the year is full, and 34 days of it are replaced.
  for (let n = 0; n < days * 288; n++) {
    clock = START + n * 300
    values = n === 105_000 ? DOWN : { in: 4000 }
    histories.sampleAll()
    if (n % 150 === 149) await histories.write()
  }
  await histories.write()
  const end = START + days * DAY
  const year = await histories.read(1, end - 366 * DAY, end, 500)
  assert.ok(year.slots.length <= 500 && year.slots.length > 450, `${year.slots.length} intervals`)
  assert.equal(year.slots.filter((slot) => slot === undefined).length, 0)
  assert.deepEqual([sum(year.slots, 'observed') >= 105_408, sum(year.slots, 'down')], [true, 1])
  const before = await histories.read(1, START, START + 30 * DAY, 500)
  assert.equal(sum(before.slots, 'observed'), 0)
  assert.ok(statSync(fileOf(1)).size <= RING_FILE_BYTES)
})

test('200 channels take 1.1 GB at most, and there are at most 400', async () => {
  assert.equal(RING_FILE_BYTES, 5_431_328)
  assert.ok(200 * RING_FILE_BYTES < 1.1e9)
  channels = Array.from({ length: HISTORY_CHANNELS_MAX + 1 }, (_, index) => index + 1)
  const histories = createHistories()
  await record(histories, 1)
  await histories.write()
  assert.ok(existsSync(fileOf(HISTORY_CHANNELS_MAX)))
  assert.equal(existsSync(fileOf(HISTORY_CHANNELS_MAX + 1)), false)
  assert.deepEqual(
    [HISTORY_CHANNELS_MAX, HISTORY_CHANNELS_MAX + 1].map((id) => histories.pauseOf(id)),
    [undefined, 'too-many-channels']
  )
})

test('a clock that is set forward and back loses only the intervals that are recorded again', async () => {
  const histories = createHistories()
  await record(histories, 100)
  // Half an hour further, because whole hours can have the same places in the file.
  clock = START + 1000 * DAY + 1800
  await record(histories, 100, { in: 9000 })
  clock = START + 50
  await record(histories, 10, DOWN)
  const { slots } = await histories.read(1, START, START + 100, 1000)
  assert.deepEqual([sum(slots, 'observed'), sum(slots, 'down')], [100, 10])
  const wrong = await histories.read(1, START + 300, START + 600, 1000)
  assert.equal(sum(wrong.slots, 'observed'), 0)
})

test('a truncated file, and one of another format, loses only what it does not have', async () => {
  const histories = createHistories()
  await record(histories, 20)
  await histories.close()
  const size = statSync(fileOf(1)).size
  truncateSync(fileOf(1), size - 40)
  const afterCut = createHistories()
  assert.equal(sum((await afterCut.read(1, START, START + 20, 100)).slots, 'observed'), 20)
  truncateSync(fileOf(1), 10)
  assert.equal(sum((await afterCut.read(1, START, START + 20, 100)).slots, 'observed'), 0)
  writeFileSync(fileOf(1), Buffer.alloc(100_000, 0xff))
  const afterDamage = createHistories()
  assert.equal(sum((await afterDamage.read(1, START, START + 20, 100)).slots, 'observed'), 0)
  await record(afterDamage, 10)
  await afterDamage.write()
  assert.ok(readFileSync(fileOf(1)).toString('latin1').startsWith('headend history 1'))
  assert.equal(sum((await createHistories().read(1, START, START + 60, 100)).slots, 'observed'), 10)
})

test('while the disk is full nothing is written, which is reported once; afterwards the pending intervals are', async () => {
  const histories = createHistories()
  const lines = await recordProcessLog(async () => {
    free = FREE_MIN - 1
    await record(histories, 70)
    await histories.write()
    assert.deepEqual([histories.pauseOf(1), existsSync(fileOf(1))], ['disk-full', false])
    free = FREE_MIN
    fault = 'full'
    await histories.write()
    assert.equal(histories.pauseOf(1), 'disk-full')
    fault = undefined
    await histories.write()
  })
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['warn', 'info']
  )
  assert.equal(histories.pauseOf(1), undefined)
  assert.equal(sum((await createHistories().read(1, START, clock, 1000)).slots, 'observed'), 70)
})

test('a disk that is full for half a day costs a limited amount of memory, and the oldest seconds', async () => {
  const histories = createHistories()
  await recordProcessLog(async () => {
    fault = 'full'
    await record(histories, 12 * HOUR)
    fault = undefined
    await histories.write()
  })
  const stored = createHistories()
  const countOf = async (seconds: number, step: number) => {
    const { slots } = await stored.read(1, clock - seconds, clock, seconds / step)
    return slots.filter((slot) => slot !== undefined).length
  }
  assert.deepEqual([await countOf(HOUR, 1), await countOf(HOUR, 10), await countOf(12 * HOUR, 300)], [180, 180, 144])
})

test('a folder that cannot be written is reported, and recording goes on', async () => {
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  const histories = createHistories()
  const lines = await recordProcessLog(() => record(histories, 60))
  assert.equal(histories.pauseOf(1), 'disk-failed')
  assert.match(lines.join(), /^error The history of channels cannot be stored .*EEXIST/)
})

test('a deleted channel has no file, unless its history is kept', async () => {
  channels = [1, 2, 3]
  const histories = createHistories()
  await record(histories, 60)
  await record(histories, 20)
  kept = [2]
  channels = [3]
  histories.channelRemoved(1)
  histories.channelRemoved(2)
  await histories.write()
  // The seconds before the deletion are in the file that is kept.
  assert.equal(sum((await createHistories().read(2, START, clock, 100)).slots, 'observed'), 80)
  assert.deepEqual(
    [1, 2, 3].map((id) => existsSync(fileOf(id))),
    [false, true, true]
  )
  kept = []
  const next = createHistories()
  next.start()
  await next.close()
  assert.deepEqual(
    [1, 2, 3].map((id) => existsSync(fileOf(id))),
    [false, false, true]
  )
})

test.run()
