// The client of the engine with a real engine behind a socket.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { createEngineClient } from '../../../engine/client/create-engine-client.ts'
import type { EngineClient, EngineClientOptions } from '../../../engine/interfaces/engine-client.ts'
import { ENGINE_PROTOCOL } from '../../../engine/interfaces/wire.ts'
import { type EngineServer, startEngineServer } from '../../../engine/server/engine-server.ts'
import { engineClientOptions } from '../../kit/engine/client-options.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('engine client')

let folder: string
let server: EngineServer | undefined
let clients: EngineClient[] = []
let calls: string[] = []

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-client-'))
  calls = []
})
test.after.each(async () => {
  mock.timers.reset()
  for (const client of clients) await client.close()
  clients = []
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const socket = () => join(folder, 'engine.sock')
let instance = 0

async function startServer(protocol?: number): Promise<EngineServer> {
  server = await startEngineServer({
    socket: socket(),
    instance: String(++instance),
    ...(protocol !== undefined && { protocol }),
    engine: { pushHost: '127.0.0.1', outputHost: '127.0.0.1', sharedHost: '127.0.0.1' },
    onRestart: () => calls.push('restart'),
    onSocketTaken() {}
  })
  return server
}

function createClient(options: Partial<EngineClientOptions> = {}): EngineClient {
  const client = createEngineClient(engineClientOptions(socket(), calls, options))
  clients.push(client)
  return client
}

const udpInput = async () => urlInput(1, `udp://127.0.0.1:${await freeUdpPort()}`)

test('a second client finds the channels: equal ones are not touched, unknown ones are removed', async () => {
  const { engine } = await startServer()
  const [kept, changed, removed] = await Promise.all([1, 2, 3].map(async (id) => channel(id, await udpInput())))
  assert.ok(kept && changed && removed)
  const first = createClient()
  for (const wanted of [kept, changed, removed]) await first.apply(wanted)
  first.connect()
  await first.whenConnected()
  const isWaiting = (id: number) => engine.observe(id).input.connState === CONNECTION_STATE.waitingForData
  await until(() => [1, 2, 3].every(isWaiting), 'the inputs of the channels wait for data')
  await first.close()
  const applied: number[] = []
  const apply = engine.apply.bind(engine)
  engine.apply = (wanted) => {
    applied.push(wanted.id)
    apply(wanted)
  }
  const second = createClient()
  await second.apply(kept)
  await second.apply({ ...changed, name: 'New name' })
  second.connect()
  await second.whenConnected()
  assert.deepEqual(applied, [2])
  assert.equal(second.observe(1).input.connState, CONNECTION_STATE.waitingForData)
  await until(async () => engine.processCount() === 2, 'the unknown channel is removed')
})

test('an engine that ends is away, and its legs are shown as disconnected; one that starts runs the same channels', async () => {
  const before = await startServer()
  const client = createClient()
  await client.apply(channel(1, await udpInput()))
  client.connect()
  await client.whenConnected()
  await before.close()
  await until(() => client.isAway(), 'the engine is away')
  const { input, connState } = client.observe(1)
  assert.deepEqual([input.reason, connState], ['engine-away', CONNECTION_STATE.disconnected])
  assert.equal((await client.findNdiSources()).failure?.reason, 'engine-away')
  assert.equal(
    (await client.fetchHls({ method: 'GET', key: 'K', file: 'index.m3u8', address: '192.0.2.1' })).status,
    503
  )
  await assert.rejects(client.legHistory(1, undefined, { span: 60, fields: ['kbps'] }), /not running/)
  await startServer()
  await until(() => !client.isAway(), 'the engine is back')
  await until(() => client.observe(1).input.connState === CONNECTION_STATE.waitingForData, 'the channel runs')
  assert.deepEqual(
    calls.filter((call) => /^(away|back)/.test(call)),
    ['away', 'back true']
  )
})

test('an engine of another version is asked once to restart', async () => {
  await startServer(ENGINE_PROTOCOL + 1)
  createClient().connect()
  await until(() => calls.includes('restart'), 'the demand')
  // The client connects again and again.
  mock.timers.enable({ apis: ['setTimeout'] })
  for (let attempt = 0; attempt < 3; attempt++) {
    mock.timers.tick(60_000)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(calls.sort(), [`protocol ${ENGINE_PROTOCOL + 1}`, 'restart'])
})

test('an order waits for the hub, and a cancelled one is delivered when the hub and the device are back', async () => {
  const { engine } = await startServer()
  const camera = channel(1, { id: 7, name: 'Camera', kind: 'device', sn: 'A1' })
  const first = createClient({ onlineDevices: () => ['A1'] })
  await first.apply(camera)
  first.connect()
  await until(() => calls.includes('push A1'), 'the order')
  await first.close()
  // Without a hub: the engine is ordered to stop the channel by nobody, so the test does it.
  engine.remove(1)
  const second = createClient({ onlineDevices: () => [] })
  second.connect()
  await second.whenConnected()
  assert.ok(!calls.includes('cancel A1'), 'the device is not back')
  second.notifyDeviceChange('A1')
  await until(() => calls.includes('cancel A1'), 'the order is cancelled')
})

test('events that happen without a hub are delivered to the next one', async () => {
  const { engine } = await startServer()
  engine.apply(channel(5, await udpInput()))
  const client = createClient()
  client.connect()
  await until(() => calls.includes('channel-started'), 'the event')
})

test.run()
