// Who takes a channel's stream at the hub's shared ports. Each SRT player has a queue of its own, so that a slow one loses packets alone;
// those of RTMP are served by nginx, to which one leg carries the stream for as long as somebody watches.
import type { Socket } from 'node:net'
import { RTMP } from '../../contract/stream/protocols.ts'
import type { Stream, Tap } from '../inputs/input.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Output } from '../interfaces/leg.ts'
import { createFeed, type Feed } from '../mpegts/packet-queue.ts'
import { createOutput } from '../outputs/output.ts'
import { createTapping } from '../outputs/subscription.ts'
import { createMeter, type Meter } from '../stats/meter.ts'

/** Milliseconds for which the leg to nginx waits for another player. */
const LINGER = 5000

/** Where the leg to nginx sends. */
export interface Relay {
  url: string
  /** Name of the stream, with its pass. */
  key: string
}

export type Players = ReturnType<typeof createPlayers>

export function createPlayers(surroundings: Surroundings) {
  // The leg goes to this machine, whatever users' streams may do.
  const around: Surroundings = { ...surroundings, place: async (host) => host }
  const srt = new Map<number, { socket: Socket; feed: Feed; meter: Meter; counted: number }>()
  let leg: { to: Relay; output: Output } | undefined
  let idle: number | undefined

  const tap: Tap = {
    media(data, starts, tables) {
      for (const { feed } of srt.values()) feed.take(data, starts, tables)
    },
    over() {
      for (const { feed } of srt.values()) feed.seek()
    }
  }
  const tapping = createTapping(tap)

  function endLeg(): void {
    leg?.output.stop()
    leg = undefined
    idle = undefined
  }

  function attach(next: Stream | undefined): void {
    if (tapping.stream() === next) return
    tapping.to(next)
    if (next) leg?.output.attach(next)
    else endLeg()
  }

  return {
    /** What they are given from now on. */
    attach,
    /** An SRT player: it begins with the next key frame. */
    enter(id: number, socket: Socket): void {
      const feed = createFeed(socket, () => tapping.stream()?.kbps() ?? 0)
      feed.seek()
      // It says nothing; but its end must be read.
      socket.resume()
      srt.set(id, { socket, feed, meter: createMeter(), counted: 0 })
    },
    leave(id: number): void {
      srt.delete(id)
    },
    /** Kilobits a second that an SRT player takes. */
    kbps: (id: number): number => srt.get(id)?.meter.kbps(around.now()) ?? 0,
    /** Whether somebody watches over RTMP, and then where to; the leg begins at once, and ends when nobody came back for a while. */
    relay(to: Relay | undefined): void {
      if (to === undefined) {
        if (leg) idle ??= around.now()
        return
      }
      idle = undefined
      if (leg && leg.to.url === to.url && leg.to.key === to.key) return
      endLeg()
      const input = tapping.stream()
      if (!input) return
      leg = { to, output: createOutput({ id: 0, name: '', protocol: RTMP, config: { ...to } }, around) }
      leg.output.attach(input)
    },
    /** Call about twice a second. */
    tick(at: number): void {
      for (const player of srt.values()) {
        const sum = player.socket.bytesWritten - player.socket.writableLength
        player.meter.add(sum - player.counted, at)
        player.counted = sum
      }
      leg?.output.tick(at)
      if (idle !== undefined && at - idle > LINGER) endLeg()
    },
    stop(): void {
      attach(undefined)
      srt.clear()
    }
  }
}
