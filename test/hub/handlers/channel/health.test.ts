import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { DEFAULT_HEALTH_BOUNDS } from '../../../../contract/health.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  channelDashboard,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, UDP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import type { ObservedChannel } from '../../../../engine/interfaces/channel.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, REFUSED_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'

const test = suite('health of channels')
hubForEach(test)

/** A started channel with a UDP input and two UDP outputs. */
async function startChannel() {
  const { id: input } = await admin.send(addInput, { name: 'Camera', config: { type: 1, url: 'udp://127.0.0.1:9' } })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const outputs: number[] = []
  for (const name of ['Foyer', 'Street']) {
    const config = { 'dst-ip': '127.0.0.1', 'dst-port': 9000 + outputs.length }
    outputs.push((await admin.send(addOutput, { name, protocol: UDP, config } as never)).id)
  }
  await admin.send(setChannelInput, { id, input })
  await admin.send(addChannelOutputs, { id, outputs })
  await admin.send(enableChannel, { id, enable: true })
  return { id, outputs: outputs as [number, number] }
}

const channelOf = async (id: number) => (await admin.send(queryChannel, { id })).channel

test('list and details have the same health of a channel, its inputs and its outputs', async () => {
  const { id, outputs } = await startChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [outputs[0]]: CARRYING_LEG, [outputs[1]]: REFUSED_LEG })
  const channel = await channelOf(id)
  const [listed] = (await admin.send(channelDashboard, {})).list
  assert.deepEqual(listed?.health, channel.health)
  assert.deepEqual(
    [channel.health?.verdict, channel.health?.reason, channel.health?.['outputs-failed'], channel.health?.outputs],
    ['degraded', 'outputs-failed', 1, 2]
  )
  assert.equal(channel.input?.health?.verdict, 'on-air')
  assert.deepEqual(
    channel.outputs.list.map(({ health }) => [health?.verdict, health?.reason]),
    [
      ['on-air', undefined],
      ['down', 'refused']
    ]
  )
})

test('the bounds of a channel are the standard ones until they are set, and wrong ones are refused', async () => {
  const { id } = await startChannel()
  assert.deepEqual((await channelOf(id)).config.health, DEFAULT_HEALTH_BOUNDS)
  const set = async (loss: number, discontinuities: number) =>
    (await admin.send(setChannel, { id, name: 'Hall', config: { health: { 'loss-percent': loss, discontinuities } } }))
      .result
  assert.equal(await set(2.5, 3), SUCCESS)
  for (const [loss, discontinuities] of [
    [-0.1, 0],
    [100.1, 0],
    [0, -1],
    [0, 1001],
    [0, 1.5]
  ] as const)
    assert.equal(await set(loss, discontinuities), INVALID_ARG, `${loss} ${discontinuities}`)
  assert.deepEqual((await channelOf(id)).config.health, { 'loss-percent': 2.5, discontinuities: 3 })
  assert.equal((await admin.send(setChannel, { id, name: 'Hall' })).result, SUCCESS)
  assert.deepEqual((await channelOf(id)).config.health, { 'loss-percent': 2.5, discontinuities: 3 })
})

test('the message says why and what to do, in the language of the request', async () => {
  const { id, outputs } = await startChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [outputs[0]]: CARRYING_LEG, [outputs[1]]: REFUSED_LEG })
  const { health, outputs: legs } = await channelOf(id)
  assert.equal(
    health?.message,
    '1 of 2 outputs failed. “Street”: the peer refused the connection.\nStart the server there, or check the port.'
  )
  assert.equal(
    legs.list[1]?.health?.message,
    'The peer refused the connection.\nStart the server there, or check the port.'
  )
  const response = await admin.raw('GET', `/api/channel/query?id=${id}`, { headers: { 'accept-language': 'zh' } })
  const { channel } = (await response.json()) as { channel: Channel }
  assert.match(channel.health?.message ?? '', /2 个输出中有 1 个失败。“Street”/)
})

test('each of two failed outputs has its own advice, and advice that is the same is given once', async () => {
  const { id, outputs } = await startChannel()
  const unauthorized = { ...REFUSED_LEG, connState: CONNECTION_STATE.notAuthorized, reason: 'login-refused' } as const
  setObservedChannel(hub, id, CARRYING_LEG, { [outputs[0]]: unauthorized, [outputs[1]]: REFUSED_LEG })
  assert.deepEqual((await channelOf(id)).health?.message?.split('\n'), [
    'All outputs failed. “Foyer”: the peer refused user name or password. “Street”: the peer refused the connection.',
    '“Foyer”: Check user, password, key or passphrase.',
    '“Street”: Start the server there, or check the port.'
  ])
  setObservedChannel(hub, id, CARRYING_LEG, { [outputs[0]]: REFUSED_LEG, [outputs[1]]: REFUSED_LEG })
  assert.deepEqual((await channelOf(id)).health?.message?.split('\n').slice(1), [
    'Start the server there, or check the port.'
  ])
})

test('a channel that an operator holds on its slate or backup names that, and not the state of its main input', async () => {
  const { id, outputs } = await startChannel()
  const legs = { [outputs[0]]: CARRYING_LEG, [outputs[1]]: CARRYING_LEG }
  const slate: ObservedChannel['onAir'] = { inputId: undefined, slate: true, reason: 'on-air-held-slate', isHeld: true }
  setObservedChannel(hub, id, REFUSED_LEG, legs, { onAir: slate })
  const healthNow = async () => {
    const { health } = await channelOf(id)
    return [health?.reason, health?.['next-step'], health?.message]
  }
  // Without a message, the sentences of the codes are used.
  assert.deepEqual(await healthNow(), ['manual-slate', 'end-manual', undefined])
  setObservedChannel(hub, id, REFUSED_LEG, { ...legs, [outputs[1]]: REFUSED_LEG }, { onAir: slate })
  assert.match(
    String((await healthNow())[2]),
    /^The slate was put on air manually. 1 of 2 outputs failed. “Street”: the peer refused/
  )
  const { id: backup } = await admin.send(addInput, { name: 'Spare', config: { type: 1, url: 'udp://127.0.0.1:8' } })
  await admin.send(setChannel, { id, name: 'Hall', config: { backups: [backup] } })
  const onAir: ObservedChannel['onAir'] = {
    inputId: backup,
    slate: false,
    reason: 'on-air-held-backup 1',
    isHeld: true
  }
  setObservedChannel(hub, id, REFUSED_LEG, legs, { onAir, backups: new Map([[backup, CARRYING_LEG]]) })
  assert.deepEqual(await healthNow(), ['manual-backup', 'end-manual', undefined])
})

test('a stopped channel, its input and its outputs are stopped', async () => {
  const { id } = await startChannel()
  await admin.send(enableChannel, { id, enable: false })
  const { health, input, outputs } = await channelOf(id)
  assert.deepEqual(
    [health, input?.health, ...outputs.list.map((output) => output.health)].map((each) => each?.verdict),
    ['stopped', 'stopped', 'stopped', 'stopped']
  )
  assert.ok(Date.now() - (health?.since ?? 0) < 10_000)
})

test('a change of the verdict is a change of the channel', async () => {
  const { id, outputs } = await startChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [outputs[0]]: CARRYING_LEG, [outputs[1]]: CARRYING_LEG })
  hub.parts.channelHealth.tick()
  const { rev } = hub.parts.store.changes
  hub.parts.channelHealth.tick()
  assert.equal(hub.parts.store.changes.rev, rev)
  const { observe } = hub.parts.engine
  hub.parts.engine.observe = (channelId) => ({ ...observe(channelId), input: REFUSED_LEG })
  hub.parts.channelHealth.tick()
  assert.ok(hub.parts.store.changes.changesSince('channel', rev)?.changed.has(id))
})

test.run()
