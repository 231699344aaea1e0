// The NDI sources of the network, as they are answered, by what stands in for the runtime.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_OUTPUT_VIEW } from '../../../../contract/permissions.ts'
import { listNdiSources } from '../../../../contract/stream/ndi.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { createNetwork, install, type Network } from '../../../engine/ndi/ndi.ts'
import { addUser, startHub, type TestHub } from '../../../kit/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI sources')
let network: Network
let hub: TestHub
let closed: boolean

async function begin(library?: string): Promise<void> {
  network = createNetwork(library)
  closed = false
  hub = await startHub({ ndi: { folders: [network.folder] } })
}
test.after.each(async () => {
  if (!closed) await hub.close()
  network.remove()
})

test('what the network announces is listed by name, as what it may be saved as, and follows the network', async () => {
  await begin('libndi.so.6')
  network.offers(
    ['STUDIO (Cam 10)', '10.0.0.9:5962'],
    ['STUDIO (Cam 2)', '10.0.0.9:5961'],
    ['大厅 ("A")', '10.0.0.8:5961']
  )
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  const { result, list, total, runtime } = await viewer.send(listNdiSources, {})
  assert.deepEqual([result, total, runtime], [0, 3, { version: 'NDI stand-in 6.0.0' }])
  assert.deepEqual(list.map(({ name }) => name).sort(), ['STUDIO (Cam 10)', 'STUDIO (Cam 2)', '大厅 ("A")'].sort())
  assert.ok(list.findIndex(({ name }) => name.endsWith('2)')) < list.findIndex(({ name }) => name.endsWith('10)')))
  const { list: found } = await viewer.send(listNdiSources, { key: 'cam 2' })
  assert.deepEqual(found, [
    {
      name: 'STUDIO (Cam 2)',
      addr: '10.0.0.9:5961',
      dir: 256,
      type: 323,
      protocol: 64,
      config: { type: 1, url: 'ntkndi://ndi?name=STUDIO%20(Cam%202)' }
    }
  ])
  const admin = await hub.signIn()
  for (const [at, { config }] of list.entries())
    assert.equal((await admin.send(addInput, { name: `Cam ${at}`, config })).result, 0, config.url)
  assert.equal((await admin.send(listInputs, { protocol: 64 })).total, 3)
  const { rev } = hub.hub.store.changes
  network.offers(['STUDIO (Cam 2)', '10.0.0.9:5999'])
  // Two that are gone and one that has moved.
  await until(() => hub.hub.store.changes.revOf('source') >= rev + 3, 'the consoles are told')
  const later = await viewer.send(listNdiSources, {})
  assert.deepEqual(
    later.list.map(({ addr }) => addr),
    ['10.0.0.9:5999']
  )
  assert.equal(network.sent().filter((line) => line.startsWith('find groups')).length, 1, 'one search for all')
})

test('without the runtime it is said what is missing, in the language of who asks, and found once it is there', async () => {
  await begin()
  network.offers(['STUDIO (Cam 1)', '10.0.0.9:5961'])
  const admin = await hub.signIn()
  const none = await admin.send(listNdiSources, {})
  assert.deepEqual([none.result, none.total, none.runtime.version], [0, 0, undefined])
  assert.match(none.runtime.reason ?? '', /needs the NDI runtime/)
  assert.match(none.runtime['next-step'] ?? '', /ndi\.video/)
  install(network.library)
  assert.equal((await admin.send(listNdiSources, {})).total, 1)
})

test('nothing of the search stays behind when the hub ends', async () => {
  await begin('libndi.so.6')
  const admin = await hub.signIn()
  const asked = admin.send(listNdiSources, {})
  await until(() => hub.hub.engine.processes() > 0, 'it is searched')
  await hub.close()
  closed = true
  assert.equal(hub.hub.engine.processes(), 0)
  await asked
})

test.run()
