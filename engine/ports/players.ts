// The players of one channel at the shared ports. Each SRT player has its own queue, so that a slow one loses only its
// own packets. RTMP players are served by nginx, to which one output sends the stream while a player is connected.
import { RTMP, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { Output } from '../interfaces/legs.ts'
import type { RelayAddress, Stream } from '../interfaces/relay.ts'
import { ProcessOutput, type ProcessOutputParts } from '../outputs/process-output.ts'
import { SrtPlayers } from '../srt/srt-players.ts'

/** Milliseconds for which the output to nginx continues after the last player has left. */
const LINGER = 5000
/** Milliseconds for which RTMP players are refused because of the codecs of the stream, before it is tried again. */
const UNSUPPORTED_FOR = 30_000

/** The target of the output to nginx. */
export interface RelayTarget {
  url: string
  /** Name of the stream, with its pass. */
  key: string
}

export class Players {
  readonly #context: ProcessOutputParts
  readonly #srtPlayers: SrtPlayers
  /** The output to nginx. */
  #relay: { target: RelayTarget; output: Output } | undefined
  /** Why RTMP cannot carry the stream, and when that was found. */
  #unsupported: { reason: Reason; at: number } | undefined
  /** Since when there is no RTMP player. */
  #idleSince: number | undefined

  constructor(context: ProcessOutputParts) {
    // The address policy does not apply to the output to nginx, which is on this machine.
    this.#context = { ...context, resolveHost: async (host) => host }
    this.#srtPlayers = new SrtPlayers({ fromCache: true, now: context.now })
  }

  /** Changes to another stream, or to none. */
  attach(stream: Stream | undefined): void {
    if (this.#srtPlayers.stream === stream) return
    this.#srtPlayers.attach(stream)
    this.#unsupported = undefined
    if (stream) this.#relay?.output.attach(stream)
    else this.#endRelay()
  }

  /**
   * Adds an SRT player.
   * @param link connects it to a relay
   */
  addSrtPlayer(id: number, link: (address: RelayAddress) => void): void {
    this.#srtPlayers.add(id, link)
  }

  removeSrtPlayer(id: number): void {
    this.#srtPlayers.remove(id)
  }

  /** The relay has closed the connection of an SRT player. */
  handleUnlink(id: number): void {
    this.#srtPlayers.handleUnlink(id)
  }

  /** Current rate of an SRT player. */
  kbps(id: number): number {
    return this.#srtPlayers.kbps(id)
  }

  /** Starts the output to nginx, or changes its target. Without a target it ends after a while. */
  setRelay(target: RelayTarget | undefined): void {
    if (target === undefined) {
      if (this.#relay) this.#idleSince ??= this.#context.now()
      return
    }
    this.#idleSince = undefined
    const current = this.#relay?.target
    if (current?.url === target.url && current.key === target.key) return
    this.#endRelay()
    const { stream } = this.#srtPlayers
    if (!stream) return
    const wanted = { id: 0, name: '', protocol: RTMP, config: { ...target } } as const
    const output = new ProcessOutput(wanted, this.#context, true)
    this.#relay = { target, output }
    output.attach(stream)
  }

  /** Why RTMP cannot carry the stream: it has other codecs. Undefined if that is not known. */
  rtmpRefusal(): Reason | undefined {
    const { reason, at = 0 } = this.#unsupported ?? {}
    return this.#context.now() - at < UNSUPPORTED_FOR ? reason : undefined
  }

  /** Call about twice a second. */
  tick(now: number): void {
    this.#relay?.output.tick(now)
    const { state, reason } = this.#relay?.output.observe(now) ?? {}
    if (state === SOURCE_STATE.unsupported && reason) {
      this.#unsupported = { reason, at: now }
      this.#endRelay()
    }
    if (this.#idleSince !== undefined && now - this.#idleSince > LINGER) this.#endRelay()
  }

  stop(): void {
    this.attach(undefined)
  }

  #endRelay(): void {
    this.#relay?.output.stop()
    this.#relay = undefined
    this.#idleSince = undefined
  }
}
