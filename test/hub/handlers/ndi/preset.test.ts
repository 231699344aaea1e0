import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_VIEW,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW,
  NDI_VIEW
} from '../../../../contract/access/permissions.ts'
import {
  BAD_ADDRESS,
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  SUCCESS
} from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addNdiPreset,
  deleteNdiPresets,
  listNdiPresets,
  type NdiPresetSource,
  setNdiPreset
} from '../../../../contract/ndi/preset.ts'
import { NDI_AUTO, NDI_MULTICAST } from '../../../../contract/ndi/transport.ts'
import { addChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { NDI } from '../../../../contract/stream/protocols.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('NDI presets')
hubForEach(test, { ndi: { folders: [] } })

const CAM: NdiPresetSource = { name: 'STUDIO (Cam 1)' }

const ALL_FIELDS: NdiPresetSource = {
  name: 'STUDIO (Cam 1)',
  url: '10.0.0.9:5961',
  'buffer-ms': 60,
  group: 'public,Stage 2',
  'transport-mode': NDI_MULTICAST,
  'mcast-ip': '239.1.2.3',
  'mcast-sub-mask': '255.255.255.0',
  'mcast-time-to-live': 4,
  'extra-ips': ['10.0.1.7', '10.0.1.8'],
  'low-bw': true,
  'discovery-server': ['10.0.0.8:5959', 'ndi.example.com']
}

test('a preset keeps all of its fields, and is an input that has them in its URL', async () => {
  const { id } = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: ALL_FIELDS })
  const url =
    'ntkndi://ndi?name=STUDIO%20(Cam%201)&url=10.0.0.9:5961&mw-buffer-duration=60&group=public,Stage%202&transport-mode=1' +
    '&mcast-ip=239.1.2.3&mcast-sub-mask=255.255.255.0&mcast-time-to-live=4&extra-ips=10.0.1.7,10.0.1.8&low-bw=1' +
    '&discovery-server=10.0.0.8:5959,ndi.example.com'
  const { list } = await admin.send(listNdiPresets, {})
  assert.deepEqual(list, [{ id, name: 'Camera 1', ndi: ALL_FIELDS, url, 'owner-i': [], 'owner-i-d': [] }])
  const inputs = await admin.send(listInputs, { protocol: NDI })
  assert.deepEqual(
    inputs.list.map((input) => [input.id, input.name, input.config.url]),
    [[id, 'Camera 1', url]]
  )
})

test('empty fields are not stored, and an input with an NDI URL is a preset', async () => {
  const empty = { url: '', group: '', 'mcast-ip': '', 'extra-ips': [], 'low-bw': false, 'discovery-server': [] }
  await admin.send(addNdiPreset, { name: 'Camera 1', ndi: { ...CAM, ...empty } })
  await admin.send(addInput, { name: 'Camera 2', config: { type: 1, url: 'ntkndi://ndi?name=FOYER&low-bw=0' } })
  await admin.send(addInput, { name: 'Not NDI', config: { type: 1, url: 'srt://10.0.0.1:9000' } })
  const { list } = await admin.send(listNdiPresets, {})
  assert.deepEqual(
    list.map(({ name, ndi }) => [name, ndi]),
    [
      ['Camera 1', CAM],
      ['Camera 2', { name: 'FOYER' }]
    ]
  )
})

test('presets are searched by alias and NDI name, and returned in pages', async () => {
  await admin.send(addNdiPreset, { name: 'Pulpit', ndi: CAM })
  await admin.send(addNdiPreset, { name: 'Stage', ndi: { name: 'FOYER' } })
  const names = async (request: object) => (await admin.send(listNdiPresets, request)).list.map(({ name }) => name)
  assert.deepEqual(await names({ key: 'cam' }), ['Pulpit'])
  assert.deepEqual(await names({ key: 'STAGE' }), ['Stage'])
  assert.deepEqual(await names({ key: 'x' }), [])
  assert.deepEqual(await names({ start: 1, count: 1 }), ['Stage'])
})

test('a preset is overridden only with force, keeps its id, and then serves the channels that use it', async () => {
  const { id } = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: CAM })
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  assert.equal((await admin.send(setChannelInput, { id: channel, input: id })).result, SUCCESS)
  const next = { name: 'CAMERA 1', ndi: { name: 'FOYER', 'transport-mode': NDI_AUTO } }
  const refusal = await admin.send(addNdiPreset, next)
  assert.deepEqual([refusal.result, refusal.field, refusal['owner-i']], [NAME_EXISTS, 'name', ['Hall']])
  const replaced = await admin.send(addNdiPreset, { ...next, force: true })
  assert.deepEqual([replaced.result, replaced.id], [SUCCESS, id])
  const [preset] = (await admin.send(listNdiPresets, {})).list
  assert.deepEqual([preset?.name, preset?.ndi, preset?.['owner-i-d']], ['CAMERA 1', next.ndi, [channel]])
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.equal(line?.detail, 'CAMERA 1 ntkndi://ndi?name=FOYER&transport-mode=5')
})

test('an input of another protocol is neither overridden nor changed by the calls for presets', async () => {
  const { id } = await admin.send(addInput, { name: 'Relay', config: { type: 1, url: 'srt://10.0.0.1:9000' } })
  const refusal = await admin.send(addNdiPreset, { name: 'Relay', ndi: CAM, force: true })
  assert.deepEqual([refusal.result, refusal['owner-i']], [NAME_EXISTS, undefined])
  assert.equal((await admin.send(setNdiPreset, { id, name: 'Relay', ndi: CAM })).result, NOT_EXIST)
  assert.equal((await admin.send(deleteNdiPresets, { id })).result, NOT_EXIST)
  assert.equal((await admin.send(listInputs, {})).list[0]?.config.url, 'srt://10.0.0.1:9000?mode=caller&latency=120')
})

test('a preset is changed, and one that a channel uses is deleted only with force, all or none', async () => {
  const { id } = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: ALL_FIELDS })
  const { id: other } = await admin.send(addNdiPreset, { name: 'Camera 2', ndi: CAM })
  assert.equal((await admin.send(setNdiPreset, { id, name: 'Camera 2', ndi: CAM })).result, NAME_EXISTS)
  assert.equal((await admin.send(setNdiPreset, { id, name: 'Main', ndi: CAM })).result, SUCCESS)
  const { list } = await admin.send(listNdiPresets, { key: 'main' })
  assert.deepEqual([list[0]?.id, list[0]?.ndi], [id, CAM])
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id: channel, input: id })
  const busy = await admin.send(deleteNdiPresets, { id: [id, other] })
  assert.deepEqual([busy.result, busy['owner-i']], [OBJECT_BUSY, ['Hall']])
  assert.equal((await admin.send(deleteNdiPresets, { id: [other, 999] })).result, NOT_EXIST)
  assert.equal((await admin.send(listNdiPresets, {})).total, 2)
  assert.equal((await admin.send(deleteNdiPresets, { id: [id, other], force: true })).result, SUCCESS)
  assert.equal((await admin.send(listNdiPresets, {})).total, 0)
})

test('invalid fields are refused by name, and nothing is stored', async () => {
  const faults: readonly [Partial<NdiPresetSource>, string][] = [
    [{ name: '' }, 'ndi.name'],
    [{ url: '10.0.0.9:0' }, 'ndi.url'],
    [{ group: 'a, b' }, 'ndi.group'],
    [{ 'transport-mode': 6 }, 'ndi.transport-mode'],
    [{ 'mcast-ip': '10.0.0.1' }, 'ndi.mcast-ip'],
    [{ 'mcast-sub-mask': '255.0.255.0' }, 'ndi.mcast-sub-mask'],
    [{ 'mcast-time-to-live': 256 }, 'ndi.mcast-time-to-live'],
    [{ 'extra-ips': Array(17).fill('10.0.0.1') }, 'ndi.extra-ips'],
    [{ 'extra-ips': ['cam.example.com'] }, 'ndi.extra-ips'],
    [{ 'discovery-server': ['a.example', 'b.example', 'c.example'] }, 'ndi.discovery-server'],
    [{ 'buffer-ms': 0 }, 'ndi.buffer-ms']
  ]
  for (const [fields, field] of faults) {
    const refusal = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: { ...CAM, ...fields } })
    assert.deepEqual([refusal.result, refusal.field], [INVALID_ARG, field])
  }
  // 253 characters of 3 bytes each, percent-encoded.
  const long = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: { name: '演'.repeat(253) } })
  assert.deepEqual([long.result, long.field, long.fault], [INVALID_ARG, 'ndi', 'length'])
  assert.equal((await admin.send(listNdiPresets, {})).total, 0)
})

test('the address policy applies to the address, the extra addresses and the discovery servers', async () => {
  const metadata = '169.254.169.254'
  const forbidden: readonly [Partial<NdiPresetSource>, string][] = [
    [{ url: `${metadata}:80` }, 'ndi.url'],
    [{ 'extra-ips': ['10.0.0.1', metadata] }, 'ndi.extra-ips'],
    [{ 'discovery-server': [`${metadata}:5959`] }, 'ndi.discovery-server']
  ]
  for (const [fields, field] of forbidden) {
    const refusal = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: { ...CAM, ...fields } })
    assert.deepEqual([refusal.result, refusal.field, refusal.forbidden], [BAD_ADDRESS, field, true])
  }
  const asInput = `ntkndi://ndi?name=a&discovery-server=${metadata}`
  const refusal = await admin.send(addInput, { name: 'Camera 1', config: { type: 1, url: asInput } })
  assert.deepEqual([refusal.result, refusal.field], [BAD_ADDRESS, 'config.url'])
})

test('a user with a permission for the NDI router sees presets, but neither their channels nor changes them', async () => {
  const { id } = await admin.send(addNdiPreset, { name: 'Camera 1', ndi: CAM })
  await admin.send(setChannelInput, { id: (await admin.send(addChannel, { name: 'Hall' })).id, input: id })
  const operator = addSignedInUser(hub, 'olga', NDI_VIEW)
  const { list } = await operator.send(listNdiPresets, {})
  assert.deepEqual([list.length, list[0]?.['owner-i']], [1, undefined])
  assert.equal((await operator.send(deleteNdiPresets, { id, force: true })).result, NOT_PERMITTED)
  const editor = addSignedInUser(hub, 'eddy', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT)
  assert.equal((await editor.send(setNdiPreset, { id, name: 'Camera 1', ndi: ALL_FIELDS })).result, SUCCESS)
  const viewer = addSignedInUser(hub, 'vera', CHANNEL_VIEW)
  assert.equal((await viewer.send(listNdiPresets, {})).result, NOT_PERMITTED)
})

test.run()
