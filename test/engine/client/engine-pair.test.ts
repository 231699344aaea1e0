// Two engines of one hub: the one that runs, and the next one, a process that the first one starts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE, UDP } from '../../../contract/stream/protocols.ts'
import { createEngineClient } from '../../../engine/client/create-engine-client.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { type EngineServer, startEngineServer } from '../../../engine/server/engine-server.ts'
import { engineClientOptions } from '../../kit/engine/client-options.ts'
import { findJumps, sendFrameCounter, UdpRecorder } from '../../kit/engine/frame-counter.ts'
import { removeFoldersOfKilledEngines } from '../../kit/engine/killed-engine.ts'
import { setUpMedia } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { isRunning } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { PORT_SETTINGS, pushedChannel } from '../ports/shared-ports-fixture.ts'

const test = suite('engine pair')
setUpMedia(test)

const ROOT = resolve(import.meta.dirname, '../../..')
/** Writes its process ID, and becomes the engine of this commit, which can start another one in the same way. */
const ENGINE = (folder: string) => `
  echo $$ > '${folder}/pid'
  export PATH='${folder}/bin':"$PATH" HEADEND_LAUNCHER='${folder}/launch' NOTIFY_SOCKET='${folder}/notify.sock'
  cd '${ROOT}'
  exec '${process.execPath}' "$@"`
/** Writes its process ID and the path of its socket, at which the test starts an engine. */
const IN_TEST = (folder: string) => `
  echo "$ENGINE_SOCKET" > '${folder}/socket'
  echo $$ > '${folder}/pid'
  exec tail -f /dev/null`

/** Bytes of two seconds of the frame counter, or more. */
const SOME = 25_000

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
  await endNext()
  rmSync(folder, { recursive: true, force: true })
})

const OPTIONS = {
  instance: 'old',
  engine: { pushHost: '127.0.0.1', outputHost: '127.0.0.1', sharedHost: '127.0.0.1' },
  onRestart() {},
  onSocketTaken() {}
}

/** Writes the script that starts the next engine. */
function writeLauncher(script: string): string {
  const launcher = join(folder, 'launch')
  writeFileSync(launcher, script)
  mkdirSync(join(folder, 'bin'))
  // Nothing watches the engines.
  writeFileSync(join(folder, 'bin/systemd-notify'), '#!/bin/sh\n', { mode: 0o755 })
  return launcher
}

/** @param script starts the next engine. @param canRetire whether that one can take the place of the old one */
async function startServer(script: string, canRetire = true): Promise<void> {
  server = await startEngineServer({
    ...OPTIONS,
    socket: join(folder, 'engine.sock'),
    version: '1.0.1',
    launcher: writeLauncher(script),
    ...(canRetire && { onRetire: () => void server.close() })
  })
}

function createClient(): EngineClient {
  const client = createEngineClient(engineClientOptions(join(folder, 'engine.sock'), calls, { onEvents() {} }))
  clients.push(client)
  return client
}

async function untilConnected(client: EngineClient): Promise<void> {
  let isConnected = false
  void client.whenConnected().then(() => {
    isConnected = true
  })
  await until(() => isConnected, 'the hub is connected')
}

async function connect(...channels: Parameters<EngineClient['apply']>[0][]): Promise<EngineClient> {
  const client = createClient()
  for (const wanted of channels) await client.apply(wanted)
  client.connect()
  await untilConnected(client)
  return client
}

/** @param to port of its receiver */
async function counterChannel(to?: number) {
  const from = await freeUdpPort()
  sendFrameCounter(`udp://127.0.0.1:${from}?pkt_size=1316`)
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': to ?? (await freeUdpPort()) }
  return channel(1, urlInput(5, `udp://127.0.0.1:${from}`), [{ id: 100, name: 'Out', protocol: UDP, config }])
}

const nextPid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'))
/** Sends a signal to the engine that was started last. */
const killNext = (signal: NodeJS.Signals) => process.kill(nextPid(), signal)

/** Ends the engine that was started last, if it still runs. */
async function endNext(): Promise<void> {
  if (!existsSync(join(folder, 'pid')) || !isRunning(nextPid())) return
  killNext('SIGTERM')
  killNext('SIGCONT')
  await until(() => !isRunning(nextPid()), 'the next engine has ended')
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
})

test('after a second switch-over the engine is at the same place, and so is one that is started after its end', async () => {
  await startServer(ENGINE(folder))
  const client = await connect()
  await client.switchOver()
  const before = nextPid()
  await client.switchOver()
  assert.notEqual(nextPid(), before)
  // A hub that starts now.
  await connect()
  assert.deepEqual(calls, [])
  killNext('SIGKILL')
  await until(() => calls.filter((call) => call === 'away').length === 2, 'both hubs have lost it')
  server = await startEngineServer({ ...OPTIONS, socket: join(folder, 'engine.sock') })
  await until(() => calls.filter((call) => call === 'back true').length === 2, 'both hubs find the engine')
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
  killNext('SIGKILL')
  await until(() => server.engine.observe(1).connState === CONNECTION_STATE.connected, 'the old engine runs it again')
  await untilOnAir(second)
})

/** Runs a step when the old engine is asked to hand channels over. @param step gets the function that does it */
function whenGiven(step: (give: () => Promise<void>) => Promise<void>): void {
  const { handOver } = server.engine
  const give = handOver.give.bind(handOver)
  handOver.give = (taken) => step(() => give(taken))
}

test('a channel stays with the old engine if the next one is killed while it takes the channel over', async () => {
  await startServer(ENGINE(folder))
  const recorder = await UdpRecorder.open(0)
  const client = await connect(await counterChannel(recorder.port))
  await untilOnAir(client)
  whenGiven((give) => {
    killNext('SIGKILL')
    return give()
  })
  await assert.rejects(client.switchOver())
  const { bytes } = recorder
  await until(() => recorder.bytes > bytes + SOME, 'the old engine sends it again')
  await untilOnAir(client)
  await recorder.finish()
})

test('a channel stays with the old engine if the next one is stopped, and the switch-over can be continued', async () => {
  await startServer(ENGINE(folder))
  const recorder = await UdpRecorder.open(0)
  const client = await connect(await counterChannel(recorder.port))
  await untilOnAir(client)
  const { handOver } = server.engine
  const offer = handOver.offer.bind(handOver)
  handOver.offer = (ids) => {
    killNext('SIGSTOP')
    return offer(ids)
  }
  await assert.rejects(client.switchOver())
  handOver.offer = offer
  assert.equal(client.observe(1).connState, CONNECTION_STATE.connected)
  assert.equal(handOver.groups().length, 1)
  killNext('SIGCONT')
  const isMoved = () =>
    client.switchOver().then(
      () => true,
      () => false
    )
  await until(isMoved, 'the switch-over is continued')
  await untilOnAir(client)
  const { continuityGaps, frames } = await recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test('the next engine goes on with all channels if the old one is killed while they are moved', async () => {
  const recorder = await UdpRecorder.open(0)
  const launcher = writeLauncher(IN_TEST(folder))
  const old = spawn(process.execPath, ['engine/main.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HEADEND_LAUNCHER: launcher,
      NOTIFY_SOCKET: join(folder, 'notify.sock'),
      ENGINE_SOCKET: join(folder, 'engine.sock')
    },
    stdio: 'ignore'
  })
  const client = await connect(await counterChannel(recorder.port))
  await untilOnAir(client)
  const failed = assert.rejects(client.switchOver())
  await until(() => existsSync(join(folder, 'pid')), 'the next engine is started')
  const [socket, before] = [readFileSync(join(folder, 'socket'), 'utf8').trim(), join(folder, 'engine.sock')]
  server = await startEngineServer({ ...OPTIONS, instance: 'next', socket, before })
  const { handOver } = server.engine
  const take = handOver.take.bind(handOver)
  handOver.take = (...args) => {
    old.kill('SIGKILL')
    return take(...args)
  }
  await failed
  const { bytes } = recorder
  await until(() => recorder.bytes > bytes + SOME, 'the next engine sends it')
  await untilOnAir(client)
  assert.deepEqual(calls.slice(0, 1), ['restart'])
  await recorder.finish()
  removeFoldersOfKilledEngines()
})

test('the shared ports are those of one engine, also for a hub that starts meanwhile and after the end of the next one', async () => {
  await startServer(ENGINE(folder), false)
  const wanted = pushedChannel({ rtmp: false })
  const first = await connect(wanted)
  await first.configurePorts(PORT_SETTINGS)
  const isOpen = (client: EngineClient) => client.observePorts().srt.port !== undefined
  await until(() => isOpen(first), 'the port is open')
  await assert.rejects(first.switchOver())
  await first.close()
  const second = createClient()
  await second.apply(wanted)
  await second.configurePorts(PORT_SETTINGS)
  second.connect()
  await until(() => isOpen(second), 'the port of the next engine is open')
  assert.equal(server.engine.observePorts().srt.port, undefined)
  killNext('SIGKILL')
  await until(() => server.engine.observePorts().srt.port !== undefined, 'the old engine opens the port again')
  await until(() => isOpen(second), 'the hub knows it')
})

test('a hub that ends while a channel is handed over is followed by one that completes it', async () => {
  await startServer(ENGINE(folder))
  // An input whose port both engines cannot have at once.
  const wanted = channel(1, urlInput(5, `srt://:${await freeUdpPort()}?mode=listener`))
  const isListening = (client: EngineClient) => client.observe(1).input.state === SOURCE_STATE.running
  const first = await connect(wanted)
  await until(() => isListening(first), 'the input listens')
  whenGiven(async (give) => {
    await first.close()
    await give()
  })
  await assert.rejects(first.switchOver())
  const second = await connect(wanted)
  await until(() => isListening(second), 'the input listens at the next engine')
  assert.deepEqual(server.engine.handOver.groups(), [])
})

test('a switch-over fails if the next engine ends before the hub is connected with it', async () => {
  // It answers nobody: neither the old engine, which only looks whether it listens, nor the hub.
  const silent = `require('node:net').createServer((socket) => socket.on('data', () => {
    require('node:fs').writeFileSync('${folder}/asked', '')
  })).listen(process.env.ENGINE_SOCKET)`
  await startServer(`echo $$ > '${folder}/pid'; exec '${process.execPath}' -e "${silent}"`)
  const client = await connect(await counterChannel())
  await untilOnAir(client)
  const failed = assert.rejects(client.switchOver(), /has ended/)
  await until(() => existsSync(join(folder, 'asked')), 'the hub connects')
  killNext('SIGKILL')
  await failed
  assert.equal(client.isSwitchingOver(), false)
})

test.run()
