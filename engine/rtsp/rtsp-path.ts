// One stream of an RTSP server under its key: the main stream or the sub stream. A player begins with the group of
// pictures so far: the first one gets it from the source, the others from here.
import type { Stream, Tap } from '../interfaces/relay.ts'
import { GROUP_MAX, type PacketGroup, type PacketQueue } from '../mpegts/packet-queue.ts'
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

/** Milliseconds after which a group of pictures is too old to begin with (GOP_MAX_US in engine/native/relay). */
const GROUP_TIME = 12_000
/** Bytes of a block of memory into which the packets of a group are copied. */
const BLOCK = 256 << 10
/** Bytes that wait for the players of a path together, above which a further player begins at the next key frame. */
const WAITING_MAX = 64 << 20

/**
 * The packets since the last key frame. Each group uses the memory of the one before, because new memory makes garbage
 * collection frequent.
 */
class GroupCache {
  readonly #now: () => number
  /** Undefined: there was no key frame, or the group is too large. */
  #group: { tables: Buffer; chunks: Buffer[]; startedAt: number } | undefined
  #bytes = 0
  /** The memory of the group: a few large buffers, because many small ones cost more time. */
  #blocks: Buffer[] = []
  /** Number of blocks that the group uses, and the free part of the last one. */
  #used = 0
  #free: Buffer = Buffer.alloc(0)
  /** Whether the queues of players may refer to the memory. */
  #isLent = false

  constructor(now: () => number) {
    this.#now = now
  }

  /** Takes packets; the parameters are those of `Tap.media`. */
  push(data: Buffer, starts: readonly number[], tables: Buffer): void {
    const start = starts.at(-1)
    if (start !== undefined) {
      this.#releaseMemory()
      this.#group = { tables: Buffer.from(tables), chunks: [], startedAt: this.#now() }
      this.#bytes = 0
    }
    const group = this.#group
    if (!group) return
    const packets = data.subarray(start ?? 0)
    this.#bytes += packets.length
    if (this.#bytes > GROUP_MAX || this.#now() - group.startedAt > GROUP_TIME) this.clear()
    else this.#append(group.chunks, packets)
  }

  /** The group, unless it is too old. */
  find(): PacketGroup | undefined {
    const group = this.#group
    if (!group || this.#now() - group.startedAt > GROUP_TIME) return undefined
    this.#isLent = true
    return group
  }

  clear(): void {
    this.#group = undefined
    this.#blocks = []
    this.#releaseMemory()
  }

  /** Makes the memory of the group free for the next one. More than the group has used is not kept. */
  #releaseMemory(): void {
    this.#blocks = this.#isLent ? [] : this.#blocks.slice(0, this.#used)
    this.#isLent = false
    this.#used = 0
    this.#free = Buffer.alloc(0)
  }

  /** Copies packets. */
  #append(chunks: Buffer[], packets: Buffer): void {
    if (this.#free.length < packets.length) this.#free = this.#nextBlock(packets.length)
    packets.copy(this.#free)
    chunks.push(this.#free.subarray(0, packets.length))
    this.#free = this.#free.subarray(packets.length)
  }

  #nextBlock(bytes: number): Buffer {
    const next = this.#blocks[this.#used]
    const block = next && next.length >= bytes ? next : Buffer.allocUnsafeSlow(Math.max(BLOCK, bytes))
    this.#blocks[this.#used++] = block
    return block
  }
}

export class RtspPath {
  readonly key: string
  readonly #players: PathPlayers
  /** Players stay connected when the source restarts, and many of them stall if its clock goes back. */
  readonly #splice: Splice
  readonly #source: PathSource
  readonly #group: GroupCache

  /** @param createSource creates the source of the packets, which passes them to a tap */
  constructor(key: string, players: PathPlayers, createSource: (tap: Tap) => PathSource, now: () => number) {
    this.key = key
    this.#players = players
    this.#group = new GroupCache(now)
    this.#splice = new Splice(
      {
        media: (data, starts, tables) => {
          this.#group.push(data, starts, tables)
          for (const queue of players.queues()) queue.push(data, starts, tables)
        },
        onLayoutChange: () => {
          this.#group.clear()
          players.disconnect()
        }
      },
      now
    )
    this.#source = createSource({
      media: (data, starts, tables) => this.#splice.push(data, starts, tables),
      end: () => this.#cut()
    })
  }

  /** Lets a new player begin. The first one begins when the path is updated. */
  begin(queue: PacketQueue): void {
    const waiting = this.#players.queues().reduce((sum, each) => sum + each.queuedBytes(), 0)
    const group = waiting < WAITING_MAX ? this.#group.find() : undefined
    if (group) queue.beginWith(group)
    else queue.waitForKeyFrame()
  }

  /** Receives the stream only while somebody plays. Call when the stream or the players have changed. */
  update(stream: Stream | undefined): void {
    if (this.#players.queues().length > 0) {
      this.#source.attach(stream)
      return
    }
    this.#source.cancel()
    this.#cut()
  }

  /** The next packets are of another stream. */
  #cut(): void {
    this.#group.clear()
    this.#splice.cut()
  }

  close(): void {
    this.#source.cancel()
  }
}
