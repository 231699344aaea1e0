import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { DEVICE_BUSY } from '../../../contract/codes.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { LinkError, noResponseError } from '../../../device-link/link-error.ts'
import type { Observation } from '../../../hub/devices/adapters/adapter.ts'
import { createDeviceLinks } from '../../../hub/devices/link/links.ts'
import { StatusPoller, type StatusPollerOptions } from '../../../hub/devices/status-poller.ts'
import { connectLinkDevice } from '../../kit/fleet/link-device.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'
import { BASIC_INFO, ENCODER_SUMMARY, GET_STATUS } from './adapters/examples.ts'

const test = suite('status poller')
let poller: StatusPoller | undefined
test.after.each(() => {
  poller?.close()
  mock.timers.reset()
  mock.restoreAll()
})

/** Stops the clock and the timers of the poller, which `advance` moves. */
function stopClock(): void {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  mock.method(performance, 'now', () => Date.now())
}

/** Moves the stopped clock in steps of 5 ms, in each of which the devices respond, until a condition holds. */
async function advanceUntil(isMet: () => boolean): Promise<void> {
  for (let step = 0; step < 1000 && !isMet(); step++) {
    mock.timers.tick(5)
    await new Promise(setImmediate)
  }
  assert.ok(isMet())
}

/**
 * Creates a poller for devices that respond with the result of `respond`: an object is sent as JSON, a string
 * unchanged.
 */
function start(respond: (sn: string, path: string) => unknown, options: Partial<StatusPollerOptions> = {}) {
  const observations: [string, Observation][] = []
  const polled: string[] = []
  const inFlight = { count: 0, max: 0 }
  poller = new StatusPoller({
    interval: 20,
    timeout: 1000,
    onObservation: (sn, observation) => observations.push([sn, observation]),
    links: {
      async request(sn, { path }) {
        polled.push(sn)
        inFlight.max = Math.max(inFlight.max, ++inFlight.count)
        try {
          const result = await respond(sn, path)
          const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result))
          return { status: 200, headers: {}, body }
        } finally {
          inFlight.count--
        }
      }
    },
    ...options
  })
  return { poller, observations, polled, inFlight }
}

test('each generation is polled with its own request, and its response is reported', async () => {
  const paths: Record<string, unknown> = {
    '/usapi?method=get-status': GET_STATUS,
    '/mwapi?method=get-summary-info': ENCODER_SUMMARY,
    '/api/system/basic-info': BASIC_INFO
  }
  const { poller, observations } = start((_sn, path) => paths[path])
  poller.start('ultra', 'usapi')
  poller.start('convert', 'mwapi')
  poller.start('newer', 'api')
  poller.start('other', 'none')
  const name = (sn: string) => observations.find(([serial]) => serial === sn)?.[1].name
  await until(() => observations.length > 5, 'six observations')
  assert.deepEqual(['ultra', 'convert', 'newer', 'other'].map(name), ['Hall 1', 'Stage left', 'Rack 4', undefined])
})

test('a device is polled repeatedly, and its samples accumulate', async () => {
  const { poller, observations } = start(() => GET_STATUS)
  poller.start('a', 'usapi')
  await until(() => observations.length >= 4, 'four observations')
  assert.deepEqual(observations[3]?.[1].status.cpu, [25, 25, 25, 25])
})

test('starting twice polls once; after a stop nothing is reported, not even the response to a poll in progress', async () => {
  let respond: (() => void) | undefined
  const { poller, observations, polled } = start((sn) =>
    sn === 'a' ? new Promise((resolve) => (respond = () => resolve(GET_STATUS))) : GET_STATUS
  )
  poller.start('a', 'usapi')
  poller.start('a', 'usapi')
  assert.equal(polled.length, 1)
  poller.stop('a')
  poller.stop('a')
  respond?.()
  poller.start('b', 'usapi')
  await until(() => polled.length > 3, 'three polls of another device')
  assert.equal(polled.filter((sn) => sn === 'a').length, 1)
  assert.ok(observations.every(([sn]) => sn === 'b'))
})

test('a slow device is not polled again before it has responded', async () => {
  let respond: (() => void) | undefined
  const { poller, polled } = start((sn) =>
    sn === 'slow' ? new Promise((resolve) => (respond = () => resolve(GET_STATUS))) : GET_STATUS
  )
  const polls = (serial: string) => polled.filter((sn) => sn === serial).length
  poller.start('slow', 'usapi')
  poller.start('fast', 'usapi')
  for (let round = 1; round <= 3; round++) {
    await until(() => polls('slow') === round, 'it is polled')
    const before = polls('fast')
    await until(() => polls('fast') > before + 3, 'the other one is polled')
    assert.equal(polls('slow'), round)
    respond?.()
  }
})

test('at most `inFlightMax` devices are polled at a time, and each device gets its turn', async () => {
  const { poller, observations, inFlight } = start(
    async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return GET_STATUS
    },
    { inFlightMax: 3 }
  )
  const all = Array.from({ length: 20 }, (_, index) => `device-${index}`)
  for (const sn of all) poller.start(sn, 'usapi')
  await until(() => new Set(observations.map(([sn]) => sn)).size === 20, 'all were observed')
  assert.equal(inFlight.max, 3)
})

test('at most `pollsPerSecond` polls are started per second, equally often for each device', async () => {
  stopClock()
  const { poller, polled } = start(() => GET_STATUS, { interval: 1, pollsPerSecond: 200 })
  const all = Array.from({ length: 60 }, (_, index) => `device-${index}`)
  const startedAt = performance.now()
  for (const sn of all) poller.start(sn, 'usapi')
  // Each was polled three times.
  await advanceUntil(() => polled.length >= 180)
  const seconds = (performance.now() - startedAt) / 1000
  assert.ok(polled.length <= 200 * (seconds + 0.25) + 1, `${polled.length} in ${seconds} s`)
  const times = all.map((sn) => polled.slice(0, 180).filter((polledSerial) => polledSerial === sn).length)
  assert.deepEqual([Math.min(...times), Math.max(...times)], [3, 3])
})

test('a device that was never polled is polled before the others', async () => {
  stopClock()
  const { poller, polled } = start(() => GET_STATUS, { interval: 1, pollsPerSecond: 100 })
  for (let index = 0; index < 80; index++) poller.start(`device-${index}`, 'usapi')
  // The second round has started.
  await advanceUntil(() => polled.length >= 85)
  const before = polled.length
  poller.start('new', 'usapi')
  await advanceUntil(() => polled.includes('new'))
  assert.ok(polled.indexOf('new') - before <= 2, `${polled.indexOf('new') - before} others were polled first`)
})

test('a prioritized device is polled before the others for a while', async () => {
  stopClock()
  const { poller, polled } = start(() => GET_STATUS, { interval: 20, pollsPerSecond: 100 })
  for (let index = 0; index < 100; index++) poller.start(`device-${index}`, 'usapi')
  // The second round has started.
  await advanceUntil(() => polled.length >= 110)
  poller.prioritize('device-90')
  poller.prioritize('unknown')
  const before = polled.length
  await advanceUntil(() => polled.length >= before + 40)
  const times = polled.slice(before).filter((sn) => sn === 'device-90').length
  assert.ok(polled.indexOf('device-90', before) - before <= 2, 'it is polled next')
  // In its turn, it would be polled once in a hundred polls.
  assert.ok(times >= 2, `${times} times`)
})

test('many unresponsive devices do not delay those that respond', async () => {
  const silent = (sn: string) => Number(sn.split('-')[1]) % 5 !== 0
  const unanswered: ((error: Error) => void)[] = []
  const timeouts = setInterval(() => {
    for (const reject of unanswered.splice(0)) reject(noResponseError('no response'))
  }, 150)
  const { poller, polled, observations, inFlight } = start(
    (sn) => (silent(sn) ? new Promise((_, reject) => unanswered.push(reject)) : GET_STATUS),
    { interval: 10, pollsPerSecond: 10_000, inFlightMax: 20 }
  )
  for (let index = 0; index < 100; index++) poller.start(`device-${index}`, 'usapi')
  // On the first poll it is not known yet which devices do not respond.
  await until(() => new Set(polled).size === 100, 'each was polled once')
  const before = observations.length
  const failed = () => polled.filter(silent).length
  const failedBefore = failed()
  await until(() => observations.length >= before + 200, 'ten observations of each of the twenty devices that respond')
  clearInterval(timeouts)
  // One after the other, the unresponsive ones would have been polled as often.
  assert.ok(failed() - failedBefore < 400, `${failed() - failedBefore} polls of the others`)
  assert.ok(inFlight.max <= 20)
})

test('a device that responds slowly is polled less often, and others as before', async () => {
  stopClock()
  let respond: (() => void) | undefined
  const { poller, polled } = start((sn) =>
    sn === 'slow' ? new Promise((resolve) => (respond = () => resolve(GET_STATUS))) : GET_STATUS
  )
  const polls = (serial: string) => polled.filter((sn) => sn === serial).length
  poller.start('slow', 'usapi')
  poller.start('fast', 'usapi')
  const between: number[] = []
  for (let round = 1; round <= 4; round++) {
    await advanceUntil(() => polls('slow') === round)
    const before = polls('fast')
    await advanceUntil(() => polls('fast') > before + 2)
    respond?.()
    const responded = polls('fast')
    await advanceUntil(() => polls('slow') === round + 1)
    between.push(polls('fast') - responded)
  }
  // Its response takes as long as two polls of the other one, and a fifth of its time at most.
  assert.ok(
    between.slice(1).every((count) => count > 3),
    `${between}`
  )
})

test('a device that does not respond is polled ever less often, and as before once it responds', async () => {
  let failing = true
  const times: number[] = []
  const { poller, observations } = start(
    () => {
      times.push(performance.now())
      if (failing) throw noResponseError('no response')
      return GET_STATUS
    },
    { interval: 20 }
  )
  poller.start('a', 'usapi')
  await until(() => times.length === 6, 'it is polled')
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  for (const [index, wait] of waits.entries()) assert.ok(wait > 20 * 2 ** index * 0.85, `${waits}`)
  failing = false
  await until(() => observations.length >= 5, 'it is polled at the first pace')
})

test('a poll that the hub does not send, because the device is busy, is no failure', async () => {
  let isBusy = false
  const { poller, observations, polled } = start(() => {
    if (isBusy) throw new LinkError(DEVICE_BUSY, 'the device receives a file')
    return GET_STATUS
  })
  poller.start('a', 'usapi')
  await until(() => observations.length === 1, 'it is observed')
  isBusy = true
  const before = polled.length
  await until(() => polled.length > before + 6, 'polling goes on at the same pace')
  isBusy = false
  await until(() => observations.length > 3, 'it is observed again')
  assert.ok(observations.every(([, { name }]) => name === 'Hall 1'))
})

test('a device that is stopped while it is queued is not polled', async () => {
  const pendingResponses: (() => void)[] = []
  const { poller, polled } = start(() => new Promise((resolve) => pendingResponses.push(() => resolve(GET_STATUS))), {
    inFlightMax: 1,
    interval: 10_000
  })
  for (const sn of ['a', 'b', 'c']) poller.start(sn, 'usapi')
  poller.stop('b')
  pendingResponses[0]?.()
  await until(() => polled.length === 2, 'the next was polled')
  assert.deepEqual(polled, ['a', 'c'])
})

test('garbage, errors and refusals report nothing, and polling continues', async () => {
  const responses = ['garbage', { result: -17 }, new Error('no response'), GET_STATUS]
  let turn = 0
  const { poller, observations } = start(() => {
    const next = responses[Math.min(turn++, 3)]
    // Fewer than three consecutive failures: the last status stays valid.
    if (next instanceof Error) throw noResponseError(next.message)
    return next
  })
  poller.start('a', 'usapi')
  await until(() => observations.length > 1, 'the device was observed')
  assert.equal(observations.at(-1)?.[1].name, 'Hall 1')
})

test('after three consecutive failures an empty status is reported, with the warnings of the last one', async () => {
  let failing = false
  const { poller, observations, polled } = start(() => {
    if (failing) throw noResponseError('no response')
    return { ...GET_STATUS, 'input-signal': { status: 0 } }
  })
  poller.start('a', 'usapi')
  await until(() => observations.length === 2, 'the device was observed')
  failing = true
  const before = polled.length
  await until(() => observations.length === 3, 'the empty status was reported')
  assert.ok(polled.length - before >= 3)
  assert.deepEqual(observations[2], ['a', { status: {}, warns: DEVICE_WARNING_BITS.noSignal }])
  const pollCount = polled.length
  await until(() => polled.length > pollCount + 2, 'polling continues')
  assert.equal(observations.length, 3)
  failing = false
  await until(() => observations.length >= 4, 'the device responds again')
  assert.deepEqual(observations[3]?.[1].status.cpu, [25])
})

test('an error in the listener does not stop polling', async () => {
  await recordProcessLog(async (lines) => {
    const { poller } = start(() => GET_STATUS, {
      onObservation() {
        throw new Error('disk full')
      }
    })
    poller.start('a', 'usapi')
    await until(() => lines.length > 2, 'polling continues')
  })
})

test('over real links, a stalled device does not delay one that responds', async () => {
  const links = createDeviceLinks({ register: () => ({ state: 101 }), onUp() {}, onDown() {} })
  const port = await links.listen(0, '127.0.0.1')
  const observed: string[] = []
  poller = new StatusPoller({ links, interval: 20, timeout: 5000, onObservation: (sn) => observed.push(sn) })
  await connectLinkDevice(port, helloOf(1), () => GET_STATUS)
  await connectLinkDevice(port, helloOf(2), () => undefined)
  await until(() => links.count === 2, 'both are up')
  for (const index of [2, 1]) poller.start(helloOf(index).sn, 'usapi')
  await until(() => observed.length > 4, 'five observations')
  assert.deepEqual([...new Set(observed)], [helloOf(1).sn])
  poller.close()
  await links.close()
})

test.run()
