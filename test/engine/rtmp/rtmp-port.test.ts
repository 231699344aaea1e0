// The RTMP port with the real nginx, and ffmpeg as its clients.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Launcher } from '../../../engine/interfaces/launcher.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createRtmpPort, type RtmpClient, type RtmpPort, type RtmpPortOptions } from '../../../engine/rtmp/rtmp-port.ts'
import {
  cleanUpMedia,
  clipPath,
  decodeFrames,
  type RunningProcess,
  runProcess,
  sendClip,
  waitUntil
} from '../../kit/engine/media.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'

const test = suite('RTMP port')

let launcher: Launcher
let port: RtmpPort
/** IDs of the processes that the port has started. */
let startedPids: number[]
let connected: RtmpClient[]
let disconnected: RtmpClient[]

function createPort(options: Partial<RtmpPortOptions> = {}): RtmpPort {
  return createRtmpPort({
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
const waitUntilOpen = () => waitUntil('the port is open', () => port.port() !== undefined)
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
  await waitUntil('the publisher is connected', () => connected.length === 1)
  const [first, second] = await Promise.all([decodeFrames(urlOf('PLAY-1')), decodeFrames(urlOf('PLAY-1'))])
  for (const decodedStream of [first, second]) {
    assert.equal(decodedStream.codec, 'h264', decodedStream.log)
    assert.ok(decodedStream.distinctFrames > 6, decodedStream.log)
  }
  await waitUntil('both players have left', () => disconnected.length === 2)
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
  await waitUntil('the publisher is connected', () => connected.length === 1)
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
  await waitUntil('the publisher is connected', () => connected.length === 1)
  const players = [play('PLAY-1'), play('PLAY-1')]
  await waitUntil('both players are connected', () => connected.length === 3)
  await waitUntil('the bitrate is known', () => port.kbps('stream-1') > 0)
  await waitUntil(
    () => `${port.kbps('stream-1')} kbps`,
    () => port.kbps('stream-1') > 100 && port.kbps('stream-1') < 600
  )
  port.disconnect(connected.find((client) => !client.isPublisher)?.id ?? 0)
  await waitUntil('one player is disconnected', () => players.filter((each) => each.isRunning()).length === 1)
  assert.ok(sender.isRunning())
  port.disconnect(connected.find((client) => client.isPublisher)?.id ?? 0)
  await sender.exited
  await waitUntil('the publisher has left', () => !port.clients().some((client) => client.isPublisher))
})

test('a port whose program is killed opens again, and its clients are reported as disconnected', async () => {
  const sender = push('PUSH-1')
  await waitUntil('the publisher is connected', () => connected.length === 1)
  process.kill(startedPids[0] ?? 0, 'SIGKILL')
  await waitUntil('the publisher is disconnected', () => port.clients().length === 0 && disconnected.length === 1)
  await sender.exited
  await waitUntilOpen()
  push('PUSH-1')
  await waitUntil('the publisher is connected again', () => connected.length === 2)
})

test('a port in use is reported and opens when it is free', async () => {
  const usedPort = await freeTcpPort()
  const holder = await new Promise<Server>((resolve) => {
    const server = createServer().listen(usedPort, '127.0.0.1', () => resolve(server))
  })
  const second = createPort({ port: usedPort })
  await waitUntil('the port has failed', () => second.failure() !== undefined)
  assert.equal(second.failure(), `port-taken ${usedPort}`)
  await new Promise((resolve) => holder.close(resolve))
  second.retryNow()
  await waitUntil('the port is open', () => second.port() === usedPort)
  assert.equal(second.failure(), undefined)
  await second.close()
})

test('without nginx the reason contains the command that installs it', async () => {
  const second = createPort({ program: '/nonexistent/nginx' })
  await waitUntil('the port has failed', () => second.failure() !== undefined)
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
