// What the console does with the responses of hubs that send less than this one.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Catalog } from '../../contract/catalog.ts'
import { getRevisions } from '../../contract/change-feed.ts'
import { acceptDevices, listDevices } from '../../contract/device/device.ts'
import { DEVICE_STATUS_BITS, DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { DEFAULT_HEALTH_BOUNDS } from '../../contract/health.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/rollout.ts'
import { addChannel, addChannelOutputs, channelDashboard, enableChannel } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../contract/stream/protocols.ts'
import { addOutput } from '../../contract/stream/source.ts'
import { systemStatus } from '../../contract/system.ts'
import {
  channelHealth,
  computeProblems,
  deviceHealth,
  flattenCatalogs,
  healthBounds,
  inputHealth,
  isMissingCall,
  isRecording,
  isStreaming,
  outputHealth,
  pollCall,
  settingsOf
} from '../../src/other-hubs.ts'
import { wordedHealth } from '../../src/parts/device/device-facts.tsx'
import { healthSentence } from '../../src/text/health.ts'
import { updateLabel } from '../../src/text/states.ts'
import { hub, hubForEach, other } from '../kit/console/hub-for-each.ts'
import { CARRYING_LEG, setObservedChannel } from '../kit/hub/observed-channel.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'

const test = suite('other hubs')

hubForEach(test)

const FAILED = { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused, kbps: 0, livingTimeS: 0 }

/** A started channel with one output that has failed. @returns it as a hub without verdicts sends it */
async function addChannelWithFailedOutput(name: string, isCarrying: boolean) {
  const { id } = await other.send(addChannel, { name })
  const config = { mode: 'caller', 'dst-ip': '192.0.2.30', 'dst-port': 7001 } as const
  const output = await other.send(addOutput, { name: 'Server', protocol: SRT, config })
  await other.send(addChannelOutputs, { id, outputs: [output.id] })
  await other.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, isCarrying ? CARRYING_LEG : FAILED, { [output.id]: FAILED })
  const { list } = await other.send(channelDashboard, {})
  const channel = list.find((each) => each.id === id)
  assert.ok(channel?.health)
  const verdicts = { channel: channel.health.verdict, output: channel.outputs.list[0]?.health?.verdict }
  for (const part of [channel, ...channel.outputs.list]) delete part.health
  if (channel.input) delete channel.input.health
  return { channel, verdicts }
}

test('the verdicts on a channel and its output are computed as this hub computes them', async () => {
  const { channel, verdicts } = await addChannelWithFailedOutput('News', true)
  const [output] = channel.outputs.list
  assert.ok(output)
  assert.deepEqual({ channel: channelHealth(channel).verdict, output: outputHealth(channel, output).verdict }, verdicts)
  assert.equal(verdicts.output, 'down')
  if (channel.input) assert.equal(inputHealth(channel, channel.input).verdict, 'on-air')
  assert.equal(healthBounds({}), DEFAULT_HEALTH_BOUNDS)
})

test('a device without a verdict has the labels of its warnings as its message', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [sn] })
  hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(sn, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  const [device] = (await other.send(listDevices, {})).list
  assert.ok(device)
  delete device.health
  assert.equal(deviceHealth(device).verdict, 'warning')
  assert.equal(wordedHealth(device).message, 'No signal')
})

test('a computed problem has the time at which it began only if the hub sent it', async () => {
  const [offline = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [offline] })
  hub.parts.registry.setOnline(offline)
  hub.parts.registry.setOffline(offline, 'gone')
  const { channel } = await addChannelWithFailedOutput('Late', false)
  const { list: devices } = await other.send(listDevices, {})
  for (const device of devices) delete device.health
  assert.deepEqual(
    computeProblems([channel], devices).map(({ id, since }) => [id, since]),
    [
      [`device-${offline}`, devices[0]?.['offline-date']],
      [`channel-${channel.id}`, 0]
    ]
  )
})

test('a hub without revisions is polled for its status', () => {
  assert.equal(pollCall(true), getRevisions)
  assert.equal(pollCall(false), systemStatus)
  assert.deepEqual([isMissingCall(9), isMissingCall(0), isMissingCall(31)], [true, false, false])
})

test('the ids and parents of groups are never below 0', () => {
  const flat = flattenCatalogs([
    { id: -1, name: 'All', childs: [{ id: 5, name: 'x', 'parent-id': -1 } as Catalog] } as Catalog
  ])
  assert.deepEqual(
    flat.map(({ id, 'parent-id': parent }) => [id, parent]),
    [[5, 0]]
  )
})

test('settings, activities and the state of an update need none of the fields of this hub', async () => {
  assert.deepEqual([settingsOf(), settingsOf({})], [{}, {}])
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  const [device] = (await other.send(listDevices, {})).list
  assert.ok(device)
  const recording = { ...device, status: { 'cur-status': DEVICE_STATUS_BITS.recording } }
  assert.deepEqual([isRecording(recording), isStreaming(recording)], [true, false])
  const update = { state: DEVICE_UPDATE_STATE.updating, progress: 40.4 }
  assert.equal(updateLabel(update).text, 'Updating: 40 %')
  assert.equal(updateLabel({ ...update, text: 'Writing to flash' }).text, 'Writing to flash')
  assert.equal(updateLabel({ state: DEVICE_UPDATE_STATE.failed, progress: 0, reason: 24 }).tone, 'bad')
})

test('a channel whose input and outputs have failed without a cause says each once', async () => {
  const { channel } = await addChannelWithFailedOutput('Chapel relay', false)
  const silent = { state: SOURCE_STATE.failed, 'conn-state': CONNECTION_STATE.creationFailed }
  for (const part of [channel.input, ...channel.outputs.list]) Object.assign(part ?? {}, silent)
  assert.equal(healthSentence(channelHealth(channel)).why, 'No input. All outputs failed.')
  // A verdict with numbers and without a cause.
  const numbers = { outputs: 2, 'outputs-failed': 2 }
  assert.equal(healthSentence({ reason: 'failed', ...numbers }).why, 'All outputs failed.')
  assert.equal(healthSentence({ reason: 'failed', outputs: 2, 'outputs-failed': 1 }).why, '1 of 2 outputs failed.')
  assert.equal(healthSentence({ reason: 'failed' }).why, 'Failed.')
})

test.run()
