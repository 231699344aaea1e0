// One stream of an RTSP server under its key: the main stream or the sub stream.
import type { Stream, Tap } from '../interfaces/relay.ts'
import type { PacketQueue } from '../mpegts/packet-queue.ts'
import { Splice } from '../mpegts/splice.ts'

/** Where the packets of a path come from, while it is attached to the stream of the channel. */
interface PathSource {
  attach(stream: Stream | undefined): void
  cancel(): void
}

/** The players of a path. */
interface PathPlayers {
  /** Queues of those that play. */
  queues(): readonly PacketQueue[]
  /** Disconnects those that play. */
  disconnect(): void
}

export class RtspPath {
  readonly key: string
  readonly #players: PathPlayers
  /** Players stay connected when the source restarts, and many of them stall if its clock goes back. */
  readonly #splice: Splice
  readonly #source: PathSource

  /** @param createSource creates the source of the packets, which passes them to a tap */
  constructor(key: string, players: PathPlayers, createSource: (tap: Tap) => PathSource, now: () => number) {
    this.key = key
    this.#players = players
    this.#splice = new Splice(
      {
        media: (data, starts, tables) => {
          for (const queue of players.queues()) queue.push(data, starts, tables)
        },
        onLayoutChange: () => players.disconnect()
      },
      now
    )
    this.#source = createSource({
      media: (data, starts, tables) => this.#splice.push(data, starts, tables),
      end: () => this.#splice.cut()
    })
  }

  /** Receives the stream only while somebody plays. Call when the stream or the players have changed. */
  update(stream: Stream | undefined): void {
    if (this.#players.queues().length > 0) {
      this.#source.attach(stream)
      return
    }
    this.#source.cancel()
    this.#splice.cut()
  }

  close(): void {
    this.#source.cancel()
  }
}
