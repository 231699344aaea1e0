// The longest possible latency, at a bitrate at which the default buffers of libsrt would be full before the latency
// has passed.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { LATENCY_MAX } from '../../../contract/limits.ts'
import type { SrtStats } from '../../../engine/interfaces/srt-stats.ts'
import { NULL_PACKETS } from '../../../engine/mpegts/packet.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createSrtCall, linkCall, SRT_PROGRAM } from '../../../engine/srt/caller.ts'
import { SrtPort } from '../../../engine/srt/srt-port.ts'
import { openLinkedSockets } from '../../kit/engine/linked-sockets.ts'
import { until } from '../../kit/until.ts'

const test = suite('SRT buffers')

/** Default buffer size of libsrt in packets. */
const DEFAULT_BUFFER_PACKETS = 8192
/** Null packets that are sent every 20 ms, for 21 Mbit/s. */
const PACKETS_PER_INTERVAL = 40

test('a caller buffers everything that arrives during the latency', async () => {
  const launcher = createLauncher()
  const sockets = openLinkedSockets()
  let player: Socket | undefined
  const port = new SrtPort({
    launcher,
    program: SRT_PROGRAM,
    host: '127.0.0.1',
    port: 0,
    keyLength: 0,
    onConnect({ id }) {
      port.link(
        id,
        sockets.address((socket) => {
          player = socket
        })
      )
    },
    onDisconnect() {},
    onRefusal() {},
    onChange() {},
    now: () => performance.now()
  })
  port.setKeys([
    {
      token: 'play',
      isPublisher: false,
      name: 'PLAY',
      passphrase: '',
      keyLength: 0,
      latency: LATENCY_MAX,
      maxClients: 1,
      allowIp: []
    }
  ])
  let timer: NodeJS.Timeout | undefined
  try {
    await until(() => port.port() !== undefined, 'the port is open')
    let stats: SrtStats | undefined
    const call = createSrtCall(
      {
        isReceiver: true,
        localPort: 0,
        host: '127.0.0.1',
        port: port.port() ?? 0,
        streamId: 'PLAY',
        passphrase: '',
        keyLength: 0,
        latency: LATENCY_MAX,
        overhead: 0
      },
      SRT_PROGRAM,
      {
        onOpen: () => linkCall(receiver, sockets.address(countBytes)),
        onStats(newStats) {
          stats = newStats
        }
      }
    )
    let receivedBytes = 0
    const countBytes = (socket: Socket) =>
      void socket.on('data', (chunk) => {
        receivedBytes += chunk.length
      })
    const receiver = launcher.run({ args: [], ...call?.launch, onEnd() {} })
    await until(() => player !== undefined, 'the caller is connected')
    const chunk = Buffer.concat(Array(PACKETS_PER_INTERVAL).fill(NULL_PACKETS))
    timer = setInterval(() => player && player.writableLength < 4e6 && player.write(chunk), 20)
    await until(
      () => (stats?.packets ?? 0) > DEFAULT_BUFFER_PACKETS + 1000,
      () => `more has arrived than the default buffer holds: ${JSON.stringify(stats)}`
    )
    assert.equal(stats?.dropped, 0)
    assert.equal(receivedBytes, 0)
  } finally {
    clearInterval(timer)
    await Promise.all([launcher.stopAll(), port.close()])
    sockets.close()
  }
})

test('a port buffers everything that arrives during the latency', async () => {
  const launcher = createLauncher()
  const sockets = openLinkedSockets()
  let receivedBytes = 0
  const countBytes = (socket: Socket) =>
    void socket.on('data', (chunk) => {
      receivedBytes += chunk.length
    })
  const port = new SrtPort({
    launcher,
    program: SRT_PROGRAM,
    host: '127.0.0.1',
    port: 0,
    keyLength: 0,
    latency: LATENCY_MAX,
    onConnect: ({ id }) => port.link(id, sockets.address(countBytes)),
    onDisconnect() {},
    onRefusal() {},
    onChange() {},
    now: () => performance.now()
  })
  port.setKeys([
    {
      token: 'push',
      isPublisher: true,
      name: 'PUSH',
      passphrase: '',
      keyLength: 0,
      latency: LATENCY_MAX,
      maxClients: 1,
      allowIp: []
    }
  ])
  let timer: NodeJS.Timeout | undefined
  try {
    await until(() => port.port() !== undefined, 'the port is open')
    const call = createSrtCall(
      {
        isReceiver: false,
        localPort: 0,
        host: '127.0.0.1',
        port: port.port() ?? 0,
        streamId: 'PUSH',
        passphrase: '',
        keyLength: 0,
        latency: LATENCY_MAX,
        overhead: 0
      },
      SRT_PROGRAM,
      {
        onOpen() {
          const address = sockets.address((socket) => {
            feed = socket
          })
          linkCall(sender, address)
        },
        onStats() {}
      }
    )
    let feed: Socket | undefined
    const sender = launcher.run({ args: [], ...call?.launch, onEnd() {} })
    const chunk = Buffer.concat(Array(PACKETS_PER_INTERVAL).fill(NULL_PACKETS))
    timer = setInterval(() => feed && feed.writableLength < 4e6 && feed.write(chunk), 20)
    const stats = () => port.clients()[0]?.stats
    await until(
      () => (stats()?.packets ?? 0) > DEFAULT_BUFFER_PACKETS + 1000,
      () => `more has arrived than the default buffer holds: ${JSON.stringify(stats())}`
    )
    assert.equal(stats()?.dropped, 0)
    assert.equal(receivedBytes, 0)
  } finally {
    clearInterval(timer)
    await Promise.all([launcher.stopAll(), port.close()])
    sockets.close()
  }
})

test.run()
