// An input that is an NDI source: our program takes it from the NDI runtime, and ffmpeg codes what comes as H.264 with AAC in MPEG-TS.
import type { NdiUrl } from '../../contract/stream/ndi-url.ts'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { InputCommand } from '../inputs/input-command.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { type Failure, failure } from '../process/failure.ts'
import type { Launch, Process } from '../process/launcher.ts'
import { ndiFailure } from './ndi-failure.ts'

/** Seconds between two key frames: how long an output that begins has to wait at most. */
const KEY_FRAMES = 2
/** Milliseconds that the network may take to tell where a source is. */
const SEARCH = 3000

/** As cheap as H.264 comes, and without a picture's delay; a picture that is hard to code may not fill the line. */
const ENCODE = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning'],
  ...['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0', '-map', '0'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
  ...['-crf', '21', '-maxrate', '20M', '-bufsize', '20M', '-force_key_frames', `expr:gte(t,n_forced*${KEY_FRAMES})`],
  // Gaps in the sound are filled, so that it stays with the picture.
  ...['-c:a', 'aac', '-b:a', '192k', '-af', 'aresample=async=1000'],
  ...['-f', 'mpegts', '-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', 'pipe:1']
]

/** The host that a source is fetched from; undefined where it is found by what it announces itself. */
export const ndiHost = ({ address }: NdiUrl): string | undefined => address?.split(':')[0]

/** How a source is had: a command for the program, and what carries it out. */
export function ndiReceiver(
  { name, address }: NdiUrl,
  around: Pick<Surroundings, 'ndi' | 'place' | 'launcher' | 'now'>
) {
  let program: string | undefined
  let began = 0
  let there = false
  let another = false
  let why: Failure | undefined
  return {
    async command(): Promise<InputCommand> {
      const runtime = await around.ndi.look()
      program = runtime.program
      const [host, port] = address?.split(':') ?? []
      const judged = host && (await around.place(host))
      const at = judged ? [judged, port].filter(Boolean).join(':') : ''
      return {
        args: ['receive', runtime.library, name, at, runtime.ffmpeg, ...ENCODE],
        secrets: [],
        // It is taken when it comes.
        listens: true,
        connectionless: false,
        remuxes: true,
        failure: () => why,
        another: () => another,
        trouble() {
          if (there) return undefined
          return around.now() - began < SEARCH
            ? { state: SOURCE.adding, connState: CONNECTION.connecting }
            : failure(CONNECTION.disconnected, 'ndi-offline', SOURCE.offline)
        }
      }
    },
    run(launch: Launch): Process {
      began = around.now()
      there = false
      another = false
      why = undefined
      return around.launcher.run({
        ...launch,
        ...(program !== undefined && { program }),
        says(text) {
          const said = JSON.parse(text)
          if (said.connections !== undefined) there = said.connections > 0
          if (said.failed === 'changed') another = true
          else if (said.failed) why = ndiFailure(said.failed)
        }
      })
    }
  }
}
