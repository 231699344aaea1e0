// Whether discovery finds the source of a preset, with a fake NDI runtime.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../../../../contract/codes.ts'
import { addNdiPreset, listNdiPresets } from '../../../../contract/ndi/preset.ts'
import { createFakeNdi, type FakeNdi, installLibrary } from '../../../engine/ndi/fake-ndi.ts'
import { startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('state of NDI presets')
let network: FakeNdi
let hub: TestHub

test.before.each(async () => {
  network = createFakeNdi()
  hub = await startHub({ ndi: { folders: [network.folder] } })
})
test.after.each(async () => {
  await hub.close()
  network.remove()
})

test('a preset is online or offline as discovery finds it, and unknown if it searches elsewhere or discovery does not run', async () => {
  network.announce(['STUDIO (Cam 1)', '10.0.0.9:5961'], ['STUDIO (Cam 4)', '10.0.0.9:5964'])
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
  assert.deepEqual(await states(), {
    ...unknown,
    Found: NDI_SOURCE_ONLINE,
    Missing: NDI_SOURCE_OFFLINE,
    'Found at once': NDI_SOURCE_ONLINE
  })
})

test.run()
