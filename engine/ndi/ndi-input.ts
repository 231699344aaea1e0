// An NDI source as input: `headend-ndi` receives it, and ffmpeg encodes it to MPEG-TS with H.264 and AAC.

import type { NdiUrl } from '../../contract/ndi/url.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { HostLookup, Processes } from '../interfaces/leg-parts.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import type { Ndi, NdiProcessOptions } from '../interfaces/ndi.ts'
import type { Relay } from '../interfaces/relay.ts'
import { bufferArgs } from '../mpegts/buffer-args.ts'
import { failure, ndiFailure } from '../process/failure.ts'
import { runIntoRelay } from '../relay/relay-address.ts'

/** Seconds between two key frames, and so the longest time that a new output waits for its first picture. */
const KEY_FRAME_INTERVAL = 2
/** Milliseconds after which a source that was not found is offline. */
const SEARCH_TIME = 3000
/** Ports that are avoided. The source may keep its old connections to them for a while. */
const LOST_PORTS_MAX = 4

/**
 * The fastest H.264 preset, without frame delay, and with a limit for pictures that are hard to compress.
 * @param buffer playback buffer in milliseconds
 */
const encodeArgs = (buffer: number | undefined) => [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning'],
  ...['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0', '-map', '0'],
  // The encoder keeps the times of the frames, instead of moving them to a grid of the nominal rate, and still writes
  // that rate.
  ...['-fps_mode', 'passthrough', '-enc_time_base:v', '1:90000', '-x264-params', 'force-cfr=1'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
  ...['-crf', '21', '-maxrate', '20M', '-bufsize', '20M'],
  ...['-force_key_frames', `expr:gte(t,n_forced*${KEY_FRAME_INTERVAL})`],
  // Fills gaps in the audio, so that it stays in sync with the video.
  ...['-c:a', 'aac', '-b:a', '192k', '-af', 'aresample=async=1000'],
  ...['-f', 'mpegts', ...bufferArgs(buffer), '-flush_packets', '1', 'pipe:1']
]

export class NdiReceiver {
  readonly #source: NdiUrl
  readonly #context: Processes & HostLookup & { ndi: Ndi }
  #program: string | undefined
  #options: NdiProcessOptions | undefined
  #startedAt = 0
  #isConnected = false
  #formatChanged = false
  #hasLostSource = false
  /**
   * UDP ports at which the media of the source arrived when it was lost, newest first. The next processes avoid them.
   */
  #lostPorts: number[] = []
  #failure: Failure | undefined

  constructor(source: NdiUrl, context: Processes & HostLookup & { ndi: Ndi }) {
    this.#source = source
    this.#context = context
  }

  /** @throws NdiUnavailableError; ForbiddenAddressError */
  async command(): Promise<InputCommand> {
    const { name, buffer, lowBandwidth } = this.#source
    this.#hasLostSource = false
    const runtime = await this.#context.ndi.findRuntime()
    this.#program = runtime.program
    this.#options = await receiveOptions(this.#source, this.#context)
    const bandwidth = lowBandwidth ? 'low' : ''
    return {
      args: [
        'receive',
        runtime.library,
        name,
        '',
        bandwidth,
        this.#lostPorts.join(),
        runtime.ffmpeg,
        ...encodeArgs(buffer)
      ],
      secrets: [],
      // The source connects when it appears in the network.
      isListener: true,
      isConnectionless: false,
      isRemuxed: true,
      failure: () => this.#failure,
      formatChanged: () => this.#formatChanged,
      hasLostSource: () => this.#hasLostSource,
      problem: () => this.#problem()
    }
  }

  run(launch: Launch, relay: Relay): Promise<Process> {
    const { launcher, ndi, now } = this.#context
    this.#startedAt = now()
    this.#isConnected = false
    this.#formatChanged = false
    this.#failure = undefined
    const programLaunch = { ...launch, ...(this.#program !== undefined && { program: this.#program }) }
    const onMessage = (text: string) => {
      const message = JSON.parse(text)
      if (message.connections !== undefined) this.#isConnected = message.connections > 0
      if (message['lost-port'] !== undefined)
        this.#lostPorts = [message['lost-port'], ...this.#lostPorts].slice(0, LOST_PORTS_MAX)
      if (message.failed === 'gone') this.#hasLostSource = true
      if (message.failed === 'changed') this.#formatChanged = true
      else if (message.failed) this.#failure = ndiFailure(message.failed)
    }
    return runIntoRelay(launcher, { ...programLaunch, onMessage }, relay, () =>
      ndi.openConfig(this.#options ?? { role: 'receive', name: this.#source.name })
    )
  }

  #problem() {
    if (this.#isConnected) return undefined
    return this.#context.now() - this.#startedAt < SEARCH_TIME
      ? { state: SOURCE_STATE.adding, connState: CONNECTION_STATE.connecting }
      : failure(CONNECTION_STATE.disconnected, 'ndi-offline', SOURCE_STATE.offline)
  }
}

/**
 * Options of a process that receives a source. The address of a source is one more machine that the runtime asks for
 * its sources, so that it connects to the source of that name only, at whichever port that is now.
 * @throws ForbiddenAddressError; Error with a system code if a name is unknown
 */
export async function receiveOptions(source: NdiUrl, { resolveHost }: HostLookup): Promise<NdiProcessOptions> {
  const { name, address, group, extraIps = [], discoveryServers = [], transport } = source
  const hosts = [...(address ? [address.split(':')[0] as string] : []), ...extraIps]
  const addresses = await Promise.all(hosts.map((host) => resolveHost(host)))
  const servers = await Promise.all(
    discoveryServers.map(async (server) => {
      const [host = '', port] = server.split(':')
      return [await resolveHost(host), port].filter(Boolean).join(':')
    })
  )
  return {
    role: 'receive',
    name,
    ...(transport !== undefined && { transport: { 'transport-mode': transport } }),
    search: { addresses, servers, ...(group && { groups: group }) }
  }
}
