import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import { NDI_EDIT, NDI_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_PERMITTED, PORT_OCCUPIED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import type { NdiDiscoverySettings } from '../../../../contract/ndi/settings.ts'
import { getNdiStatus } from '../../../../contract/ndi/status.ts'
import { getSettings, type SettingsRequest, setSettings } from '../../../../contract/settings.ts'
import { addChannel, enableChannelOutputs, queryChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { NDI, RTSP } from '../../../../contract/stream/protocols.ts'
import { addOutput, listOutputs } from '../../../../contract/stream/source.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI settings')
hubForEach(test, { ndi: { folders: [], accountFolder: '/nonexistent', serverPrograms: ['/nonexistent'] } })

const DISCOVERY: NdiDiscoverySettings = {
  enable: true,
  servers: [{ address: '192.0.2.5', port: 5959 }],
  'send-groups': 'Stage',
  'recv-groups': 'Public,Stage',
  'extra-ips': ['192.0.2.6'],
  'machine-name': 'Studio 1',
  ifaces: ['eth0']
}
const set = (request: SettingsRequest) => admin.send(setSettings, request)
const setDiscovery = (part: Partial<NdiDiscoverySettings>) =>
  set({ 'ndi-discovery': { ...DISCOVERY, 'machine-name': '', ...part } })
const read = async () => (await admin.send(getSettings, {})).settings
/** The longest name that fits beside a machine name. */
const longest = (machine: string) => 'x'.repeat(60 - machine.length)

test('each part is stored, logged without a wrapper, and returned', async () => {
  const { 'ndi-discovery': before, channel, 'hub-ndi-server': server } = await read()
  assert.equal(before?.enable, false)
  assert.deepEqual([channel, server], [{ 'ndi-enable': false }, { enable: false, port: 5959, state: 'not-enabled' }])
  assert.equal((await set({ 'ndi-discovery': DISCOVERY })).result, SUCCESS)
  assert.equal((await set({ channel: { 'ndi-enable': true } })).result, SUCCESS)
  assert.equal((await set({ 'hub-ndi-server': { enable: true, port: 5960 } })).result, SUCCESS)
  const after = await read()
  assert.deepEqual(after['ndi-discovery'], DISCOVERY)
  assert.deepEqual(after.channel, { 'ndi-enable': true })
  assert.deepEqual(after['hub-ndi-server'], { enable: true, port: 5960, state: 'not-installed' })
  const { list } = await admin.send(listLog, { type: 'operation', count: 3 })
  assert.deepEqual(
    list.map(({ detail }) => detail),
    [
      'hub-ndi-server 5960',
      'channel',
      'ndi-discovery, servers 192.0.2.5:5959, extra 192.0.2.6, machine Studio 1, ifaces eth0, groups sent Stage, groups found Public,Stage'
    ]
  )
})

test('a caller with only NDI_VIEW reads these parts and no others, and changes none', async () => {
  const viewer = addSignedInUser(hub, 'vera', NDI_VIEW)
  assert.deepEqual(Object.keys((await viewer.send(getSettings, {})).settings).sort(), [
    'channel',
    'hub-ndi-server',
    'ndi-discovery'
  ])
  assert.equal((await viewer.send(setSettings, { channel: { 'ndi-enable': true } })).result, NOT_PERMITTED)
  const systemViewer = addSignedInUser(hub, 'sven', SYSTEM_CONFIG_VIEW)
  const { settings } = await systemViewer.send(getSettings, {})
  assert.ok(settings.srt && !settings['ndi-discovery'] && !settings.channel && !settings['hub-ndi-server'])
})

test('NDI_EDIT changes these parts and no others, and SYSTEM_CONFIG_EDIT the others', async () => {
  const editor = addSignedInUser(hub, 'edna', NDI_VIEW | NDI_EDIT)
  assert.equal((await editor.send(setSettings, { channel: { 'ndi-enable': true } })).result, SUCCESS)
  assert.equal((await editor.send(setSettings, { 'ndi-discovery': DISCOVERY })).result, SUCCESS)
  for (const part of [{ 'expired-time': 30 }, { rtmp: { port: 1935 } }, { hosts: { names: [] } }])
    assert.equal((await editor.send(setSettings, part)).result, NOT_PERMITTED, JSON.stringify(part))
  const systemEditor = addSignedInUser(hub, 'sven', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  assert.equal((await systemEditor.send(setSettings, { previews: { 'data-saver': true } })).result, SUCCESS)
  for (const part of [{ channel: { 'ndi-enable': false } }, { 'hub-ndi-server': { enable: false, port: 5959 } }])
    assert.equal((await systemEditor.send(setSettings, part)).result, NOT_PERMITTED, JSON.stringify(part))
  assert.deepEqual((await read()).channel, { 'ndi-enable': true })
})

test('invalid values are refused with their field and change nothing', async () => {
  const server = { address: '192.0.2.5', port: 5959 }
  const cases: [Partial<NdiDiscoverySettings>, field: string, fault?: string][] = [
    [{ servers: [] }, 'servers', 'required'],
    [{ servers: [server, server, server] }, 'servers'],
    [{ servers: [{ address: 'x', port: 5959 }] }, 'servers.address', 'invalid'],
    [{ servers: [{ ...server, port: 65536 }] }, 'servers.port', 'range'],
    [{ 'extra-ips': ['10.0.0.1', '10.0.0.1:5960'] }, 'extra-ips', 'invalid'],
    [{ 'extra-ips': Array.from({ length: 17 }, () => '10.0.0.1') }, 'extra-ips'],
    [{ 'send-groups': 'a,,b' }, 'send-groups', 'invalid'],
    [{ 'recv-groups': 'a\nb' }, 'recv-groups', 'characters'],
    [{ 'machine-name': 'a (b)' }, 'machine-name', 'characters'],
    [{ 'machine-name': 'a"b' }, 'machine-name', 'characters'],
    [{ 'machine-name': '厅'.repeat(17) }, 'machine-name', 'bytes'],
    [{ ifaces: ['eth 0'] }, 'ifaces', 'invalid']
  ]
  for (const [part, field, fault] of cases) {
    const refusal = await setDiscovery(part)
    const { result, field: refused, fault: named } = refusal
    assert.deepEqual([result, refused, named], [INVALID_ARG, `ndi-discovery.${field}`, fault], JSON.stringify(part))
  }
  assert.equal((await set({ 'hub-ndi-server': { enable: true, port: 0 } })).result, INVALID_ARG)
  assert.equal((await read())['ndi-discovery']?.enable, false)
})

test('the port of the discovery server cannot be one that the hub uses, and is then its own', async () => {
  await admin.send(addOutput, { name: 'Monitor', protocol: RTSP, config: { port: 5998 } })
  const { result, field, holder } = await set({ 'hub-ndi-server': { enable: true, port: 5998 } })
  assert.deepEqual([result, field, holder?.of], [PORT_OCCUPIED, 'hub-ndi-server.port', 'output'])
  await set({ 'hub-ndi-server': { enable: true, port: 5999 } })
  assert.equal((await set({ 'hub-ndi-server': { enable: true, port: 5999 } })).result, SUCCESS)
  const taken = await set({ rtmp: { port: 5999 } })
  assert.deepEqual([taken.result, taken.holder?.of], [PORT_OCCUPIED, 'ndi-server'])
})

test('a new channel has an NDI output if the setting says so, and its request does not', async () => {
  await set({ channel: { 'ndi-enable': true } })
  const ndiOf = async (id: number) => (await admin.send(queryChannel, { id })).channel.config.ndi
  const { id: byDefault } = await admin.send(addChannel, { name: 'Hall' })
  assert.deepEqual(await ndiOf(byDefault), { enable: true })
  const { id: without } = await admin.send(addChannel, { name: 'Foyer', config: { ndi: { enable: false } } })
  assert.deepEqual(await ndiOf(without), { enable: false })
  await set({ channel: { 'ndi-enable': false } })
  const { id: later } = await admin.send(addChannel, { name: 'Stage' })
  assert.deepEqual(await ndiOf(later), { enable: false })
  assert.deepEqual(await ndiOf(byDefault), { enable: true })
})

test('names that NDI would never announce are refused for outputs and channels with an NDI output', async () => {
  const machine = hostname()
  const add = (name: string) => admin.send(addOutput, { name, protocol: NDI, config: {} })
  assert.equal((await add(longest(machine))).result, SUCCESS)
  const { result, field, fault, max } = await add(`${longest(machine)}x`)
  assert.deepEqual([result, field, fault, max], [INVALID_ARG, 'name', 'bytes', longest(machine).length])
  assert.equal((await add('演播室一号')).result, SUCCESS)
  const { list } = await admin.send(listOutputs, { key: '演播室' })
  assert.equal(list[0]?.addr, `${machine.toUpperCase()} (演播室一号)`)

  const long = 'y'.repeat(longest(machine).length + 1)
  const ndi = { enable: true }
  assert.equal((await admin.send(addChannel, { name: long, config: { ndi } })).fault, 'bytes')
  const { id } = await admin.send(addChannel, { name: long, config: { ndi: { enable: false } } })
  assert.equal((await admin.send(setChannel, { id, name: long, config: { ndi } })).fault, 'bytes')
  assert.equal((await admin.send(setChannel, { id, name: 'Hall', config: { ndi } })).result, SUCCESS)
  assert.equal((await admin.send(setChannel, { id, name: long })).fault, 'bytes')
  assert.equal((await admin.send(setChannel, { id, name: long, config: { ndi: { enable: false } } })).result, SUCCESS)
  assert.equal((await admin.send(enableChannelOutputs, { id, outputs: [id], enable: true })).fault, 'bytes')
})

test('a machine name that is too long for a source of the hub is refused', async () => {
  await admin.send(addOutput, { name: 'x'.repeat(30), protocol: NDI, config: {} })
  const { result, field, fault, max } = await setDiscovery({ 'machine-name': 'm'.repeat(31) })
  assert.deepEqual([result, field, fault, max], [INVALID_ARG, 'ndi-discovery.machine-name', 'bytes', 30])
  assert.equal((await setDiscovery({ 'machine-name': 'm'.repeat(30) })).result, SUCCESS)
  const { list } = await admin.send(listOutputs, {})
  assert.equal(list[0]?.addr, `${'M'.repeat(30)} (${'x'.repeat(30)})`)
})

test('the status contains the missing runtime, the announced machine name and the settings that the hub cannot use', async () => {
  const status = () => admin.send(getNdiStatus, {})
  const before = await status()
  assert.match(before.runtime.reason ?? '', /NDI runtime/)
  assert.match(before.runtime['next-step'] ?? '', /ndi\.video/)
  assert.deepEqual([before['machine-name'], before.server], [hostname().toUpperCase(), { state: 'not-enabled' }])
  await setDiscovery({ 'machine-name': 'Studio 1', ifaces: ['nic99'], 'extra-ips': ['cam.invalid'] })
  await set({ 'hub-ndi-server': { enable: true, port: 5960 } })
  await until(async () => (await status()).unusable.length === 2, 'the host is looked up')
  const { unusable, server, 'machine-name': machine } = await status()
  assert.deepEqual([unusable, machine, server.state], [['cam.invalid', 'nic99'], 'STUDIO 1', 'not-installed'])
  assert.match(server['next-step'] ?? '', /ndi-discovery-server/)
})

test.run()
