import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, LICENSE_LIMIT, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { FREE_LIMITS } from '../../../../contract/license/license.ts'
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
import { NDI, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('default NDI output')
hubForEach(test)

const queryById = async (id: number) => (await admin.send(queryChannel, { id })).channel
const add = async (config: AddChannelRequest['config'] = {}) =>
  (await admin.send(addChannel, { name: 'Hall', config })).id
const setConfig = (id: number, config: AddChannelRequest['config']) =>
  admin.send(setChannel, { id, name: 'Hall', config })
const setEnabled = (id: number, enable: boolean, outputs = [id]) =>
  admin.send(enableChannelOutputs, { id, outputs, enable })

test('a new channel has no NDI output of its own; once set, its settings are stored', async () => {
  const id = await add()
  assert.deepEqual((await queryById(id)).config.ndi, { enable: false })
  assert.equal((await queryById(id)).outputs.total, 0)
  await setConfig(id, { ndi: { enable: false } })
  assert.equal((await queryById(id)).outputs.total, 0)

  const ndi = { enable: true, group: 'studio', 'transport-mode': 1, 'mcast-ip': '239.255.0.0' }
  await setConfig(id, { ndi })
  await setConfig(id, { slate: true })
  const { config, outputs } = await queryById(id)
  assert.deepEqual(config.ndi, ndi)
  const [ndiOutput] = outputs.list
  assert.deepEqual(
    [outputs.total, ndiOutput?.id, ndiOutput?.name, ndiOutput?.protocol, ndiOutput?.enable],
    [1, id, 'Hall', NDI, true]
  )
  assert.match(ndiOutput?.addr ?? '', /\(Hall\)$/)
})

test("the multicast TTL is a text, as in the vendor's API", async () => {
  const ndi = (ttl: unknown) => ({ enable: true, 'mcast-time-to-live': ttl }) as { enable: boolean }
  const id = await add({ ndi: ndi('7') })
  assert.deepEqual((await queryById(id)).config.ndi, ndi(7))
  for (const invalidValue of ['0', '256', 'x', ''])
    assert.equal((await setConfig(id, { ndi: ndi(invalidValue) })).result, INVALID_ARG, String(invalidValue))
})

test('the NDI output runs beside the other outputs, and reports a missing NDI runtime', async () => {
  const { id: input } = await admin.send(addInput, { name: 'A', config: { type: 1, url: 'udp://127.0.0.1:9' } })
  const id = await add({ ndi: { enable: true } })
  await admin.send(setChannelInput, { id, input })
  await admin.send(enableChannel, { id, enable: true })
  await until(
    () => hub.parts.engine.observe(id).outputs.get(id)?.state === SOURCE_STATE.unsupported,
    'NDI is reported as missing'
  )
  const ndiOutput = (await queryById(id)).outputs.list[0]
  assert.match(ndiOutput?.health?.message ?? '', /NDI runtime.*ndi\.video/s)
  assert.equal((await admin.send(channelHistory, { id, leg: id })).result, SUCCESS)
  assert.equal((await admin.send(setBaseline, { id, leg: id })).result, SUCCESS)

  await setEnabled(id, false)
  const { outputs, config } = await queryById(id)
  assert.deepEqual([outputs.list[0]?.enable, outputs.list[0]?.state], [false, SOURCE_STATE.initializing])
  assert.deepEqual(config.ndi, { enable: false })
})

test('the NDI output is switched and removed like other outputs', async () => {
  const id = await add({ ndi: { enable: true, group: 'studio' } })
  const other = (await admin.send(addChannel, { name: 'Other' })).id
  assert.equal((await setEnabled(id, false)).result, SUCCESS)
  assert.deepEqual((await queryById(id)).config.ndi, { enable: false, group: 'studio' })
  assert.equal((await setEnabled(id, true)).result, SUCCESS)
  assert.deepEqual((await queryById(id)).config.ndi, { enable: true, group: 'studio' })
  assert.equal((await setEnabled(other, true)).result, NOT_EXIST)
  assert.equal((await setEnabled(other, true, [id])).result, NOT_EXIST)

  assert.equal((await admin.send(deleteChannelOutputs, { id, outputs: [id] })).result, SUCCESS)
  const { outputs, config } = await queryById(id)
  assert.deepEqual([outputs.total, config.ndi], [0, { enable: false }])
  assert.equal((await admin.send(deleteChannelOutputs, { id, outputs: [id] })).result, NOT_EXIST)
  assert.equal((await admin.send(channelHistory, { id, leg: id })).result, NOT_EXIST)
})

test('the NDI output counts as an active output of the licence', async () => {
  hub.parts.store.settings.set('license-limits', { ...FREE_LIMITS, 'max-output-count': 1 })
  const outputCount = async () => (await admin.send(channelDashboard, {}))['output-num']
  const first = await add({ ndi: { enable: true } })
  await admin.send(enableChannel, { id: first, enable: true })
  assert.equal(await outputCount(), 1)
  const { id } = await admin.send(addChannel, { name: 'Second' })
  await admin.send(enableChannel, { id, enable: true })
  const { result, ...fields } = await admin.send(setChannel, { id, name: 'Second', config: { ndi: { enable: true } } })
  assert.deepEqual([result, (fields as { max?: number }).max], [LICENSE_LIMIT, 1])
  await setEnabled(first, false)
  assert.equal(await outputCount(), 0)
})

test.run()
