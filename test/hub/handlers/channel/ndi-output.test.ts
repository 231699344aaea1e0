import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, LICENSE_LIMIT, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { FREE_LIMITS } from '../../../../contract/license.ts'
import {
  type AddChannelRequest,
  addChannel,
  channelDashboard,
  deleteChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { channelHistory, setBaseline } from '../../../../contract/stream/channel-history.ts'
import { NDI, SOURCE } from '../../../../contract/stream/protocols.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { admin, hub, hubForEach } from '../../../kit/hub-of-test.ts'
import { until } from '../../../kit/until.ts'

const test = suite('default NDI output')
hubForEach(test)

const read = async (id: number) => (await admin.send(queryChannel, { id })).channel
const add = async (config: AddChannelRequest['config'] = {}) =>
  (await admin.send(addChannel, { name: 'Hall', config })).id
const set = (id: number, config: AddChannelRequest['config']) => admin.send(setChannel, { id, name: 'Hall', config })
const turn = (id: number, enable: boolean, outputs = [id]) => admin.send(enableChannelOutputs, { id, outputs, enable })

test('a channel has no NDI output of its own until it is told to, and keeps what that is like', async () => {
  const id = await add()
  assert.deepEqual((await read(id)).config.ndi, { enable: false })
  assert.equal((await read(id)).outputs.total, 0)
  await set(id, { ndi: { enable: false } })
  assert.equal((await read(id)).outputs.total, 0)

  const ndi = { enable: true, group: 'studio', 'transport-mode': 1, 'mcast-ip': '239.255.0.0' }
  await set(id, { ndi })
  await set(id, { slate: true })
  const { config, outputs } = await read(id)
  assert.deepEqual(config.ndi, ndi)
  const [own] = outputs.list
  assert.deepEqual([outputs.total, own?.id, own?.name, own?.protocol, own?.enable], [1, id, 'Hall', NDI, true])
  assert.match(own?.addr ?? '', /\(Hall\)$/)
})

test('the vendor has its time to live as text', async () => {
  const ndi = (ttl: unknown) => ({ enable: true, 'mcast-time-to-live': ttl }) as { enable: boolean }
  const id = await add({ ndi: ndi('7') })
  assert.deepEqual((await read(id)).config.ndi, ndi(7))
  for (const wrong of ['0', '256', 'x', ''])
    assert.equal((await set(id, { ndi: ndi(wrong) })).result, INVALID_ARG, String(wrong))
})

test('it runs beside the other outputs: what is missing for that is said', async () => {
  const { id: input } = await admin.send(addInput, { name: 'A', config: { type: 1, url: 'udp://127.0.0.1:9' } })
  const id = await add({ ndi: { enable: true } })
  await admin.send(setChannelInput, { id, input })
  await admin.send(enableChannel, { id, enable: true })
  await until(
    () => hub.hub.engine.observe(id).outputs.get(id)?.state === SOURCE.unsupported,
    'NDI is said to be missing'
  )
  const own = (await read(id)).outputs.list[0]
  assert.match(own?.reason ?? '', /NDI runtime/)
  assert.match(own?.['next-step'] ?? '', /ndi\.video/)
  assert.equal((await admin.send(channelHistory, { id, leg: id })).result, SUCCESS)
  assert.equal((await admin.send(setBaseline, { id, leg: id })).result, SUCCESS)

  await turn(id, false)
  const { outputs, config } = await read(id)
  assert.deepEqual([outputs.list[0]?.enable, outputs.list[0]?.state], [false, SOURCE.initializing])
  assert.deepEqual(config.ndi, { enable: false })
})

test('it is switched and taken out as outputs are', async () => {
  const id = await add({ ndi: { enable: true, group: 'studio' } })
  const other = (await admin.send(addChannel, { name: 'Other' })).id
  assert.equal((await turn(id, false)).result, SUCCESS)
  assert.deepEqual((await read(id)).config.ndi, { enable: false, group: 'studio' })
  assert.equal((await turn(id, true)).result, SUCCESS)
  assert.deepEqual((await read(id)).config.ndi, { enable: true, group: 'studio' })
  assert.equal((await turn(other, true)).result, NOT_EXIST)
  assert.equal((await turn(other, true, [id])).result, NOT_EXIST)

  assert.equal((await admin.send(deleteChannelOutputs, { id, outputs: [id] })).result, SUCCESS)
  const { outputs, config } = await read(id)
  assert.deepEqual([outputs.total, config.ndi], [0, { enable: false }])
  assert.equal((await admin.send(deleteChannelOutputs, { id, outputs: [id] })).result, NOT_EXIST)
  assert.equal((await admin.send(channelHistory, { id, leg: id })).result, NOT_EXIST)
})

test('it counts among the active outputs of the licence', async () => {
  hub.hub.store.settings.set('license-limits', { ...FREE_LIMITS, 'max-output-count': 1 })
  const counted = async () => (await admin.send(channelDashboard, {}))['output-num']
  const first = await add({ ndi: { enable: true } })
  await admin.send(enableChannel, { id: first, enable: true })
  assert.equal(await counted(), 1)
  const { id } = await admin.send(addChannel, { name: 'Second' })
  await admin.send(enableChannel, { id, enable: true })
  const { result, ...said } = await admin.send(setChannel, { id, name: 'Second', config: { ndi: { enable: true } } })
  assert.deepEqual([result, (said as { max?: number }).max], [LICENSE_LIMIT, 1])
  await turn(first, false)
  assert.equal(await counted(), 0)
})

test.run()
