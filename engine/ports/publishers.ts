// Publishers at the shared ports, as inputs receive them.
import { withoutBrackets } from '../../contract/ipv6.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { buildInputCommand } from '../inputs/input-command.ts'
import type { Launch, Launcher } from '../interfaces/launcher.ts'
import type { Publisher } from '../interfaces/leg-parts.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import { feedAddress, runIntoRelay } from '../relay/relay-address.ts'
import type { RtmpPort } from '../rtmp/rtmp-port.ts'
import type { SrtClient, SrtPort } from '../srt/srt-port.ts'
import { createSrtStatsNotifier } from '../srt/srt-totals.ts'

const NO_COMMAND: InputCommand = { args: [], secrets: [], isListener: false, isConnectionless: false }

/** A publisher at the shared SRT port. */
export interface SrtPublisher extends Publisher {
  /** Statistics may have arrived. */
  handleChange(): void
  /** It has left. */
  handleEnd(): void
}

/**
 * A publisher whose media the SRT port sends to the relay.
 * @param disconnect called when the input stops
 */
export function createSrtPublisher(client: SrtClient, port: SrtPort, disconnect: () => void): SrtPublisher {
  let launch: Launch | undefined
  let hasLeft = false
  const left = Promise.withResolvers<void>()
  let notifyStats: (() => void) | undefined
  return {
    command: () => NO_COMMAND,
    async run(newLaunch, relay) {
      launch = newLaunch
      notifyStats = createSrtStatsNotifier(client, newLaunch.onSrtStats)
      if (hasLeft) queueMicrotask(() => launch?.onEnd([]))
      else port.link(client.id, feedAddress(relay))
      return {
        pid: undefined,
        stdin: undefined,
        stop() {
          launch = undefined
          disconnect()
          return left.promise
        }
      }
    },
    handleChange: () => notifyStats?.(),
    handleEnd() {
      hasLeft = true
      left.resolve()
      launch?.onEnd([])
    }
  }
}

/**
 * A publisher whose stream ffmpeg fetches from nginx.
 * @param stream name of the stream inside nginx
 * @param disconnect called when the input stops
 */
export const createRtmpPublisher = (
  stream: string,
  port: RtmpPort,
  launcher: Launcher,
  disconnect: () => void
): Publisher => ({
  command: () => fetchCommand(stream, port),
  async run(launch, relay) {
    const process = await runIntoRelay(launcher, launch, relay)
    return {
      pid: process.pid,
      stdin: process.stdin,
      isStuck: () => process.isStuck?.() ?? false,
      stop() {
        disconnect()
        return process.stop()
      }
    }
  }
})

/** The internal address is valid for one connection, which is made immediately, because the process list shows it. */
function fetchCommand(stream: string, port: RtmpPort): InputCommand {
  const { url, name } = port.createInternalAddress(stream, true)
  const { hostname, port: number, pathname } = new URL(url)
  const path = `${pathname}/${name}`
  return buildInputCommand({
    protocol: RTMP,
    scheme: 'rtmp',
    host: withoutBrackets(hostname),
    port: Number(number),
    path
  })
}
