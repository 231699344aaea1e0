// The players of one channel at the shared ports. Each SRT player has its own queue, so that a slow one loses only its own packets. RTMP
// players are served by nginx, to which one output sends the stream while a player is connected.
import type { Socket } from 'node:net'
import { RTMP } from '../../contract/stream/protocols.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Output } from '../interfaces/output.ts'
import type { Stream } from '../interfaces/stream.ts'
import { Subscription } from '../legs/subscription.ts'
import { createPacketQueue, type PacketQueue } from '../mpegts/packet-queue.ts'
import { createOutput } from '../outputs/output.ts'
import { createMeter, type Meter } from '../stats/meter.ts'

/** Milliseconds for which the output to nginx continues after the last player has left. */
const LINGER = 5000

/** The target of the output to nginx. */
export interface RelayTarget {
  url: string
  /** Name of the stream, with its pass. */
  key: string
}

interface SrtPlayer {
  socket: Socket
  queue: PacketQueue
  meter: Meter
  /** Bytes of the socket that the meter has counted. */
  countedBytes: number
}

export class Players {
  readonly #context: EngineContext
  /** By client ID. */
  readonly #srtPlayers = new Map<number, SrtPlayer>()
  readonly #subscription = new Subscription({
    media: (data, starts, tables) => {
      for (const { queue } of this.#srtPlayers.values()) queue.push(data, starts, tables)
    },
    end: () => {
      for (const { queue } of this.#srtPlayers.values()) queue.waitForKeyFrame()
    }
  })
  /** The output to nginx. */
  #relay: { target: RelayTarget; output: Output } | undefined
  /** Since when there is no RTMP player. */
  #idleSince: number | undefined

  constructor(context: EngineContext) {
    // The address policy does not apply to the output to nginx, which is on this machine.
    this.#context = { ...context, resolveHost: async (host) => host }
  }

  /** Changes to another stream, or to none. */
  attach(stream: Stream | undefined): void {
    if (this.#subscription.stream === stream) return
    this.#subscription.attach(stream)
    if (stream) this.#relay?.output.attach(stream)
    else this.#endRelay()
  }

  /** Adds an SRT player, which starts at the next key frame. */
  addSrtPlayer(id: number, socket: Socket): void {
    const queue = createPacketQueue(socket, () => this.#subscription.kbps())
    queue.waitForKeyFrame()
    // A player sends nothing, but the socket must be read to notice its end.
    socket.resume()
    this.#srtPlayers.set(id, { socket, queue, meter: createMeter(), countedBytes: 0 })
  }

  removeSrtPlayer(id: number): void {
    this.#srtPlayers.delete(id)
  }

  /** Current rate of an SRT player. */
  kbps(id: number): number {
    return this.#srtPlayers.get(id)?.meter.kbps(this.#context.now()) ?? 0
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
    const { stream } = this.#subscription
    if (!stream) return
    const output = createOutput({ id: 0, name: '', protocol: RTMP, config: { ...target } }, this.#context)
    this.#relay = { target, output }
    output.attach(stream)
  }

  /** Call about twice a second. */
  tick(now: number): void {
    for (const player of this.#srtPlayers.values()) {
      const sentBytes = player.socket.bytesWritten - player.socket.writableLength
      player.meter.add(sentBytes - player.countedBytes, now)
      player.countedBytes = sentBytes
    }
    this.#relay?.output.tick(now)
    if (this.#idleSince !== undefined && now - this.#idleSince > LINGER) this.#endRelay()
  }

  stop(): void {
    this.attach(undefined)
    this.#srtPlayers.clear()
  }

  #endRelay(): void {
    this.#relay?.output.stop()
    this.#relay = undefined
    this.#idleSince = undefined
  }
}
