// The reports of the engine, with a channel whose input has the values that a test sets.
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { Channel } from '../../engine/channels/channel.ts'
import type { Input } from '../../engine/inputs/input.ts'
import type { ObservedLeg, StreamEvent } from '../../engine/interfaces/channel.ts'
import type { Snapshot } from '../../engine/interfaces/wire.ts'
import { StateReporter } from '../../engine/state-reporter.ts'
import { clockPhase, untilThird } from '../kit/clock-phase.ts'
import { urlInput, channel as wantedChannel } from '../kit/engine/wanted-channels.ts'
import { until } from '../kit/until.ts'

const test = suite('state reporter')

const CARRYING: ObservedLeg = {
  state: SOURCE_STATE.running,
  connState: CONNECTION_STATE.connected,
  kbps: 4000,
  livingTimeS: 10
}

let leg: ObservedLeg
let bytes: number
let updates: Snapshot[]
let events: StreamEvent[]
let options: ConstructorParameters<typeof StateReporter>[0]
let reporter: StateReporter
/** Milliseconds by which each observation followed a multiple of 250 ms of the system's clock. */
let phases: number[]

test.before.each(() => {
  leg = CARRYING
  bytes = 1000
  updates = []
  events = []
  phases = []
  const channel = new Channel(wantedChannel(1, urlInput(2, 'udp://127.0.0.1:5000')), { clients: () => [] })
  channel.input = { observe: () => leg, totalBytes: () => bytes } as unknown as Input
  options = {
    channels: {
      all() {
        phases.push(clockPhase(250))
        return [channel]
      },
      find: () => channel,
      tick() {},
      checksInTurns: () => false,
      trafficHistory: () => ({ mbpsS: [], mbpsM: [] })
    },
    ports: { observe: () => ({ srt: {}, rtmp: {} }) },
    router: { status: undefined, observe: () => [] },
    launcher: { processCount: () => 0, processorWait: () => 0 },
    onEvent: (event) => events.push(event),
    onUpdate: (snapshot) => updates.push(snapshot),
    now: () => performance.now()
  }
  reporter = new StateReporter(options)
})
test.after.each(() => reporter.close())

/** Reports the channel now, and returns its snapshot. */
function report() {
  reporter.report([1])
  return updates.at(-1)?.channels[0]
}

test('a channel is reported once until a value changes', () => {
  assert.equal(report()?.observed.kbps, 4000)
  assert.equal(report(), undefined)
  leg = { ...CARRYING, kbps: 4001 }
  const changed = report()
  assert.deepEqual([changed?.observed.kbps, changed?.isMinor], [4001, undefined])
})

test('a change of uptimes and byte counts alone is minor', () => {
  report()
  leg = { ...CARRYING, livingTimeS: 11 }
  assert.equal(report()?.isMinor, true)
  bytes = 2000
  assert.deepEqual([report()?.totals.input, report()], [2000, undefined])
  leg = { ...CARRYING, connState: CONNECTION_STATE.disconnected, reason: 'other-end' }
  assert.equal(report()?.isMinor, undefined)
})

test('the complete state is reported to a hub that has connected', () => {
  report()
  reporter.reportAll()
  const snapshot = updates.at(-1)
  assert.deepEqual([snapshot?.channels.length, snapshot?.channels[0]?.isMinor], [1, undefined])
  assert.deepEqual(snapshot?.ports, { srt: {}, rtmp: {} })
})

test('an event is reported before the next tick, and nothing else while nothing changes', async () => {
  report()
  const count = updates.length
  leg = { ...CARRYING, connState: CONNECTION_STATE.disconnected, reason: 'other-end' }
  reporter.reportSoon()
  reporter.reportSoon()
  await until(() => updates.length > count, 'an update is sent')
  assert.equal(updates.at(-1)?.channels[0]?.observed.reason, 'other-end')
  await until(() => updates.length > count + 2, 'ticks follow')
  assert.deepEqual(
    updates.slice(count + 1).flatMap(({ channels }) => channels),
    []
  )
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['input-down']
  )
})

test('channels are observed just after the relays report', async () => {
  reporter.close()
  const medians: number[] = []
  // A reporter begins at another time of the interval each time.
  for (const third of [0, 1, 2]) {
    await untilThird(third, 250)
    const own = new StateReporter(options)
    phases = []
    await until(() => phases.length >= 9, 'the channel is observed')
    own.close()
    medians.push(phases.sort((one, other) => one - other)[4] ?? 0)
  }
  assert.ok(
    medians.every((median) => median >= 9 && median < 60),
    `${medians} ms after the reports`
  )
})

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('what has arrived is read before channels are observed, also in a process that a signal had stopped', async () => {
  reporter.close()
  const order: string[] = []
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = () => order.push('read')
  mock.timers.enable({ apis: ['setTimeout'] })
  const all = () => {
    order.push('observed')
    return []
  }
  const own = new StateReporter({ ...options, channels: { ...options.channels, all } })
  try {
    await nextTurn()
    // As when the process goes on: a message has arrived, and timers are due, which Node.js handles first.
    port1.postMessage('report')
    mock.timers.tick(300)
    await nextTurn()
    assert.deepEqual(order, ['read', 'observed'])
  } finally {
    own.close()
    mock.timers.reset()
    port1.close()
  }
})

test.run()
