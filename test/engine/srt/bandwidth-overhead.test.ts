// The bandwidth overhead of players at an SRT port, measured on the network path.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { NULL_PACKETS } from '../../../engine/mpegts/packet.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { SRT_PROGRAM } from '../../../engine/srt/caller.ts'
import type { SrtPortKey } from '../../../engine/srt/port-key.ts'
import { SrtPort } from '../../../engine/srt/srt-port.ts'
import { openLinkedSockets } from '../../kit/engine/linked-sockets.ts'
import { cleanUpMedia, startReceiver } from '../../kit/engine/media.ts'
import { until } from '../../kit/until.ts'
import { createLossyPath } from '../lossy-path.ts'

const test = suite('SRT bandwidth overhead')
test.after(cleanUpMedia)

/** Chunks of a steady stream: 2 Mbit/s for 2 seconds, after which libsrt has measured the input bitrate. */
const CHUNK = Buffer.concat(Array(Math.ceil(2632 / NULL_PACKETS.length)).fill(NULL_PACKETS))
const CHUNK_INTERVAL_MS = 10
const STEADY_CHUNKS = 200
/** Packets that are sent at once: as many as the socket buffers on the path can hold. */
const BURST_PACKETS = 60

/** Returns the milliseconds that a burst takes to reach a player after a steady stream. */
async function measureBurst(overhead: number | undefined): Promise<number> {
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
          player = socket.resume()
        })
      )
    },
    onDisconnect() {},
    onRefusal() {},
    onChange() {},
    now: () => performance.now()
  })
  const key: SrtPortKey = {
    token: 'play',
    isPublisher: false,
    name: 'PLAY',
    passphrase: '',
    keyLength: 0,
    latency: 2000,
    maxClients: 1,
    allowIp: [],
    ...(overhead !== undefined && { overhead })
  }
  port.setKeys([key])
  await until(() => port.port() !== undefined, 'the port is open')
  const path = await createLossyPath({ targetPort: port.port() ?? 0 })
  let timer: NodeJS.Timeout | undefined
  try {
    startReceiver(`srt://127.0.0.1:${path.port}`, ['-srt_streamid', 'PLAY'])
    await until(() => player !== undefined, 'the player is connected')
    let chunks = 0
    timer = setInterval(() => {
      chunks++
      player?.write(CHUNK)
    }, CHUNK_INTERVAL_MS)
    await until(() => chunks >= STEADY_CHUNKS, 'the input bitrate is known')
    const before = path.mediaPackets
    const startedAt = performance.now()
    player?.write(Buffer.concat(Array(BURST_PACKETS).fill(NULL_PACKETS)))
    await until(() => path.mediaPackets - before >= BURST_PACKETS, 'the burst has passed')
    return performance.now() - startedAt
  } finally {
    clearInterval(timer)
    path.close()
    await port.close()
    sockets.close()
  }
}

test('a player gets at most the configured overhead above the input bitrate, and without one there is no limit', async () => {
  // A busy machine only makes a burst take longer.
  const unlimited = Math.min(await measureBurst(undefined), await measureBurst(undefined))
  const limited = await measureBurst(5)
  assert.ok(limited > 2 * unlimited && limited > 150, `${unlimited} ms without and ${limited} ms with a limit`)
})

test.run()
