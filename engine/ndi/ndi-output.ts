// An output as an NDI source: ffmpeg decodes the stream, and our program hands pictures and sound to the NDI runtime. It is there while the
// input carries; who takes it is counted, and only what is taken.
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { CONNECTION } from '../../contract/stream/protocols.ts'
import type { NdiOutput } from '../../contract/stream/source.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { createFeed, type Feed } from '../mpegts/packet-queue.ts'
import type { OpenCarrier } from '../outputs/in-process-output.ts'
import { explain, type Failure, failure } from '../process/failure.ts'
import type { Process } from '../process/launcher.ts'
import { privateFolder, removeFolder } from '../process/private-folder.ts'
import { systemFailure } from '../process/system-failure.ts'
import { ndiFailure } from './ndi-failure.ts'

/** `transport-mode` (reference 3.9). Of the others it is who takes the stream that chooses. */
const MULTICAST = 1
/** What NDI itself begins with. */
const PREFIX = '239.255.0.0'
const MASK = '255.255.0.0'

/** From MPEG-TS to what our program takes. NDI knows only whole pictures here, so those in halves are put together. */
const DECODE = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning'],
  ...['-probesize', '5000000', '-analyzeduration', '1000000', '-f', 'mpegts', '-i', 'pipe:0'],
  ...['-map', '0:v:0?', '-map', '0:a:0?', '-vf', 'yadif=deint=interlaced'],
  ...['-c:v', 'rawvideo', '-pix_fmt', 'uyvy422', '-c:a', 'pcm_f32le', '-ar', '48000'],
  ...['-f', 'matroska', '-flush_packets', '1', 'pipe:1']
]

interface Run {
  process: Process
  feed: Feed | undefined
  began: number
  opened: boolean
  /** Bytes that it has taken, and when that was last more. */
  taken: number
  movedAt: number
}

/** The runtime's own configuration, of what is sent by multicast: a folder with it, or nothing. */
function configuration(config: NdiOutput): string | undefined {
  if (config['transport-mode'] !== MULTICAST) return undefined
  const folder = privateFolder('ndi')
  const { 'mcast-ip': netprefix = PREFIX, 'mcast-sub-mask': netmask = MASK } = config
  const send = { enable: true, netprefix, netmask, ttl: config['mcast-time-to-live'] ?? 1 }
  writeFileSync(join(folder, 'ndi-config.v1.json'), JSON.stringify({ ndi: { multicast: { send } } }), { mode: 0o600 })
  return folder
}

/** @param name of the source: `MACHINE (name)` in the network */
export function ndiOutput(name: string, config: NdiOutput, around: Surroundings): OpenCarrier {
  return async ({ carried, failed, changed, kbps }) => {
    const { launcher, now, patience } = around
    const { program, library, ffmpeg } = await around.ndi.look()
    const folder = configuration(config)
    let run: Run | undefined
    let takers = 0
    let lost = 0
    let closed = false
    /** One that ends still has the name. */
    let leaving: Promise<void> | undefined

    function start(): void {
      let why: Failure | undefined
      const process = launcher.run({
        program,
        args: ['send', library, name, config.group ?? '', folder ?? '', ffmpeg, ...DECODE],
        takes: true,
        says(text) {
          const said = JSON.parse(text)
          if (said.open) mine.opened = true
          if (said.connections !== undefined) takers = said.connections
          if (said.failed) why = ndiFailure(said.failed)
          changed()
        },
        ended(lines) {
          if (run !== mine) return
          run = undefined
          failed(why ?? explain(lines, { opened: mine.opened, srtCaller: false, secrets: [] }))
        }
      })
      const feed = process.input && createFeed(process.input, kbps)
      feed?.seek()
      const mine: Run = { process, feed, began: now(), opened: false, taken: 0, movedAt: now() }
      run = mine
    }

    function end(): void {
      const old = run
      if (!old) return
      run = undefined
      takers = 0
      lost += old.feed?.dropped() ?? 0
      const gone = old.process.stop().finally(() => {
        if (leaving === gone) leaving = undefined
      })
      leaving = gone
      changed()
    }

    return {
      media(data, starts, tables) {
        if (!run && !leaving && !closed && starts.length > 0)
          try {
            start()
          } catch (error) {
            failed(systemFailure(error as Error))
          }
        run?.feed?.take(data, starts, tables)
      },
      over: end,
      clients: () => takers,
      waits: () => run?.opened === true && takers === 0,
      dropped: () => lost + (run?.feed?.dropped() ?? 0),
      tick() {
        // A pipe of a process is a socket to Node.
        const input = run?.process.input as Socket | undefined
        if (!run || !input) return
        const at = now()
        const taken = input.bytesWritten - input.writableLength
        if (taken > run.taken && takers > 0) carried(taken - run.taken)
        if (taken > run.taken || input.writableLength === 0) run.movedAt = at
        run.taken = taken
        const seconds = Math.round(patience.stall / 1000)
        if (at - run.movedAt > patience.stall) failed(failure(CONNECTION.disconnected, `target-stuck-for ${seconds}`))
        else if (!run.opened && at - run.began > patience.start) failed(failure(CONNECTION.failed, 'timed-out'))
      },
      async close() {
        closed = true
        end()
        await leaving
        if (folder) removeFolder(folder)
      }
    }
  }
}
