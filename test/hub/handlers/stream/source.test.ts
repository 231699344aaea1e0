import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, OBJECT_BUSY, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, NDI, RTMP, SOURCE_STATE, SRT } from '../../../../contract/stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

import { input, listener, output, rtmp } from './source-requests.ts'

const test = suite('source')
// Without the NDI runtime, even if the machine has it.
hubForEach(test, { ndi: { folders: [] } })

test('a source is stored with its normalized URL, and listed', async () => {
  const { id } = await admin.send(addInput, input('Cam', 'SRT://10.0.0.1:9000?x=y'))
  const { list, total } = await admin.send(listInputs, {})
  assert.equal(total, 1)
  assert.deepEqual(list, [
    {
      id,
      name: 'Cam',
      dir: 256,
      type: 258,
      protocol: SRT,
      config: { type: 1, url: 'srt://10.0.0.1:9000?mode=caller&latency=120' },
      'masked-url': 'srt://10.0.0.1:9000?mode=caller&latency=120',
      'owner-i': [],
      'owner-i-d': []
    }
  ])
  assert.equal((await admin.send(setInput, { id, ...input('Cam 2', 'rtmp://a.example/live') })).result, SUCCESS)
  const [changed] = (await admin.send(listInputs, {})).list
  assert.deepEqual([changed?.name, changed?.protocol], ['Cam 2', RTMP])
})

const NDI_URL = 'ntkndi://ndi?name=STUDIO%20(Cam%201)&url=10.0.0.9'

test('an NDI source is stored, found by name and protocol, and its URL is visible to viewers', async () => {
  await admin.send(addInput, input('Cam'))
  const { id } = await admin.send(addInput, input('Studio camera', `${NDI_URL}&x=1`))
  const viewer = addSignedInUser(hub, 'viewer', INPUT_OUTPUT_VIEW)
  const { list, total } = await viewer.send(listInputs, { key: 'CAM', protocol: NDI })
  assert.equal(total, 1)
  assert.deepEqual(list, [
    {
      id,
      name: 'Studio camera',
      dir: 256,
      type: 258,
      protocol: NDI,
      config: { type: 1, url: NDI_URL },
      'masked-url': NDI_URL
    }
  ])
  const refusal = await admin.send(addInput, input('Other', 'ntkndi://ndi?url=10.0.0.9'))
  assert.deepEqual([refusal.result, refusal.field, refusal.fault], [INVALID_ARG, 'config.url', 'required'])
  assert.equal((await viewer.send(addInput, { ...input('Studio camera'), force: true })).result, NOT_PERMITTED)
  assert.equal((await admin.send(deleteInputs, { id })).result, SUCCESS)
  assert.equal((await admin.send(listInputs, { protocol: NDI })).total, 0)
})

test('a source is replaced only with force, and keeps its node id', async () => {
  const { id } = await admin.send(addInput, input('Studio', NDI_URL))
  const next = input('STUDIO', 'ntkndi://ndi?name=FOYER')
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id: channel, input: id })
  const refusal = await admin.send(addInput, next)
  assert.deepEqual([refusal.result, refusal.field, refusal['owner-i']], [NAME_EXISTS, 'name', ['Hall']])
  const editor = addSignedInUser(hub, 'eddy', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT)
  assert.deepEqual((await editor.send(addInput, next))['owner-i'], [], 'a channel that the caller may not see')
  const replaced = await admin.send(addInput, { ...next, force: true })
  assert.deepEqual([replaced.result, replaced.id], [0, id])
  const { list } = await admin.send(listInputs, {})
  assert.deepEqual(
    list.map(({ name, config }) => [name, config.url]),
    [['STUDIO', next.config.url]]
  )
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.equal(line?.detail, 'STUDIO ntkndi://ndi?name=FOYER')
  const added = await admin.send(addInput, { ...input('New', NDI_URL), force: true })
  assert.equal(added.result, SUCCESS)
  assert.notEqual(added.id, id)
})

test('a channel can have an NDI input, also instead of another one, and reports a missing NDI runtime', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const ndi = await admin.send(addInput, input('Studio', NDI_URL))
  const out = await admin.send(addOutput, { name: 'Out', protocol: NDI, config: {} })
  // The name under which players find it.
  assert.equal((await output(out.id)).addr, `${hostname().toUpperCase()} (Out)`)
  assert.equal((await admin.send(setChannelInput, { id, input: ndi.id })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: [out.id] })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  const legs = async () => {
    const { channel } = await admin.send(queryChannel, { id })
    return [channel.input, channel.outputs.list[0]]
  }
  await until(() => {
    const { input: source, outputs } = hub.parts.engine.observe(id)
    return [source, outputs.get(out.id)].every((leg) => leg?.connState === CONNECTION_STATE.creationFailed)
  }, 'both legs have failed')
  for (const leg of await legs()) {
    assert.equal(leg?.state, SOURCE_STATE.unsupported)
    assert.match(leg?.health?.message ?? '', /requires the NDI runtime.*ndi\.video/s)
  }
  const cam = await admin.send(addInput, input('Cam', 'udp://239.1.2.3:5000'))
  assert.equal((await admin.send(setChannelInput, { id, input: cam.id })).result, SUCCESS)
  assert.equal((await admin.send(addInput, { ...input('Cam', NDI_URL), force: true })).result, SUCCESS)
  assert.equal(hub.parts.store.sources.input(cam.id)?.url, NDI_URL)
  assert.equal((await legs())[0]?.protocol, NDI)
})

test('names are unique among inputs and among outputs, ignoring case; an entry may keep its own', async () => {
  const { id } = await admin.send(addInput, input('Cam'))
  assert.equal((await admin.send(addInput, input('CAM'))).result, NAME_EXISTS)
  assert.equal((await admin.send(setInput, { id, ...input('cam') })).result, SUCCESS)
  assert.equal((await admin.send(addOutput, listener('Cam', 9000))).result, SUCCESS, 'an output is not an input')
  const other = await admin.send(addOutput, rtmp('Live'))
  assert.equal((await admin.send(setOutput, { id: other.id, ...rtmp('cam') })).result, NAME_EXISTS)
  assert.equal((await admin.send(setOutput, { id: other.id, ...rtmp('LIVE') })).result, SUCCESS)
})

test('unknown ids cannot be changed or deleted, and a list with an unknown id deletes nothing', async () => {
  const { id } = await admin.send(addInput, input('Cam'))
  const out = await admin.send(addOutput, rtmp('Live'))
  assert.equal(
    (await admin.send(setInput, { id: out.id, ...input('x') })).result,
    NOT_EXIST,
    'an output is not an input'
  )
  assert.equal((await admin.send(setOutput, { id, ...rtmp('x') })).result, NOT_EXIST)
  assert.equal((await admin.send(deleteInputs, { id: [id, 77] })).result, NOT_EXIST)
  assert.equal((await admin.send(deleteOutputs, { id: [out.id, id] })).result, NOT_EXIST)
  assert.equal((await admin.send(listInputs, {})).total, 1)
  assert.equal((await admin.send(deleteInputs, { id: [id, id] })).result, SUCCESS)
  assert.equal((await admin.send(deleteOutputs, { id: out.id })).result, SUCCESS)
  assert.equal(hub.parts.store.database.all('SELECT * FROM node').length, 0)
})

test('a channel that uses several sources of a deletion is named once', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const outputs = [await admin.send(addOutput, listener('A', 9000)), await admin.send(addOutput, listener('B', 9001))]
  const inputs = [
    await admin.send(addInput, input('A')),
    await admin.send(addInput, input('B', 'rtmp://10.0.0.1/live/b'))
  ]
  const [mainInput, backup] = inputs.map((input) => input.id) as [number, number]
  await admin.send(setChannelInput, { id, input: mainInput })
  await admin.send(setChannel, { id, name: 'Hall', config: { backups: [backup] } })
  await admin.send(addChannelOutputs, { id, outputs: outputs.map((output) => output.id) })
  assert.deepEqual((await admin.send(deleteOutputs, { id: outputs.map((output) => output.id) }))['owner-o'], ['Hall'])
  assert.deepEqual((await admin.send(deleteInputs, { id: [mainInput, backup] }))['owner-i'], ['Hall'])
})

test('a source that a channel uses is busy, and is deleted with force; the channel stays without it', async () => {
  const channel = await admin.send(addChannel, { name: 'Hall' })
  const cam = await admin.send(addInput, input('Cam'))
  const out = await admin.send(addOutput, listener('Out', 9000))
  await admin.send(setChannelInput, { id: channel.id, input: cam.id })
  await admin.send(addChannelOutputs, { id: channel.id, outputs: [out.id] })
  assert.deepEqual((await admin.send(listInputs, {})).list[0]?.['owner-i'], ['Hall'])
  assert.equal((await output(out.id))['owner-o'], 'Hall')
  const refusal = await admin.send(deleteInputs, { id: cam.id })
  assert.deepEqual([refusal.result, (refusal as never as { 'owner-i': unknown })['owner-i']], [OBJECT_BUSY, ['Hall']])
  assert.equal((await admin.send(deleteOutputs, { id: out.id })).result, OBJECT_BUSY)
  assert.equal((await admin.send(deleteInputs, { id: cam.id, force: true })).result, SUCCESS)
  assert.equal((await admin.send(deleteOutputs, { id: out.id, force: true })).result, SUCCESS)
  const channelAfter = (await admin.send(queryChannel, { id: channel.id })).channel
  assert.deepEqual([channelAfter.input, channelAfter.outputs.total], [null, 0])
})

test('the channels that use a source are named, also in errors, only to callers with permission to view channels', async () => {
  const channel = await admin.send(addChannel, { name: 'Hall' })
  const cam = await admin.send(addInput, input('Cam'))
  const out = await admin.send(addOutput, listener('Out', 9000))
  await admin.send(setChannelInput, { id: channel.id, input: cam.id })
  await admin.send(addChannelOutputs, { id: channel.id, outputs: [out.id] })
  const editor = addSignedInUser(hub, 'ines', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT)
  const responses = [
    await editor.send(listInputs, {}),
    await editor.send(listOutputs, {}),
    await editor.send(deleteInputs, { id: cam.id }),
    await editor.send(deleteOutputs, { id: out.id })
  ]
  assert.deepEqual([responses[2]?.result, responses[3]?.result], [OBJECT_BUSY, OBJECT_BUSY])
  assert.ok(!JSON.stringify(responses).includes('Hall'))
  const viewer = addSignedInUser(hub, 'vera', INPUT_OUTPUT_VIEW | CHANNEL_VIEW)
  assert.deepEqual((await viewer.send(listInputs, {})).list[0]?.['owner-i'], ['Hall'])
  assert.equal((await viewer.send(listOutputs, {})).list[0]?.['owner-o'], 'Hall')
})

test('search, sort and page; an order without a sort column is refused', async () => {
  for (const name of ['Cam 10', 'Cam 9', 'Door']) await admin.send(addInput, input(name))
  const names = async (request: Parameters<typeof admin.send<object, { list: { name: string }[] }>>[1]) =>
    (await admin.send(listInputs, request)).list.map(({ name }) => name)
  assert.deepEqual(await names({ sort: 'name' }), ['Cam 9', 'Cam 10', 'Door'])
  assert.deepEqual(await names({ sort: 'name', order: 'descending', count: 1, start: 1 }), ['Cam 10'])
  assert.deepEqual(await names({ key: 'CAM' }), ['Cam 10', 'Cam 9'])
  assert.deepEqual((await admin.send(listInputs, { order: 'descending' })).field, 'order')
})

test.run()
