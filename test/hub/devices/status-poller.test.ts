import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { WARNING } from '../../../contract/device/device.ts'
import { noAnswer } from '../../../hub/devices/link/link-error.ts'
import { createDeviceLinks } from '../../../hub/devices/link/links.ts'
import type { Observed } from '../../../hub/devices/registry.ts'
import { createDeviceWatch, type WatchOptions } from '../../../hub/devices/status-poller.ts'
import { helloOf } from '../../kit/device.ts'
import { dial } from '../../kit/link-device.ts'
import { until } from '../../kit/until.ts'
import { BASIC_INFO, ENCODER_SUMMARY, GET_STATUS } from './adapters/examples.ts'

const test = suite('watch')
let watch: ReturnType<typeof createDeviceWatch> | undefined
test.after.each(() => watch?.close())

/** A watch over devices that answer as `answer` says: with a value, with text as it is, or never. */
function start(answer: (sn: string, path: string) => unknown, options: Partial<WatchOptions> = {}) {
  const seen: [string, Observed][] = []
  const asked: string[] = []
  const asking = { now: 0, most: 0 }
  watch = createDeviceWatch({
    every: 20,
    timeout: 1000,
    observed: (sn, observed) => seen.push([sn, observed]),
    links: {
      async request(sn, { path }) {
        asked.push(sn)
        asking.most = Math.max(asking.most, ++asking.now)
        try {
          const said = await answer(sn, path)
          const body = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said))
          return { status: 200, headers: {}, body }
        } finally {
          asking.now--
        }
      }
    },
    ...options
  })
  return { watch, seen, asked, asking }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('each generation is asked in its own way, and its answer reported', async () => {
  const paths: Record<string, unknown> = {
    '/usapi?method=get-status': GET_STATUS,
    '/mwapi?method=get-summary-info': ENCODER_SUMMARY,
    '/api/system/basic-info': BASIC_INFO
  }
  const { watch, seen } = start((_sn, path) => paths[path])
  watch.start('ultra', 'usapi')
  watch.start('convert', 'mwapi')
  watch.start('newer', 'api')
  watch.start('other', 'none')
  const name = (sn: string) => seen.find(([one]) => one === sn)?.[1].name
  await until(() => seen.length > 5, 'they were seen')
  assert.deepEqual(['ultra', 'convert', 'newer', 'other'].map(name), ['Hall 1', 'Stage left', 'Rack 4', undefined])
})

test('a device is asked again and again, and its samples add up', async () => {
  const { watch, seen } = start(() => GET_STATUS)
  watch.start('a', 'usapi')
  await until(() => seen.length >= 4, 'it was seen four times')
  assert.deepEqual(seen[3]?.[1].status.cpu, [25, 25, 25, 25])
})

test('starting what is watched changes nothing; stopping ends it, even for an answer on its way', async () => {
  let answered: (() => void) | undefined
  const { watch, seen, asked } = start(() => new Promise((resolve) => (answered = () => resolve(GET_STATUS))))
  watch.start('a', 'usapi')
  watch.start('a', 'usapi')
  assert.equal(asked.length, 1)
  watch.stop('a')
  watch.stop('a')
  answered?.()
  await pause(60)
  assert.deepEqual([asked.length, seen.length], [1, 0])
})

test('a device that is slow is not asked again before it answered', async () => {
  const { watch, asked, asking } = start(async () => {
    await pause(70)
    return GET_STATUS
  })
  watch.start('a', 'usapi')
  await until(() => asked.length === 3, 'it was asked three times')
  assert.equal(asking.most, 1)
})

test('only so many are asked at a time; the others wait their turn, and all get one', async () => {
  const { watch, seen, asking } = start(
    async () => {
      await pause(5)
      return GET_STATUS
    },
    { inFlightMax: 3 }
  )
  const all = Array.from({ length: 20 }, (_, index) => `device-${index}`)
  for (const sn of all) watch.start(sn, 'usapi')
  await until(() => new Set(seen.map(([sn]) => sn)).size === 20, 'all were seen')
  assert.equal(asking.most, 3)
})

test('of all together only so many are asked a second, each as often as the others', async () => {
  const { watch, asked } = start(() => GET_STATUS, { every: 1, perSecond: 200 })
  const all = Array.from({ length: 60 }, (_, index) => `device-${index}`)
  const began = performance.now()
  for (const sn of all) watch.start(sn, 'usapi')
  await until(() => asked.length >= 180, 'each was asked three times')
  const seconds = (performance.now() - began) / 1000
  assert.ok(asked.length <= 200 * (seconds + 0.25) + 1, `${asked.length} in ${seconds} s`)
  const times = all.map((sn) => asked.slice(0, 180).filter((one) => one === sn).length)
  assert.deepEqual([Math.min(...times), Math.max(...times)], [3, 3])
})

test('one of which nothing is known yet is asked before those that were asked before', async () => {
  const { watch, asked } = start(() => GET_STATUS, { every: 1, perSecond: 100 })
  for (let index = 0; index < 80; index++) watch.start(`device-${index}`, 'usapi')
  await until(() => asked.length >= 85, 'they were asked, and the next round began')
  const before = asked.length
  watch.start('new', 'usapi')
  await until(() => asked.includes('new'), 'it was asked')
  assert.ok(asked.indexOf('new') - before <= 2, `${asked.indexOf('new') - before} others came first`)
})

test('one that somebody looks at does not wait behind the others, and goes on not to for a while', async () => {
  const { watch, asked } = start(() => GET_STATUS, { every: 20, perSecond: 100 })
  for (let index = 0; index < 100; index++) watch.start(`device-${index}`, 'usapi')
  await until(() => asked.length >= 110, 'the second round began')
  watch.lookedAt('device-90')
  watch.lookedAt('unknown')
  const before = asked.length
  await until(() => asked.length >= before + 40, 'forty were asked')
  const times = asked.slice(before).filter((sn) => sn === 'device-90').length
  assert.ok(times >= 5, `${times} times`)
})

test('many that are silent do not hold back those that answer', async () => {
  const silent = (sn: string) => Number(sn.split('-')[1]) % 5 !== 0
  const { watch, asked, seen, asking } = start(
    (sn) => (silent(sn) ? pause(150).then(() => Promise.reject(noAnswer('no answer'))) : GET_STATUS),
    { every: 10, perSecond: 10_000, inFlightMax: 20 }
  )
  for (let index = 0; index < 100; index++) watch.start(`device-${index}`, 'usapi')
  // The first time nobody knows who will be silent.
  await until(() => new Set(asked).size === 100, 'each was asked once')
  const before = seen.length
  const began = performance.now()
  await until(() => seen.length >= before + 200, 'the twenty that answer were seen ten times each')
  assert.ok(performance.now() - began < 3000)
  assert.ok(asking.most <= 20)
})

test('a device that is stopped while it waits is not asked', async () => {
  const answers: (() => void)[] = []
  const { watch, asked } = start(() => new Promise((resolve) => answers.push(() => resolve(GET_STATUS))), {
    inFlightMax: 1,
    every: 10_000
  })
  for (const sn of ['a', 'b', 'c']) watch.start(sn, 'usapi')
  watch.stop('b')
  answers[0]?.()
  await until(() => asked.length === 2, 'the next was asked')
  assert.deepEqual(asked, ['a', 'c'])
})

test('garbage, errors and refusals report nothing, and the watch goes on', async () => {
  const answers = ['garbage', { result: -17 }, new Error('no answer'), GET_STATUS]
  let turn = 0
  const { watch, seen } = start(() => {
    const next = answers[Math.min(turn++, 3)]
    // Two failures between successes: what was said before still holds.
    if (next instanceof Error) throw noAnswer(next.message)
    return next
  })
  watch.start('a', 'usapi')
  await until(() => seen.length > 1, 'it was seen')
  assert.equal(seen.at(-1)?.[1].name, 'Hall 1')
})

test('after three failures in a row nothing that was said before is claimed any more, but its warnings stand', async () => {
  let failing = false
  const { watch, seen, asked } = start(() => {
    if (failing) throw noAnswer('no answer')
    return { ...GET_STATUS, 'input-signal': { status: 0 } }
  })
  watch.start('a', 'usapi')
  await until(() => seen.length === 2, 'it was seen')
  failing = true
  const before = asked.length
  await until(() => seen.length === 3, 'it was forgotten')
  assert.ok(asked.length - before >= 3)
  assert.deepEqual(seen[2], ['a', { status: {}, warns: WARNING.noSignal }])
  const then = asked.length
  await until(() => asked.length > then + 2, 'it is asked on')
  assert.equal(seen.length, 3)
  failing = false
  await until(() => seen.length === 4, 'it is back')
  assert.deepEqual(seen[3]?.[1].status.cpu, [25])
})

test('a failure in what the hub makes of it does not end the watch', async () => {
  const errors = console.error
  let heard = 0
  console.error = () => heard++
  try {
    const { watch } = start(() => GET_STATUS, {
      observed() {
        throw new Error('disk full')
      }
    })
    watch.start('a', 'usapi')
    await until(() => heard > 2, 'it goes on')
  } finally {
    console.error = errors
  }
})

test('over real links: a device that answers is seen, and one that stalls costs the others nothing', async () => {
  const links = createDeviceLinks({ hello: () => ({ state: 101 }), up() {}, down() {} })
  const port = await links.listen(0, '127.0.0.1')
  const seen: string[] = []
  watch = createDeviceWatch({ links, every: 20, timeout: 200, observed: (sn) => seen.push(sn) })
  await dial(port, helloOf(1), () => GET_STATUS)
  await dial(port, helloOf(2), () => undefined)
  await until(() => links.count === 2, 'both are up')
  for (const index of [2, 1]) watch.start(helloOf(index).sn, 'usapi')
  await until(() => seen.length > 4, 'it was seen')
  assert.deepEqual([...new Set(seen)], [helloOf(1).sn])
  watch.close()
  await links.close()
})

test.run()
