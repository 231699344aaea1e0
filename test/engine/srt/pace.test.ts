// The bandwidth overhead of who takes from an SRT port, as it is seen on the way.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { NULL_PACKETS } from '../../../engine/mpegts/packets.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { SRT_PROGRAM } from '../../../engine/srt/caller.ts'
import { createSrtPort, type PortKey } from '../../../engine/srt/srt-port.ts'
import { createPath } from '../lossy-path.ts'
import { endAll, receive, until } from '../media.ts'

const test = suite('SRT pace')
test.after(endAll)

/** Bytes of a piece, milliseconds between two, and how many make the stream known: 2 Mbps for 2 seconds. */
const PIECE = Buffer.concat(Array(Math.ceil(2632 / NULL_PACKETS.length)).fill(NULL_PACKETS))
const SPACING = 10
const STEADY = 200
/** Packets that come at once: as many as a socket on the way has room for. */
const BURST = 60

/** Milliseconds that a burst takes on its way to a player, after a steady stream. */
async function burst(overhead: number | undefined): Promise<number> {
  const launcher = createLauncher()
  let player: Socket | undefined
  const port = createSrtPort({
    ...{ launcher, program: SRT_PROGRAM, host: '127.0.0.1', port: 0, keyLength: 0 },
    enter(_, socket) {
      player = socket.resume()
    },
    leave() {},
    refused() {},
    changed() {},
    now: () => performance.now()
  })
  const key: PortKey = {
    ...{ token: 'play', sends: false, name: 'PLAY', passphrase: '', keyLength: 0, latency: 2000, max: 1, from: [] },
    ...(overhead !== undefined && { overhead })
  }
  port.set([key])
  await until('the port is open', () => port.port() !== undefined)
  const path = await createPath({ to: port.port() ?? 0 })
  let timer: NodeJS.Timeout | undefined
  try {
    receive(`srt://127.0.0.1:${path.port}`, ['-srt_streamid', 'PLAY'])
    await until('it takes', () => player !== undefined)
    let pieces = 0
    timer = setInterval(() => {
      pieces++
      player?.write(PIECE)
    }, SPACING)
    await until('its rate is known', () => pieces >= STEADY)
    const before = path.media
    const begin = performance.now()
    player?.write(Buffer.concat(Array(BURST).fill(NULL_PACKETS)))
    while (path.media - before < BURST) await new Promise((resolve) => setTimeout(resolve, 5))
    return performance.now() - begin
  } finally {
    clearInterval(timer)
    path.close()
    await port.close()
  }
}

test('who takes is sent no more than the overhead beyond the stream, and without one as much as goes', async () => {
  const free = await burst(undefined)
  const held = await burst(5)
  assert.ok(held > 2 * free && held > 150, `${free} ms without, ${held} ms with`)
})

test.run()
