// The RTMP port with the real nginx, and ffmpeg as its clients.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Launcher } from '../../../engine/interfaces/launcher.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { type RtmpClient, RtmpPort, type RtmpPortOptions } from '../../../engine/rtmp/rtmp-port.ts'
import {
  cleanUpMedia,
  clipPath,
  decodeFrames,
  type RunningProcess,
  runProcess,
  sendClip
} from '../../kit/engine/media.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('RTMP port')

let launcher: Launcher
let port: RtmpPort
/** IDs of the processes that the port has started. */
let startedPids: number[]
let connected: RtmpClient[]
let disconnected: RtmpClient[]

function createPort(options: Partial<RtmpPortOptions> = {}): RtmpPort {
  return new RtmpPort({
    launcher: {
      run(launch) {
        const process = launcher.run(launch)
        startedPids.push(process.pid ?? 0)
        return process
      }
    },
    host: '127.0.0.1',
    port: 0,
    authorize: ({ isPublisher, key }) => (key === (isPublisher ? 'PUSH-1' : 'PLAY-1') ? 'stream-1' : undefined),
    onConnect: (client) => connected.push(client),
    onDisconnect: (client) => disconnected.push(client),
    onChange() {},
    now: () => performance.now(),
    ...options
  })
}
const waitUntilOpen = () => until(() => port.port() !== undefined, 'the port is open')
const urlOf = (key: string) => `rtmp://127.0.0.1:${port.port()}/live/${key}`
const push = (key: string): RunningProcess => sendClip('flv', urlOf(key))
const play = (key: string): RunningProcess => runProcess(['-v', 'error', '-i', urlOf(key), '-f', 'null', '-'])

test.before(() => {
  clipPath()
})
test.before.each(async () => {
  launcher = createLauncher()
  startedPids = []
  connected = []
  disconnected = []
  port = createPort()
  await waitUntilOpen()
})
test.after.each(async () => {
  await port.close()
  assert.equal(launcher.processCount(), 0)
})
test.after(cleanUpMedia)

test('a stream is published with one key and played with another by several players', async () => {
  push('PUSH-1')
  await until(() => connected.length === 1, 'the publisher is connected')
  const [first, second] = await Promise.all([decodeFrames(urlOf('PLAY-1')), decodeFrames(urlOf('PLAY-1'))])
  for (const decodedStream of [first, second]) {
    assert.equal(decodedStream.codec, 'h264', decodedStream.log)
    assert.ok(decodedStream.distinctFrames > 6, decodedStream.log)
  }
  await until(() => disconnected.length === 2, 'both players have left')
  assert.deepEqual(
    [connected[0]?.isPublisher, connected[0]?.peer, connected[0]?.stream],
    [true, '127.0.0.1', 'stream-1']
  )
  assert.ok(port.clients().length === 1)
})

test('clients without a valid key are refused, also with internal stream names or parameters of the authorization', async () => {
  for (const key of ['PUSH-9', 'stream-1', 'PUSH-9?name=PUSH-1', 'PUSH-9?pass=', 'PLAY-1']) await push(key).exited
  await play('stream-1').exited
  await play('PUSH-1').exited
  assert.deepEqual(connected, [])
})

test('an internal address works for one stream, and only once if it is visible to others', async () => {
  push('PUSH-1')
  await until(() => connected.length === 1, 'the publisher is connected')
  const { url, name } = port.createInternalAddress('stream-1', true)
  const decoded = await decodeFrames(`${url}/${name}`)
  assert.equal(decoded.codec, 'h264', decoded.log)
  assert.equal((await decodeFrames(`${url}/${name}`)).frameCount, 0)
  const otherAddress = port.createInternalAddress('stream-2', true)
  assert.equal((await decodeFrames(`${url}/${otherAddress.name.replace('stream-2', 'stream-1')}`)).frameCount, 0)
  assert.equal(connected.length, 1, 'internal connections are not clients')
})

test('a client can be disconnected, and the bitrate is measured', async () => {
  const sender = push('PUSH-1')
  await until(() => connected.length === 1, 'the publisher is connected')
  const players = [play('PLAY-1'), play('PLAY-1')]
  await until(() => connected.length === 3, 'both players are connected')
  await until(() => port.kbps('stream-1') > 0, 'the bitrate is known')
  await until(
    () => port.kbps('stream-1') > 100 && port.kbps('stream-1') < 600,
    () => `${port.kbps('stream-1')} kbps`
  )
  port.disconnect(connected.find((client) => !client.isPublisher)?.id ?? 0)
  await until(() => players.filter((each) => each.isRunning()).length === 1, 'one player is disconnected')
  assert.ok(sender.isRunning())
  port.disconnect(connected.find((client) => client.isPublisher)?.id ?? 0)
  await sender.exited
  await until(() => !port.clients().some((client) => client.isPublisher), 'the publisher has left')
})

test('a port whose program is killed opens again, and its clients are reported as disconnected', async () => {
  const sender = push('PUSH-1')
  await until(() => connected.length === 1, 'the publisher is connected')
  process.kill(startedPids[0] ?? 0, 'SIGKILL')
  await until(() => port.clients().length === 0 && disconnected.length === 1, 'the publisher is disconnected')
  await sender.exited
  await waitUntilOpen()
  push('PUSH-1')
  await until(() => connected.length === 2, 'the publisher is connected again')
})

test('a port in use is reported and opens when it is free', async () => {
  const usedPort = await freeTcpPort()
  const holder = await new Promise<Server>((resolve) => {
    const server = createServer().listen(usedPort, '127.0.0.1', () => resolve(server))
  })
  const second = createPort({ port: usedPort })
  await until(() => second.failure() !== undefined, 'the port has failed')
  assert.equal(second.failure(), `port-taken ${usedPort}`)
  await new Promise((resolve) => holder.close(resolve))
  second.retryNow()
  await until(() => second.port() === usedPort, 'the port is open')
  assert.equal(second.failure(), undefined)
  await second.close()
})

test('without nginx the reason contains the command that installs it', async () => {
  const second = createPort({ program: '/nonexistent/nginx' })
  await until(() => second.failure() !== undefined, 'the port has failed')
  assert.equal(second.failure(), 'install-with apt-get install -y nginx libnginx-mod-rtmp')
  await second.close()
})

test('folders of dead hubs are removed, and the commands contain no secrets', () => {
  const staleFolder = join(tmpdir(), 'headend-rtmp-4194305-x')
  mkdirSync(staleFolder, { recursive: true })
  const second = createPort()
  assert.ok(!existsSync(staleFolder))
  const ownFolders = readdirSync(tmpdir()).filter((name) => name.startsWith(`headend-rtmp-${process.pid}-`))
  assert.ok(ownFolders.length >= 2)
  const commands = startedPids.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).join()
  assert.doesNotMatch(commands, /PUSH|PLAY|pass=/)
  return second.close()
})

test.run()
