// What a change of the firewall takes off air.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { IN_PROGRESS, OBJECT_BUSY, OFF_AIR, STATE_CHANGED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { type FirewallRule, setFirewall } from '../../../../contract/machine/firewall/firewall.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { HTTP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import type { ObservedClient } from '../../../../engine/interfaces/channel.ts'
import { admin, BLOCKED, firewall, firewallHubForEach, hub, readFirewall } from '../../../kit/firewall/firewall-hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { input } from '../stream/source-requests.ts'

const test = suite('channels that a change of the firewall takes off air')

firewallHubForEach(test)

const rule = (port: string, protocol: 0 | 1 | 2 = 0): FirewallRule => ({ port, protocol, remark: '', enable: true })

/** Adds a channel on air with these inputs, the first of which is on air. */
async function startOnAir(name: string, urls: readonly string[], outputs: readonly number[] = []): Promise<number> {
  const { id } = await admin.send(addChannel, { name })
  const inputs: number[] = []
  for (const url of urls) inputs.push((await admin.send(addInput, input(`${name} ${inputs.length}`, url))).id)
  const [main = 0, ...backups] = inputs
  await admin.send(setChannelInput, { id, input: main })
  await admin.send(setChannel, { id, name, config: { backups } })
  if (outputs.length > 0) await admin.send(addChannelOutputs, { id, outputs: [...outputs] })
  await admin.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG, Object.fromEntries(outputs.map((output) => [output, CARRYING_LEG])))
  return id
}

const hlsPlayer = (id: number, address: string, outputId: number): ObservedClient => ({
  id,
  address,
  kbps: 900,
  livingTimeS: 5,
  isPublisher: false,
  protocol: HTTP,
  outputId
})

test('a dry run names the channels whose inputs end and the players of HLS, and blocks nothing', async () => {
  const { id: hls } = await admin.send(addOutput, {
    name: 'Web',
    protocol: HTTP,
    config: { 'seg-count': 3, 'seg-duration': 1 }
  })
  // A hub in a test opens no ports.
  hub.parts.webPorts.ports.files.listeners = () => [{ port: 8890, close: async () => undefined }]
  await startOnAir('News', ['udp://239.1.1.1:5004'])
  await startOnAir('Backed', ['udp://239.1.1.2:5006', 'rtmp://192.0.2.20/live/hall'])
  await startOnAir('Studio', ['srt://0.0.0.0:9100?mode=listener'])
  const lobby = await startOnAir('Lobby', ['rtmp://192.0.2.21/live/hall'], [hls])
  hub.parts.engine.observe(lobby).clients = [hlsPlayer(1, '192.0.2.40', hls), hlsPlayer(2, '198.51.100.7', hls)]
  const found = async (request: object) => {
    const reply = await admin.send(setFirewall, { ...BLOCKED, ...request })
    assert.equal(firewall.tables.current, '')
    assert.equal((await readFirewall()).change, undefined)
    const channels = (reply['off-air'] ?? []).map(({ id: _, ...channel }) => channel)
    return [reply.result, channels.toSorted((a, b) => (a.name < b.name ? -1 : 1))]
  }
  const inputs = [
    { name: 'Backed', effect: 'restarts', outputs: [], viewers: 0 },
    { name: 'News', effect: 'stops', outputs: [], viewers: 0 }
  ]
  const ended = [inputs[0], { name: 'Lobby', effect: 'outputs', outputs: ['Web'], viewers: 2 }, inputs[1]]
  // Without `force`, the refusal has the list.
  assert.deepEqual(await found({ 'dry-run': true }), [OBJECT_BUSY, ended])
  assert.deepEqual(await found({ force: true, 'dry-run': true }), [SUCCESS, ended])
  assert.deepEqual(await found({ force: true, 'dry-run': 'if-off-air' }), [OFF_AIR, ended])
  // Players at addresses that a rule allows stay.
  const rules = [{ ...rule('8890'), source: '192.0.2.0/24' }, rule('5006', 1)]
  assert.deepEqual(await found({ mode: -1, rules, force: true, 'dry-run': true }), [
    SUCCESS,
    [{ name: 'Lobby', effect: 'outputs', outputs: ['Web'], viewers: 1 }, inputs[1]]
  ])
  assert.deepEqual(await found({ mode: 1, 'dry-run': true }), [SUCCESS, []])
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.doesNotMatch(JSON.stringify(list), /Set firewall/)
})

test('a change that takes nothing off air is made at once, and is undone unless it is confirmed', async () => {
  await startOnAir('Studio', ['srt://0.0.0.0:9100?mode=listener'])
  const reply = await admin.send(setFirewall, { ...BLOCKED, force: true, 'dry-run': 'if-off-air' })
  assert.deepEqual([reply.result, reply.change?.mode], [SUCCESS, 0])
  assert.match(firewall.tables.current, /drop/)
  assert.equal((await admin.send(setFirewall, { mode: 1, rules: [], 'dry-run': true })).result, IN_PROGRESS)
})

test('a dry run with an older revision is refused like the change', async () => {
  const { revision } = await readFirewall()
  await admin.send(setFirewall, { mode: 1, rules: [rule('9000')] })
  assert.equal((await admin.send(setFirewall, { ...BLOCKED, revision, 'dry-run': true })).result, STATE_CHANGED)
})

test.run()
