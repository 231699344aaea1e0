// The SRT port with the real program, and ffmpeg as its clients.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import type { Reason } from '../../../contract/stream/reason.ts'
import type { Launcher } from '../../../engine/interfaces/launcher.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import type { SrtPortKey } from '../../../engine/srt/port-key.ts'
import { type SrtClient, SrtPort, type SrtRefusal } from '../../../engine/srt/srt-port.ts'
import { type LinkedSockets, openLinkedSockets } from '../../kit/engine/linked-sockets.ts'
import { cleanUpMedia, clipPath, decodeFrames, type RunningProcess, runProcess } from '../../kit/engine/media.ts'
import { SANITIZED_SRT, watchSanitizers } from '../../kit/engine/sanitized-programs.ts'
import { until } from '../../kit/until.ts'

const test = suite('SRT port')

const PASSPHRASE = 'a word of honour'
const PUSH: SrtPortKey = {
  token: 'push',
  isPublisher: true,
  name: 'PUSH-1',
  passphrase: PASSPHRASE,
  keyLength: 16,
  latency: 120,
  maxClients: 1,
  allowIp: []
}
const PLAY: SrtPortKey = {
  ...PUSH,
  token: 'play',
  isPublisher: false,
  name: 'PLAY-1',
  passphrase: '',
  keyLength: 0,
  maxClients: 2
}

const OPTIONS = {
  program: SANITIZED_SRT,
  keyLength: 0,
  onDisconnect() {},
  now: () => performance.now()
} as const

let launcher: Launcher
let watched: ReturnType<typeof watchSanitizers>
let port: SrtPort
let refusals: SrtRefusal[]
let players: Set<Socket>
let sockets: LinkedSockets
let receivedBytes: number
/** IDs of the processes that the port has started. */
let startedPids: number[]

test.before(() => {
  clipPath()
})
test.before.each(async () => {
  launcher = createLauncher()
  watched = watchSanitizers(launcher)
  refusals = []
  players = new Set()
  sockets = openLinkedSockets()
  receivedBytes = 0
  startedPids = []
  port = new SrtPort({
    launcher: {
      run(launch) {
        const process = watched.run(launch)
        startedPids.push(process.pid ?? 0)
        return process
      }
    },
    ...OPTIONS,
    host: '127.0.0.1',
    port: 0,
    onConnect: ({ id, token }) => port.link(id, sockets.address(token === 'push' ? readPublisher : addPlayer)),
    onRefusal: (refusal) => refusals.push(refusal),
    onChange() {}
  })
  port.setKeys([PUSH, PLAY])
  await waitUntilOpen()
})
test.after.each(async () => {
  await port.close()
  sockets.close()
  assert.equal(launcher.processCount(), 0)
  watched.assertNone()
})
test.after(cleanUpMedia)

/**
 * Makes root an ordinary user for ports: without the right to open those below 1024, in a namespace where these need
 * it.
 */
const UNPRIVILEGED =
  process.getuid?.() === 0 ? ['unshare', '--net', 'setpriv', '--bounding-set=-net_bind_service', '--inh-caps=-all'] : []

const addPlayer = (socket: Socket) => void players.add(socket.once('close', () => players.delete(socket)))
const readPublisher = (socket: Socket) =>
  void socket.on('data', (data) => {
    receivedBytes += data.length
    for (const player of players) player.write(data)
  })
const waitUntilOpen = () => until(() => port.port() !== undefined, 'the port is open')
const url = () => `srt://127.0.0.1:${port.port()}?pkt_size=1316`
const clientsOf = (token: string) => port.clients().filter((client) => client.token === token)

function push(streamId: string, passphrase = PASSPHRASE): RunningProcess {
  const passphraseArgs = passphrase ? ['-passphrase', passphrase] : []
  return runProcess([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts'],
    ...['-srt_streamid', streamId, ...passphraseArgs, url()]
  ])
}

const waitForClient = async (token: string): Promise<SrtClient> => {
  await until(() => clientsOf(token).length > 0, `a client with token ${token} is connected`)
  return clientsOf(token)[0] as SrtClient
}

/** Waits until a client is refused. @returns the cause */
async function waitForRefusal(client: RunningProcess): Promise<string | undefined> {
  const before = refusals.length
  await until(() => refusals.length > before, 'the client is refused')
  await client.exited
  return refusals.at(-1)?.cause
}

test('a stream is published with one key and played with another, in every form of a stream ID', async () => {
  const names = ['publish.srt/live/PUSH-1', '#!::r=live/PUSH-1,m=publish', 'live/PUSH-1', 'PUSH-1']
  for (const name of names) {
    const sender = push(name)
    await waitForClient('push')
    if (name === 'PUSH-1') break
    await sender.kill()
    await until(() => clientsOf('push').length === 0, 'the client has left')
  }
  for (const name of ['play.srt/live/PLAY-1', '#!::m=request,r=PLAY-1']) {
    const decoded = await decodeFrames(url(), 10, ['-srt_streamid', name])
    assert.equal(decoded.codec, 'h264', decoded.log)
    assert.ok(decoded.distinctFrames > 6, decoded.log)
  }
})

test('a percent-encoded stream ID is accepted', async () => {
  port.setKeys([{ ...PUSH, name: 'a&b%41', maxClients: 3 }])
  for (const name of ['publish.srt/live/a%26b%2541', '%23!%3A%3Ar%3Da%26b%2541%2Cm%3Dpublish', 'a&b%41']) push(name)
  await until(() => clientsOf('push').length === 3, 'all publishers are connected')
  assert.equal(await waitForRefusal(push('a%26b%')), 'key')
  assert.equal(await waitForRefusal(push('a&b%4')), 'key')
})

test('the statistics are those of the connection, with bytes within 5 % of the received bytes', async () => {
  push('PUSH-1')
  const client = await waitForClient('push')
  // libsrt counts media on arrival, and delivers it after the latency.
  const reportedBytes = () => client.stats?.bytes ?? 0
  await until(() => reportedBytes() > 200_000, 'there are statistics')
  const before = reportedBytes()
  await until(() => reportedBytes() > before, 'there are new statistics')
  const [arrivedBytes, { stats }] = [receivedBytes, client]
  const delayedBytes = arrivedBytes / 25
  assert.ok(
    stats && Math.abs(stats.bytes - arrivedBytes) < 0.05 * arrivedBytes + delayedBytes,
    `${stats?.bytes} of ${arrivedBytes}`
  )
  assert.ok(stats.packets >= stats.bytes / 1316, `${stats.packets} packets`)
  assert.equal(stats.dropped, 0)
  assert.ok(stats.rtt >= 0 && stats.latency >= 120)
})

test('clients with an unknown key, the wrong mode, a wrong passphrase or a forbidden address are refused, with the cause', async () => {
  port.setKeys([PUSH, PLAY, { ...PLAY, token: 'far', name: 'PLAY-2', allowIp: ['10.0.0.0/8', '192.168.1.7'] }])
  assert.equal(await waitForRefusal(push('PUSH-9')), 'key')
  assert.equal(await waitForRefusal(push('publish.srt/live/PLAY-1', '')), 'mode')
  assert.equal(await waitForRefusal(push('PLAY-2', '')), 'forbidden')
  assert.equal(await waitForRefusal(push('PUSH-1', 'another word')), 'passphrase')
  assert.equal(await waitForRefusal(push('PUSH-1', '')), 'passphrase')
  assert.deepEqual(port.clients(), [])
})

test('a stream has one publisher, and one player too many is refused without disturbing the others', async () => {
  const first = push('PUSH-1')
  await waitForClient('push')
  assert.equal(await waitForRefusal(push('PUSH-1')), 'busy')
  const players = [1, 2].map(() =>
    runProcess(['-v', 'error', '-srt_streamid', 'PLAY-1', '-i', url(), '-f', 'null', '-'])
  )
  await until(() => clientsOf('play').length === 2, 'both players are connected')
  const third = runProcess(['-v', 'error', '-srt_streamid', 'PLAY-1', '-i', url(), '-f', 'null', '-'])
  assert.equal(await waitForRefusal(third), 'full')
  assert.ok(first.isRunning() && players.every((player) => player.isRunning()))
})

test('a client can be disconnected without disturbing the others, and removing a key disconnects its clients', async () => {
  const sender = push('PUSH-1')
  await waitForClient('push')
  const player = runProcess(['-v', 'error', '-srt_streamid', 'PLAY-1', '-i', url(), '-f', 'null', '-'])
  port.disconnect((await waitForClient('play')).id)
  await player.exited
  await until(() => clientsOf('play').length === 0, 'the client has left')
  assert.ok(sender.isRunning())
  port.setKeys([PLAY])
  await sender.exited
  await until(() => clientsOf('push').length === 0, 'the client has left')
})

test('a port whose program is killed opens again with its keys, and its clients are reported as disconnected', async () => {
  const sender = push('PUSH-1')
  await waitForClient('push')
  process.kill(startedPids[0] ?? 0, 'SIGKILL')
  await until(() => port.clients().length === 0 && port.port() === undefined, 'the port has closed and has no clients')
  await waitUntilOpen()
  await sender.exited
  push('PUSH-1')
  await waitForClient('push')
})

test('no secret is in the process list', async () => {
  for (const pid of startedPids) {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    assert.doesNotMatch(command, /honour|PUSH-1|PLAY-1/)
  }
})

test('a key with a line break is refused', () => {
  assert.throws(() => port.setKeys([{ ...PUSH, name: 'a\nkey' }]), /push contains/)
})

test('a port that the program may not open is not reported as taken', async () => {
  let failure: Reason | undefined
  const privileged = new SrtPort({
    ...OPTIONS,
    launcher: {
      run(launch) {
        const [program = '', ...args] = [...UNPRIVILEGED, launch.program ?? '', ...launch.args]
        return launcher.run({ ...launch, program, args })
      }
    },
    host: '0.0.0.0',
    port: 80,
    onConnect() {},
    onRefusal() {},
    onChange() {
      failure ??= privileged.failure()
    }
  })
  await until(() => failure !== undefined, 'the program ends')
  await privileged.close()
  assert.equal(failure, 'port-privileged 80')
})

test.run()
