// Two engines of one hub: the one that runs, and the next one, a process that the first one starts.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE, UDP } from '../../../contract/stream/protocols.ts'
import { createEngineClient } from '../../../engine/client/create-engine-client.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { type EngineServer, startEngineServer } from '../../../engine/server/engine-server.ts'
import { engineClientOptions } from '../../kit/engine/client-options.ts'
import { sendFrameCounter } from '../../kit/engine/frame-counter.ts'
import { setUpMedia } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('engine pair')
setUpMedia(test)

const ROOT = resolve(import.meta.dirname, '../../..')
/** Writes its process ID, and becomes the engine of this commit. */
const ENGINE = (folder: string) => `echo $$ > '${folder}/pid'; cd '${ROOT}'; exec '${process.execPath}' "$@"`

let folder: string
let server: EngineServer
let clients: EngineClient[] = []
const calls: string[] = []

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-pair-'))
  calls.length = 0
})
test.after.each(async () => {
  for (const client of clients) await client.close()
  clients = []
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** @param script starts the next engine. @param canRetire whether that one can take the place of the old one */
async function startServer(script: string, canRetire = true): Promise<void> {
  const launcher = join(folder, 'launch')
  writeFileSync(launcher, script)
  server = await startEngineServer({
    socket: join(folder, 'engine.sock'),
    instance: 'old',
    version: '1.0.1',
    launcher,
    engine: { pushHost: '127.0.0.1', outputHost: '127.0.0.1', sharedHost: '127.0.0.1' },
    onRestart() {},
    ...(canRetire && { onRetire: () => void server.close() }),
    onSocketTaken() {}
  })
}

async function connect(...channels: Parameters<EngineClient['apply']>[0][]): Promise<EngineClient> {
  const client = createEngineClient(engineClientOptions(join(folder, 'engine.sock'), calls, { onEvents() {} }))
  clients.push(client)
  for (const wanted of channels) await client.apply(wanted)
  client.connect()
  await client.whenConnected()
  return client
}

async function counterChannel(id = 1) {
  const [from, to] = [await freeUdpPort(), await freeUdpPort()]
  sendFrameCounter(`udp://127.0.0.1:${from}?pkt_size=1316`)
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': to }
  return channel(id, urlInput(5, `udp://127.0.0.1:${from}`), [{ id: 100, name: 'Out', protocol: UDP, config }])
}

const untilOnAir = (client: EngineClient) =>
  until(() => client.observe(1).connState === CONNECTION_STATE.connected, 'the channel is on air')

test('all channels are moved, and the next engine takes the place of the one before', async () => {
  await startServer(ENGINE(folder))
  const wanted = await counterChannel()
  const client = await connect(wanted)
  await untilOnAir(client)
  assert.deepEqual([client.canSwitchOver(), client.version()], [true, '1.0.1'])
  await client.switchOver()
  assert.notEqual(client.version(), '1.0.1')
  await untilOnAir(client)
  assert.deepEqual(calls, [])
  // A hub that starts now finds it at the path of the one before.
  await client.close()
  const other = await connect(wanted)
  await untilOnAir(other)
  assert.equal(other.version(), client.version())
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGTERM')
})

test('an engine that does not start leaves the channels where they are', async () => {
  await startServer('exit 1')
  const client = await connect(await counterChannel())
  await untilOnAir(client)
  await assert.rejects(client.switchOver(), /has ended/)
  assert.equal(client.observe(1).connState, CONNECTION_STATE.connected)
})

test('a hub that starts meanwhile finds the channels, which go back when the next engine ends', async () => {
  // The old engine cannot end, so the switch-over stops before its last step.
  await startServer(ENGINE(folder), false)
  const wanted = await counterChannel()
  const first = await connect(wanted)
  await untilOnAir(first)
  await assert.rejects(first.switchOver())
  assert.deepEqual(server.engine.handOver.groups(), [])
  await first.close()
  const second = await connect(wanted)
  await untilOnAir(second)
  assert.deepEqual(server.engine.handOver.groups(), [])
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL')
  await until(() => server.engine.observe(1).connState === CONNECTION_STATE.connected, 'the old engine runs it again')
  await untilOnAir(second)
})

test.run()
