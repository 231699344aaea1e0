import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEFAULT_HEALTH_BOUNDS } from '../../../contract/health.ts'
import type { LegReport } from '../../../contract/stream/channel-history.ts'
import { CONNECTION_STATE, SOURCE_STATE, UDP } from '../../../contract/stream/protocols.ts'
import type { Reason } from '../../../contract/stream/reason.ts'
import type { ObservedChannel, ObservedLeg, WantedChannel, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { ChannelVerdicts } from '../../../hub/health/channel-verdicts.ts'
import { healthMessage } from '../../../hub/messages/health.ts'

const test = suite('verdicts over time')

const SECOND = 1000
const START = 1_700_000_000_000

function leg(state: number, connState: number, reason?: Reason, livingTimeS = 0): ObservedLeg {
  return { state, connState, kbps: 0, livingTimeS, ...(reason && { reason }) }
}

const CARRYING = leg(SOURCE_STATE.running, CONNECTION_STATE.connected, undefined, 60)
const CONNECTING = leg(SOURCE_STATE.adding, CONNECTION_STATE.connecting)
const WAITING = leg(SOURCE_STATE.running, CONNECTION_STATE.waiting)
const SILENT = leg(SOURCE_STATE.running, CONNECTION_STATE.waitingForData, 'no-data')
const REFUSED = leg(SOURCE_STATE.failed, CONNECTION_STATE.refused, 'call-refused')

const output = (id: number) =>
  ({ id, name: `Out ${id}`, protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': 9000 + id } }) as WantedOutput

const wanted: WantedChannel = {
  id: 1,
  name: 'Hall',
  enable: true,
  input: { id: 0, name: 'Hall', kind: 'pushed', channel: 1 },
  outputs: [output(2)]
}

const observed = (input: ObservedLeg, out = CARRYING): ObservedChannel => ({
  ...input,
  input,
  outputs: new Map([[2, out]])
})

/** A channel that is observed second by second. */
function createChannel({ isFound = false, channel = wanted, isHubBusy = false } = {}) {
  let now = START
  const verdicts = new ChannelVerdicts(channel, now, isFound)
  return {
    verdicts,
    pass: (seconds: number) => {
      now += seconds * SECOND
      return now
    },
    assess: (input: ObservedLeg, out?: ObservedLeg) =>
      verdicts.assess(observed(input, out), now, { bounds: DEFAULT_HEALTH_BOUNDS, isHubBusy }),
    apply: (next: WantedChannel) => verdicts.apply(next, now),
    measure: (report: Partial<LegReport>, legId?: number) =>
      verdicts.measure((id) => (id === legId ? ({ since: 0, bytes: 1, ...report } as LegReport) : undefined), now)
  }
}

/** Verdict and reason in one word. */
const summarize = ({ assessment: { verdict, reason } }: { assessment: { verdict: string; reason?: string } }) =>
  reason ? `${verdict}: ${reason}` : verdict

test('a publisher that has never sent is awaited; one that sent and left is lost', () => {
  const { assess } = createChannel()
  assert.equal(summarize(assess(WAITING)), 'waiting: awaits-publisher')
  assert.equal(summarize(assess(CARRYING)), 'on-air')
  assert.equal(summarize(assess(WAITING)), 'down: input-lost')
  assert.equal(summarize(assess(CARRYING)), 'on-air')
})

test('a refused caller is the cause while a channel waits for its publisher, and after it has lost that', () => {
  const { assess } = createChannel()
  const reason: Reason = 'key-refused WR…'
  const refused = { ...WAITING, reason, refusal: { reason, address: '10.0.0.7', at: START } }
  assert.equal(summarize(assess(WAITING)), 'waiting: awaits-publisher')
  assert.equal(summarize(assess(refused)), 'waiting: not-authorized')
  assess(CARRYING)
  assert.equal(summarize(assess(WAITING)), 'down: input-lost')
  const lost = assess(refused)
  assert.equal(summarize(lost), 'down: not-authorized')
  assert.equal(
    healthMessage('en', lost.assessment, [{ failure: lost.input.failure }]),
    'A caller with an unknown key (WR…) was refused, from 10.0.0.7.\nSet the ingest key of this channel at the encoder.'
  )
})

test('a channel that is stopped and started awaits its publisher again', () => {
  const { assess, apply } = createChannel()
  assess(CARRYING)
  apply({ ...wanted, enable: false })
  assert.equal(summarize(assess(WAITING)), 'stopped')
  apply(wanted)
  assert.equal(summarize(assess(WAITING)), 'waiting: awaits-publisher')
})

test('a leg is starting for 10 s, and then down with what is known', () => {
  const { assess, pass } = createChannel()
  assert.equal(summarize(assess(CONNECTING)), 'starting')
  pass(9.9)
  assert.equal(summarize(assess(CONNECTING)), 'starting')
  pass(0.2)
  assert.equal(summarize(assess(CONNECTING)), 'down: unreachable')
})

test('a leg that is tried again after a failure is down with the cause of that failure', () => {
  const { assess, pass } = createChannel()
  assert.equal(summarize(assess(REFUSED)), 'down: refused')
  const { since } = assess(REFUSED)
  pass(6)
  const again = assess(CONNECTING)
  assert.equal(summarize(again), 'down: refused')
  assert.equal(again.input.failure.reason, 'call-refused')
  assert.equal(again.since, since)
})

test('an input that stops to send is down at once, also within its first seconds', () => {
  const { assess, pass } = createChannel()
  assess(CARRYING)
  pass(4)
  assert.equal(summarize(assess(SILENT)), 'down: no-data')
  assert.equal(summarize(assess(CONNECTING)), 'down: no-data')
})

test('an output waits for its input, starts when there is media, and then fails with its own cause', () => {
  const { assess, pass } = createChannel()
  const verdictOfOutput = (input: ObservedLeg, out: ObservedLeg) => {
    const assessed = assess(input, out).outputs.get(2)
    return assessed && summarize(assessed)
  }
  const parked = leg(SOURCE_STATE.initializing, CONNECTION_STATE.waiting, 'input-silent')
  assert.equal(verdictOfOutput(WAITING, parked), 'waiting: input-silent')
  pass(60)
  assert.equal(verdictOfOutput(WAITING, parked), 'waiting: input-silent')
  assert.equal(verdictOfOutput(CARRYING, CONNECTING), 'starting')
  pass(11)
  assert.equal(verdictOfOutput(CARRYING, CONNECTING), 'down: unreachable')
  assert.equal(verdictOfOutput(CARRYING, CARRYING), 'on-air')
  const stuck = leg(SOURCE_STATE.running, CONNECTION_STATE.waitingForData, 'target-stuck')
  assert.equal(verdictOfOutput(CARRYING, stuck), 'down: target-silent')
  assert.equal(verdictOfOutput(CARRYING, { ...CARRYING, reason: 'target-slow' }), 'degraded: too-slow')
})

test('an output with other settings starts again', () => {
  const { assess, apply } = createChannel()
  assess(CARRYING, REFUSED)
  assert.equal(summarize(assess(CARRYING, REFUSED)), 'down: outputs-failed')
  apply({ ...wanted, outputs: [{ ...output(2), config: { 'dst-ip': '127.0.0.1', 'dst-port': 1 } } as WantedOutput] })
  assert.equal(assess(CARRYING, CONNECTING).outputs.get(2)?.assessment.verdict, 'starting')
  assert.equal(summarize(assess(CARRYING, CONNECTING)), 'starting')
})

test('an output that the engine restarts without a failure is starting for 4 s', () => {
  const { assess, pass } = createChannel()
  assess(CARRYING)
  pass(60)
  const verdicts = () => {
    const assessed = assess(CARRYING, CONNECTING)
    return [summarize(assessed), ...[...assessed.outputs.values()].map(summarize)]
  }
  assert.deepEqual(verdicts(), ['starting', 'starting'])
  pass(3.9)
  assert.deepEqual(verdicts(), ['starting', 'starting'])
  pass(0.2)
  assert.deepEqual(verdicts(), ['down: outputs-failed', 'down: unreachable'])
  const uncarried = leg(SOURCE_STATE.unsupported, CONNECTION_STATE.streamFailed, 'codec-unsupported HEVC')
  const [failed] = [...assess(CARRYING, uncarried).outputs.values()].map(summarize)
  assert.equal(failed, 'down: wrong-format')
})

test('outputs wait for their input as soon as it has no media, although they sent within the last seconds', () => {
  const { assess } = createChannel()
  assess(CARRYING)
  const assessed = assess(SILENT, CARRYING)
  assert.equal(summarize(assessed), 'down: no-data')
  assert.deepEqual([...assessed.outputs.values()].map(summarize), ['waiting: input-silent'])
})

test('bytes that are not a stream are a cause of their own', () => {
  const { assess } = createChannel()
  assess(CARRYING)
  const noise = leg(SOURCE_STATE.running, CONNECTION_STATE.waitingForData, 'not-mpeg-ts')
  assert.equal(summarize(assess(noise)), 'down: not-media')
})

test('another name starts nothing again', () => {
  const { assess, apply } = createChannel()
  assess(REFUSED)
  apply({ ...wanted, name: 'Foyer', input: { id: 0, name: 'Foyer', kind: 'pushed', channel: 1 } })
  assert.equal(summarize(assess(CONNECTING)), 'down: refused')
})

test('the time of a verdict is that of its beginning', () => {
  const { assess, pass } = createChannel()
  assess(CARRYING)
  const lost = pass(30)
  assert.equal(assess(REFUSED).since, lost)
  pass(5)
  assert.equal(assess(SILENT).since, lost)
  const back = pass(5)
  assert.equal(assess(CARRYING).since, back)
})

test('an output that another input takes over has been on air without interruption, one that waits longer has not', () => {
  const { assess, pass } = createChannel()
  const waiting = leg(SOURCE_STATE.running, CONNECTION_STATE.waitingForData, 'input-silent')
  const since = (input: ObservedLeg, out: ObservedLeg) => assess(input, out).outputs.get(2)?.since
  const start = since(CARRYING, CARRYING)
  const waitsAt = pass(60)
  assert.equal(since(CARRYING, waiting), waitsAt)
  pass(1)
  assert.equal(since(CARRYING, CARRYING), start)
  pass(60)
  since(SILENT, waiting)
  const backAt = pass(5)
  assert.equal(since(CARRYING, CARRYING), backAt)
  pass(10)
  since(CARRYING, REFUSED)
  const reconnectedAt = pass(1)
  assert.equal(since(CARRYING, CARRYING), reconnectedAt)
})

test('a channel that the hub finds on air is on air for as long as its input has media', () => {
  const { assess, pass } = createChannel({ isFound: true })
  // The engine is not connected yet.
  const unknown = leg(SOURCE_STATE.initializing, CONNECTION_STATE.waiting)
  assert.equal(summarize(assess(unknown, unknown)), 'starting')
  const now = pass(0.2)
  assert.equal(assess(CARRYING).since, now - 60 * SECOND)
  assert.equal(assess(CARRYING).outputs.get(2)?.since, now - 60 * SECOND)
})

test('a publisher that left before the hub started is lost and not awaited', () => {
  const { assess, measure } = createChannel({ isFound: true })
  measure({ bytes: 1_000_000 })
  assert.equal(summarize(assess(WAITING)), 'down: input-lost')
  assert.equal(assess(WAITING).since, undefined)
})

test('a leg that was connecting in vain before the hub started is down with the first answer of the engine', () => {
  const { assess, measure } = createChannel({ isFound: true })
  const unknown = leg(SOURCE_STATE.initializing, CONNECTION_STATE.waiting)
  assert.equal(summarize(assess(unknown, unknown)), 'starting')
  measure({ since: START - 60 * SECOND, bytes: 0 })
  assert.equal(summarize(assess(CONNECTING)), 'down: unreachable')
})

test('a leg that the engine has just started is starting, also after a restart of the hub', () => {
  const { assess, measure } = createChannel({ isFound: true })
  measure({ since: START - SECOND, bytes: 0 })
  assert.equal(summarize(assess(CONNECTING)), 'starting')
})

test('any discontinuity within 10 s degrades a channel', () => {
  const { assess, measure, pass } = createChannel()
  assess(CARRYING)
  measure({ 'ts-cc-errors-total': 5 })
  assert.equal(summarize(assess(CARRYING)), 'on-air')
  pass(1)
  measure({ 'ts-cc-errors-total': 6 })
  assert.deepEqual(assess(CARRYING).assessment, {
    verdict: 'degraded',
    reason: 'discontinuities',
    'next-step': 'check-network',
    discontinuities: 1
  })
  for (let second = 0; second < 10; second++) {
    pass(1)
    measure({ 'ts-cc-errors-total': 6 })
  }
  assert.equal(summarize(assess(CARRYING)), 'on-air')
})

test('losses on a hub that is busy are its own fault, and a source that is missing is not', () => {
  const { assess, measure, pass } = createChannel({ isHubBusy: true })
  measure({ 'ts-cc-errors-total': 0, packets: 1000 })
  pass(1)
  measure({ 'ts-cc-errors-total': 3, packets: 2000 })
  const busy = assess(CARRYING, { ...CARRYING, reason: 'target-slow' })
  assert.equal(summarize(busy), 'degraded: hub-busy')
  assert.equal(busy.assessment['next-step'], 'reduce-load')
  assert.deepEqual([...busy.outputs.values()].map(summarize), ['degraded: hub-busy'])
  assert.equal(summarize(assess(SILENT)), 'down: no-data')
})

test('packets that were lost and recovered do not count, those that did not arrive do', () => {
  const { assess, measure, pass } = createChannel()
  assess(CARRYING)
  measure({ packets: 0, 'pkt-loss-total': 0, 'pkt-drop-total': 0 })
  pass(1)
  measure({ packets: 10_000, 'pkt-loss-total': 500, 'pkt-drop-total': 9 })
  assert.equal(summarize(assess(CARRYING)), 'on-air')
  pass(1)
  measure({ packets: 19_980, 'pkt-loss-total': 500, 'pkt-drop-total': 22 })
  assert.deepEqual(assess(CARRYING).assessment['loss-percent'], 0.11)
  assert.equal(summarize(assess(CARRYING)), 'degraded: packet-loss')
})

test('the loss of an output degrades the output and the channel', () => {
  const { assess, measure, pass } = createChannel()
  assess(CARRYING)
  measure({ packets: 0, 'pkt-drop-total': 0 }, 2)
  pass(1)
  measure({ packets: 1000, 'pkt-drop-total': 10 }, 2)
  const assessed = assess(CARRYING)
  assert.equal(summarize(assessed), 'degraded: packet-loss')
  assert.equal(assessed.outputs.get(2)?.assessment.verdict, 'degraded')
  assert.equal(assessed.input.assessment.verdict, 'on-air')
})

test('a reset of the statistics does not count as quality', () => {
  const { assess, measure, pass } = createChannel()
  assess(CARRYING)
  measure({ 'ts-cc-errors-total': 5 })
  pass(1)
  measure({ 'ts-cc-errors-total': 0 })
  pass(1)
  measure({ 'ts-cc-errors-total': 0 })
  assert.equal(summarize(assess(CARRYING)), 'on-air')
})

test('a channel whose stored input cannot be used is down', () => {
  const { assess } = createChannel({ channel: { ...wanted, input: null } })
  assert.equal(summarize(assess(leg(SOURCE_STATE.initializing, CONNECTION_STATE.waiting))), 'down: no-input')
})

test('what a restart of the engine interrupts names that, and not the source', () => {
  const { assess, verdicts, pass } = createChannel()
  const away = leg(SOURCE_STATE.failed, CONNECTION_STATE.disconnected, 'engine-away')
  const unknown = leg(SOURCE_STATE.initializing, CONNECTION_STATE.waiting)
  assess(CARRYING)
  assert.equal(summarize(assess(away, away)), 'down: engine-away')
  verdicts.restart(pass(1))
  for (const state of [unknown, CONNECTING]) assert.equal(summarize(assess(state)), 'starting: engine-restarted')
  const waiting = assess(WAITING)
  assert.equal(summarize(waiting), 'down: engine-restarted')
  assert.equal(waiting.assessment['next-step'], 'wait')
  pass(15)
  const missing = assess(WAITING)
  assert.equal(summarize(missing), 'down: not-reconnected')
  assert.equal(missing.assessment['next-step'], 'publish')
  assess(CARRYING)
  assert.equal(summarize(assess(WAITING)), 'down: input-lost')
  verdicts.restart(pass(1))
  assert.equal(summarize(assess(WAITING)), 'down: input-lost', 'it was lost before the restart')
})

test('a program of the hub that fails is the cause, and recovers by itself', () => {
  const { assess } = createChannel()
  assess(CARRYING)
  for (const [reason, cause] of [
    ['program-stuck', 'program-stuck'],
    ['program-ended SIGKILL', 'program-failed']
  ] as const) {
    const failed = assess(leg(SOURCE_STATE.failed, CONNECTION_STATE.creationFailed, reason))
    assert.equal(summarize(failed), `down: ${cause}`)
    assert.equal(failed.assessment['next-step'], 'wait')
  }
})

test('a device without a signal degrades input and channel while it reports that, and does not end the time on air', () => {
  const channel = new ChannelVerdicts({ ...wanted, input: { id: 7, name: 'Camera', kind: 'device', sn: 'A1' } }, START)
  const assess = (isMissing: boolean, seconds: number) =>
    channel.assess(observed(CARRYING), START + seconds * SECOND, {
      bounds: DEFAULT_HEALTH_BOUNDS,
      hasNoSignal: (sn) => isMissing && sn === 'A1'
    })
  assert.equal(summarize(assess(false, 0)), 'on-air')
  const degraded = assess(true, 9)
  assert.deepEqual([degraded, degraded.input].map(summarize), ['degraded: no-signal', 'degraded: no-signal'])
  assert.equal(degraded.since, START + 9 * SECOND)
  const again = assess(false, 20)
  assert.deepEqual([summarize(again), again.since, again.onAirSince], ['on-air', START, START])
})

test('the time on air ends when all outputs fail although the input has media, and goes on while degraded', () => {
  const channel = new ChannelVerdicts(wanted, START)
  const onAirAt = (seconds: number, out: ObservedLeg) =>
    channel.assess(observed(CARRYING, out), START + seconds * SECOND, { bounds: DEFAULT_HEALTH_BOUNDS }).onAirSince
  assert.equal(onAirAt(0, CARRYING), START)
  assert.equal(onAirAt(20, CARRYING), START)
  assert.equal(onAirAt(30, REFUSED), undefined)
  assert.equal(onAirAt(90, CARRYING), START + 90 * SECOND)
})

test('an output that is added or starts again does not end the time on air, and one that fails does', () => {
  const { assess, pass } = createChannel()
  const start = assess(CARRYING).since
  pass(60)
  assert.equal(summarize(assess(CARRYING, CONNECTING)), 'starting')
  pass(1)
  assert.equal(assess(CARRYING).since, start)
  assess(CARRYING, REFUSED)
  assess(CARRYING, CONNECTING)
  const again = pass(1)
  assert.equal(assess(CARRYING).since, again)
})

test.run()
