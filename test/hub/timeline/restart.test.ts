// A hub that was killed: what it knew about channels and devices, and the time in which it did not run.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { DEFAULT_HEALTH_BOUNDS } from '../../../contract/health.ts'
import { addChannel, setChannel } from '../../../contract/stream/channel.ts'
import { channelTimeline } from '../../../contract/stream/channel-timeline.ts'
import { CONNECTION_STATE, SOURCE_STATE, UDP } from '../../../contract/stream/protocols.ts'
import type { ObservedChannel, ObservedLeg, WantedChannel } from '../../../engine/interfaces/channel.ts'
import type { Observation } from '../../../hub/devices/adapters/adapter.ts'
import { Registry } from '../../../hub/devices/registry.ts'
import { ChannelHealthMonitor, storedBeginnings } from '../../../hub/health/channel-health.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { TimelineRecorder } from '../../../hub/timeline/timeline-recorder.ts'
import { startHubProcess } from '../../kit/hub/hub-process.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('verdicts and timelines over a restart')

const SECOND = 1000
const MINUTE = 60 * SECOND
const START = 1_700_000_000_000

const leg = (state: number, connState: number, livingTimeS = 0): ObservedLeg => ({
  state,
  connState,
  kbps: 0,
  livingTimeS
})
const CARRYING = leg(SOURCE_STATE.running, CONNECTION_STATE.connected, 36_000)
const WAITING = leg(SOURCE_STATE.running, CONNECTION_STATE.waiting)
const REFUSED: ObservedLeg = { ...leg(SOURCE_STATE.failed, CONNECTION_STATE.refused), reason: 'call-refused' }

let store: Store
let id: number
const recorders: TimelineRecorder[] = []
let now: number

test.before.each(() => {
  store = openStore(':memory:')
  id = store.database.transaction(() => store.channels.add('Hall', { 'play-key': 'p', 'push-key': 'q' }))
  now = START
})
test.after.each(() => {
  // Their timers would run on.
  for (const recorder of recorders.splice(0)) recorder.close()
  store.close()
})

/** What follows channels in a hub. The parts of an earlier hub are not closed: it was killed. */
function startParts() {
  let observed: ObservedChannel = { ...WAITING, input: WAITING, outputs: new Map() }
  const timeline = new TimelineRecorder({ store, now: () => now })
  timeline.start('1.0')
  recorders.push(timeline)
  const channels = new ChannelHealthMonitor({
    engine: { observe: () => observed, legReport: () => undefined },
    boundsOf: () => DEFAULT_HEALTH_BOUNDS,
    onChange() {},
    onAssessed: (channel, assessed) => timeline.recordVerdicts(channel, assessed),
    storedSince: storedBeginnings(timeline),
    now: () => now
  })
  const target = { protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': 9000 } }
  const outputs = [5, 6].map((output) => ({ id: output, name: `Out ${output}`, ...target }))
  const input = { id: 0, name: 'Hall', kind: 'pushed', channel: id }
  channels.apply(id, { id, name: 'Hall', enable: true, input, outputs } as WantedChannel)
  channels.start()
  timeline.engineConnected()
  return {
    timeline,
    /** Observes these legs for a time, second by second. */
    observe(input: ObservedLeg, output: ObservedLeg, seconds = 1) {
      observed = {
        ...input,
        input,
        outputs: new Map([
          [5, CARRYING],
          [6, output]
        ])
      }
      for (let i = 0; i < seconds; i++) {
        channels.tick()
        now += SECOND
      }
    },
    assess: () => channels.assess(id)
  }
}

const states = () =>
  store.timeline
    .page(id, { kinds: ['state', 'output'] }, 0, 100)
    .list.map(({ event }) => event)
    .reverse()

test('a channel that is still degraded after the hub was killed is degraded since the time before', () => {
  const first = startParts()
  first.observe(CARRYING, CARRYING, 20)
  first.observe(CARRYING, REFUSED, 1)
  const degradedAt = first.assess()?.since
  first.observe(CARRYING, REFUSED, 60)
  now += 2 * MINUTE
  const second = startParts()
  second.observe(WAITING, WAITING)
  // Right after the start the output seems well.
  second.observe(CARRYING, CARRYING, 3)
  second.observe(CARRYING, REFUSED, 30)
  assert.equal(second.assess()?.assessment.verdict, 'degraded')
  assert.equal(second.assess()?.since, degradedAt)
  assert.equal(second.assess()?.outputs.get(6)?.since, degradedAt)
  // What has not changed is no new entry.
  assert.deepEqual(states().toSorted(), ['degraded', 'on-air', 'output-failed'])
})

test('a channel that recovers after the restart, or fails in another way, begins anew', () => {
  const first = startParts()
  first.observe(CARRYING, CARRYING, 20)
  first.observe(CARRYING, REFUSED, 60)
  now += 2 * MINUTE
  const second = startParts()
  second.observe(CARRYING, CARRYING, 20)
  const failedAt = now
  second.observe(CARRYING, REFUSED, 5)
  assert.equal(second.assess()?.since, failedAt)
  assert.deepEqual(states().slice(-4).toSorted(), ['degraded', 'on-air', 'output-back', 'output-failed'])
})

test('the time in which the hub did not run is marked, and a channel that began to send in it is an entry', () => {
  const first = startParts()
  first.observe({ ...CARRYING, livingTimeS: 10 }, CARRYING, 20)
  const killedAt = now
  now += 2 * MINUTE
  const second = startParts()
  const startedAt = now
  second.observe({ ...CARRYING, livingTimeS: 30 }, CARRYING, 20)
  const { list } = store.timeline.page(id, {}, 0, 100)
  const gap = list.find(({ event }) => event === 'not-observed')
  assert.equal(gap?.last, startedAt)
  // The last sign of life is at most 10 s old. Here no timer has run since the start.
  assert.ok(gap && gap.time <= killedAt && gap.time >= START, `${gap?.time}`)
  assert.deepEqual(
    list.map(({ event }) => event).filter((event) => event === 'on-air'),
    ['on-air', 'on-air']
  )
})

test('a device that still has its warning after the hub was killed has it since the time before', () => {
  const observation = (warns: number): Observation => ({ status: {}, warns }) as never
  const { sn } = helloOf(1)
  const first = new Registry(store, () => now)
  first.register(helloOf(1), '192.0.2.10')
  store.devices.setRegistrationState(sn, REGISTRATION_STATE.accepted)
  first.setOnline(sn)
  first.setObservation(sn, observation(DEVICE_WARNING_BITS.noSignal))
  now += 10 * MINUTE
  const second = new Registry(store, () => now)
  second.setOnline(sn)
  second.setObservation(sn, observation(DEVICE_WARNING_BITS.noSignal))
  assert.equal(second.liveState(sn)?.warningSince, START)
  // Once the warning has ended, the next one begins anew.
  second.setObservation(sn, observation(0))
  now += 10 * MINUTE
  const third = new Registry(store, () => now)
  third.setOnline(sn)
  third.setObservation(sn, observation(DEVICE_WARNING_BITS.noSignal))
  assert.equal(third.liveState(sn)?.warningSince, now)
})

test('a hub that is killed keeps what it answered, and shows for how long it did not run', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-timeline-'))
  try {
    const first = await startHubProcess(data)
    const { id: channel } = await first.send(addChannel, { name: 'Hall' })
    await first.send(setChannel, { id: channel, name: 'Great hall' })
    await first.kill()
    const second = await startHubProcess(data)
    const { list } = await second.send(channelTimeline, { id: channel })
    await second.kill()
    const about = (kind: string) => list.filter((entry) => entry.kind === kind).map(({ event }) => event)
    assert.deepEqual(about('change'), ['edited', 'created'])
    assert.deepEqual(about('system').slice(-2), ['hub-started', 'not-observed'])
  } finally {
    rmSync(data, { recursive: true })
  }
})

test.run()
