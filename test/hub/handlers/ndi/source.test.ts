// The list of NDI sources in the network, with a fake NDI runtime.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_OUTPUT_VIEW, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import { NDI_SOURCE_ONLINE, SUCCESS } from '../../../../contract/codes.ts'
import { addNdiPreset } from '../../../../contract/ndi/preset.ts'
import { addMatrix } from '../../../../contract/ndi/router.ts'
import type { NdiDiscoverySettings } from '../../../../contract/ndi/settings.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { addChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { listNdiSources } from '../../../../contract/stream/ndi.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { createFakeNdi, type FakeNdi, installLibrary, silenceMachine } from '../../../engine/ndi/fake-ndi.ts'
import { addUser, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI sources')
let network: FakeNdi
let hub: TestHub
let closed: boolean
let machinePort: number

async function start(library?: string): Promise<void> {
  network = createFakeNdi(library)
  closed = false
  machinePort = await freeUdpPort()
  hub = await startHub({ ndi: { folders: [network.folder], machinePort } })
}
test.after.each(async () => {
  if (!closed) await hub.close()
  network.remove()
})

test('announced sources are listed by name with the URL to store, and the list follows the network', async () => {
  await start('libndi.so.6')
  network.announce(
    ['STUDIO (Cam 10)', '10.0.0.9:5962'],
    ['STUDIO (Cam 2)', '10.0.0.9:5961'],
    ['大厅 ("A")', '10.0.0.8:5961']
  )
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  const { result, list, total, runtime } = await viewer.send(listNdiSources, {})
  assert.deepEqual([result, total, runtime], [0, 3, { version: 'Fake NDI 6.0.0' }])
  assert.deepEqual(list.map(({ name }) => name).sort(), ['STUDIO (Cam 10)', 'STUDIO (Cam 2)', '大厅 ("A")'].sort())
  assert.ok(list.findIndex(({ name }) => name.endsWith('2)')) < list.findIndex(({ name }) => name.endsWith('10)')))
  const { list: found } = await viewer.send(listNdiSources, { key: 'cam 2' })
  // `preset-state.test.ts` tests the state.
  const foundWithoutState = found.map(({ state, ...source }) => source)
  assert.deepEqual(foundWithoutState, [
    {
      name: 'STUDIO (Cam 2)',
      addr: '10.0.0.9:5961',
      dir: 256,
      type: 323,
      protocol: 64,
      config: { type: 1, url: 'ntkndi://ndi?name=STUDIO%20(Cam%202)' },
      presets: []
    }
  ])
  const admin = await hub.signIn()
  for (const [at, { config }] of list.entries())
    assert.equal((await admin.send(addInput, { name: `Cam ${at}`, config })).result, SUCCESS, config.url)
  assert.equal((await admin.send(listInputs, { protocol: 64 })).total, 3)
  const { rev } = hub.parts.store.changes
  network.announce(['STUDIO (Cam 2)', '10.0.0.9:5999'])
  // Two sources have disappeared and one has another address.
  await until(async () => {
    const later = await viewer.send(listNdiSources, {})
    return later.list.map(({ addr }) => addr).join() === '10.0.0.9:5999'
  }, 'the list follows')
  assert.ok(hub.parts.store.changes.revOf('source') >= rev + 3, 'the consoles are notified')
  assert.equal(network.readLog().filter((line) => line.startsWith('find groups')).length, 1, 'one search serves all')
})

test('the list names the channels and matrices of each source that the caller may see, and the possible causes of a missing one', async () => {
  await start('libndi.so.6')
  network.announce(['STUDIO (Cam 1)', '127.0.0.1:5961'])
  const admin = await hub.signIn()
  const { id } = await admin.send(addNdiPreset, { name: 'Pulpit', ndi: { name: 'STUDIO (Cam 1)' } })
  const { id: missingId } = await admin.send(addNdiPreset, { name: 'Stage', ndi: { name: 'STUDIO (Cam 2)' } })
  await admin.send(addNdiPreset, { name: 'Elsewhere', ndi: { name: 'HALL (Cam)', url: '10.0.1.9' } })
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id: channel, input: id })
  const { id: matrix } = await admin.send(addMatrix, {
    name: 'Router',
    machine: 'Headend',
    sources: [{ name: 'STUDIO (Cam 1)' }, { name: 'FOYER (Desk)' }],
    destinations: [{}]
  })
  const matrices = [{ id: matrix, name: 'Router' }]
  const channels = { 'owner-i': ['Hall'], 'owner-i-d': [channel] }
  const noChannels = { 'owner-i': [], 'owner-i-d': [] }
  const { list, missing } = await admin.send(listNdiSources, {})
  const [source] = list
  assert.deepEqual(
    [source?.presets, source?.matrices, source?.['owner-i'], source?.['owner-i-d']],
    [[id], matrices, channels['owner-i'], channels['owner-i-d']]
  )
  assert.deepEqual(
    missing.map(({ texts: _, ...each }) => each),
    [
      {
        name: 'FOYER (Desk)',
        reasons: ['machine-off', 'subnet', 'group', 'discovery-server', 'firewall'],
        ...noChannels,
        presets: [],
        matrices
      },
      {
        name: 'STUDIO (Cam 2)',
        reasons: ['ended', 'group', 'discovery-server'],
        ...noChannels,
        presets: [missingId],
        matrices: []
      }
    ]
  )
  assert.deepEqual(missing[1]?.texts, [
    'Other sources of this machine are found: the source was stopped or renamed.',
    'It is in a group in which the hub does not search. Save the group in the preset. The hub searches in: Public.',
    'It is registered with a discovery server that the hub does not use. The hub uses none.'
  ])
  const { settings } = await admin.send(getSettings, {})
  const discovery = { ...(settings['ndi-discovery'] as NdiDiscoverySettings), enable: true, ifaces: ['nic99'] }
  const servers = [{ address: '192.0.2.5', port: 5959 }]
  const changed = { ...discovery, servers, 'recv-groups': 'Stage', 'extra-ips': ['cam.invalid'] }
  await admin.send(setSettings, { 'ndi-discovery': changed })
  await until(async () => {
    const { unusable = [] } = (await admin.send(listNdiSources, {})).search ?? {}
    return unusable.length === 2
  }, 'the host is looked up')
  const { missing: later, search: searched } = await admin.send(listNdiSources, {})
  assert.deepEqual(searched, {
    ...{ groups: 'Stage', servers: ['192.0.2.5:5959'], ifaces: ['nic99'] },
    unusable: ['cam.invalid', 'nic99']
  })
  assert.deepEqual(later[0]?.reasons.slice(0, 3), ['machine-off', 'settings', 'interface'])
  assert.match(later[0]?.texts[1] ?? '', /cannot be used\. Unknown, forbidden or missing: cam\.invalid, nic99\.$/)
  const search = await admin.send(listNdiSources, { key: 'cam 2' })
  assert.deepEqual([search.total, search.missing.length], [0, 1])
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  const seenByViewer = await viewer.send(listNdiSources, {})
  const [seen] = seenByViewer.list
  assert.equal(seenByViewer.search, undefined)
  assert.deepEqual([seen?.presets, seen?.matrices, seen?.['owner-i']], [[id], undefined, undefined])
  const operator = await addUser(hub, 'olga', NDI_VIEW)
  const [routed] = (await operator.send(listNdiSources, {})).list
  assert.deepEqual([routed?.matrices, routed?.['owner-i']], [matrices, undefined])
  await until(async () => {
    const { list } = await admin.send(listNdiSources, {})
    return list[0]?.state === NDI_SOURCE_ONLINE
  }, 'the machine answers')
  const answerAgain = await silenceMachine('127.0.0.1', machinePort)
  await until(async () => {
    const { missing } = await admin.send(listNdiSources, {})
    return missing.find(({ name }) => name === 'STUDIO (Cam 2)')?.reasons[0] === 'machine-off'
  }, 'the machine counts as off when it does not answer any more')
  await answerAgain()
})

test('without the NDI runtime the response names the missing runtime, in the language of the caller, until it is installed', async () => {
  await start()
  network.announce(['STUDIO (Cam 1)', '10.0.0.9:5961'])
  const admin = await hub.signIn()
  const withoutRuntime = await admin.send(listNdiSources, {})
  assert.deepEqual([withoutRuntime.result, withoutRuntime.total, withoutRuntime.runtime.version], [0, 0, undefined])
  assert.match(withoutRuntime.runtime.reason ?? '', /requires the NDI runtime/)
  assert.match(withoutRuntime.runtime['next-step'] ?? '', /ndi\.video/)
  installLibrary(network.library)
  assert.equal((await admin.send(listNdiSources, {})).total, 1)
})

test('NDI discovery stops when the hub stops', async () => {
  await start('libndi.so.6')
  const admin = await hub.signIn()
  const pending = admin.send(listNdiSources, {})
  await until(() => hub.engine.processCount() > 0, 'the search is running')
  await hub.close()
  closed = true
  assert.equal(hub.engine.processCount(), 0)
  await pending
})

test.run()
