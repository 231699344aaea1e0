// Whether discovery finds the source of a preset, with a fake NDI runtime.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../../../../contract/codes.ts'
import { addNdiPreset, listNdiPresets } from '../../../../contract/ndi/preset.ts'
import { listNdiSources } from '../../../../contract/stream/ndi.ts'
import { createFakeNdi, type FakeNdi, installLibrary, listenAsSource } from '../../../engine/ndi/fake-ndi.ts'
import { startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

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

/** Listens at a port that answers no connection, because its queue is full and its program hangs. */
const HANGING_PROGRAM = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

/**
 * @returns the address of a port that does not answer, as that of a machine without a cable, and a function that ends
 * it
 */
async function hang(): Promise<{ address: string; end(): void }> {
  const child = spawn(process.execPath, ['-e', HANGING_PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(String((await once(child.stdout, 'data'))[0]))
  // They fill the queue.
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return {
    address: `127.0.0.1:${port}`,
    end() {
      for (const socket of sockets) socket.on('error', () => {}).destroy()
      child.kill('SIGKILL')
    }
  }
}

test('a preset is online or offline as discovery finds it, and unknown if it searches elsewhere or discovery does not run', async () => {
  const { address, end } = await listenAsSource()
  network.announce(['STUDIO (Cam 1)', address], ['STUDIO (Cam 4)', address])
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
  await end()
})

test('a source that is announced and does not answer is offline, and its preset, too', async () => {
  installLibrary(network.library)
  const answering = await listenAsSource()
  const ended = await listenAsSource()
  await ended.end()
  const hanging = await hang()
  network.announce(
    ['STUDIO (on)', answering.address],
    ['STUDIO (refusing)', ended.address],
    ['STUDIO (silent)', hanging.address]
  )
  const admin = await hub.signIn()
  for (const name of ['on', 'refusing', 'silent'])
    await admin.send(addNdiPreset, { name, ndi: { name: `STUDIO (${name})` } })
  const statesAre = (expected: readonly (readonly [name: string, state: number])[]) =>
    until(async () => {
      const { list } = await admin.send(listNdiSources, {})
      const { list: presets } = await admin.send(listNdiPresets, {})
      const bySource = list.map(({ name, state }) => [name, state])
      const byPreset = presets.map(({ ndi, state }) => [ndi.name, state])
      return isDeepStrictEqual(bySource, expected) && isDeepStrictEqual(byPreset, expected)
    }, `the states ${expected}`)
  const offline = [
    ['STUDIO (refusing)', NDI_SOURCE_OFFLINE],
    ['STUDIO (silent)', NDI_SOURCE_OFFLINE]
  ] as const
  await statesAre([['STUDIO (on)', NDI_SOURCE_ONLINE], ...offline])
  const { rev } = hub.parts.store.changes
  await answering.end()
  await statesAre([['STUDIO (on)', NDI_SOURCE_OFFLINE], ...offline])
  assert.ok(hub.parts.store.changes.revOf('source') > rev, 'the consoles are notified')
  hanging.end()
})

test.run()
