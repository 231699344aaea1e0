// Whether discovery finds the source of a preset, with a fake NDI runtime.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../../../../contract/codes.ts'
import { addNdiPreset, listNdiPresets } from '../../../../contract/ndi/preset.ts'
import { listNdiSources } from '../../../../contract/stream/ndi.ts'
import { createFakeNdi, type FakeNdi, installLibrary, silenceMachine } from '../../../engine/ndi/fake-ndi.ts'
import { startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('state of NDI presets')
let network: FakeNdi
let hub: TestHub
/** At which machines are asked. */
let port: number

test.before.each(async () => {
  network = createFakeNdi()
  port = await freeUdpPort()
  hub = await startHub({ ndi: { folders: [network.folder], machinePort: port } })
})
test.after.each(async () => {
  await hub.close()
  network.remove()
})

test('a preset is online or offline as discovery finds it, and unknown if it searches elsewhere or discovery does not run', async () => {
  network.announce(['STUDIO (Cam 1)', '127.0.0.1:5961'], ['STUDIO (Cam 4)', '127.0.0.1:5962'])
  const admin = await hub.signIn()
  await admin.send(addNdiPreset, { name: 'Found', ndi: { name: 'STUDIO (Cam 1)' } })
  await admin.send(addNdiPreset, { name: 'Missing', ndi: { name: 'STUDIO (Cam 2)' } })
  await admin.send(addNdiPreset, { name: 'Other subnet', ndi: { name: 'STUDIO (Cam 3)', 'extra-ips': ['10.0.1.9'] } })
  await admin.send(addNdiPreset, { name: 'Found at once', ndi: { name: 'STUDIO (Cam 4)', url: '10.0.0.9' } })
  const states = async () =>
    Object.fromEntries((await admin.send(listNdiPresets, {})).list.map(({ name, state }) => [name, state]))
  const unknown = { Found: undefined, Missing: undefined, 'Other subnet': undefined, 'Found at once': undefined }
  assert.deepEqual(await states(), unknown, 'without the NDI runtime')
  installLibrary(network.library)
  const expected = {
    ...unknown,
    Found: NDI_SOURCE_ONLINE,
    Missing: NDI_SOURCE_OFFLINE,
    'Found at once': NDI_SOURCE_ONLINE
  }
  await until(async () => isDeepStrictEqual(await states(), expected), 'the states')
})

test('a source whose machine does not answer any more is offline, and its preset, too', async () => {
  installLibrary(network.library)
  network.announce(['FOYER (away)', '127.0.0.2:5961'], ['STUDIO (here)', '127.0.0.3:5961'])
  const admin = await hub.signIn()
  const names = ['FOYER (away)', 'STUDIO (here)']
  for (const name of names) await admin.send(addNdiPreset, { name, ndi: { name } })
  const statesAre = (...states: number[]) =>
    until(async () => {
      const { list } = await admin.send(listNdiSources, {})
      const { list: presets } = await admin.send(listNdiPresets, {})
      const expected = names.map((name, n) => [name, states[n]])
      const bySource = list.map(({ name, state }) => [name, state])
      const byPreset = presets.map(({ ndi, state }) => [ndi.name, state])
      return isDeepStrictEqual(bySource, expected) && isDeepStrictEqual(byPreset, expected)
    }, `the states are ${states}`)
  await statesAre(NDI_SOURCE_ONLINE, NDI_SOURCE_ONLINE)
  const { rev } = hub.parts.store.changes
  const answerAgain = await silenceMachine('127.0.0.2', port)
  await statesAre(NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE)
  assert.ok(hub.parts.store.changes.revOf('source') > rev, 'the consoles are notified')
  await answerAgain()
  await statesAre(NDI_SOURCE_ONLINE, NDI_SOURCE_ONLINE)
})

test('a source is not connected to while it is listed', async () => {
  installLibrary(network.library)
  let connections = 0
  const source = createServer(() => connections++).listen(0, '127.0.0.1')
  await once(source, 'listening')
  network.announce(['STUDIO (Cam 1)', `127.0.0.1:${(source.address() as AddressInfo).port}`])
  const admin = await hub.signIn()
  await until(async () => {
    const { list } = await admin.send(listNdiSources, {})
    return list[0]?.state === NDI_SOURCE_ONLINE
  }, 'the source is online')
  const closed = once(source, 'close')
  source.close()
  await closed
  assert.equal(connections, 0)
})

test.run()
