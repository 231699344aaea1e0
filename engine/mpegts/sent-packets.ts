// The packets last sent on each PID of a spliced stream.
import { TS_PACKET_SIZE } from './packet.ts'

export interface SentState {
  /** Continuity counter; undefined before the first packet. */
  counter: number | undefined
  /** Decoding time of the last frame. */
  time: number | undefined
  /** When that frame was sent. */
  at: number
}

export class SentPackets {
  readonly #states = new Map<number, SentState>()

  /** The state of a PID; undefined if nothing was sent on it. */
  find(pid: number): SentState | undefined {
    return this.#states.get(pid)
  }

  /** The state of a PID, which the caller updates. */
  state(pid: number): SentState {
    let state = this.#states.get(pid)
    if (!state) {
      state = { counter: undefined, time: undefined, at: 0 }
      this.#states.set(pid, state)
    }
    return state
  }

  /** The state of the PID with the newest frame. */
  newestFrame(): SentState | undefined {
    return [...this.#states.values()].filter(({ time }) => time !== undefined).sort((a, b) => b.at - a.at)[0]
  }

  /** A copy of table packets with continuity counters: the next ones, or the last ones that were sent. */
  withCounters(packets: Buffer, pid: number, isNext: boolean): Buffer {
    const state = this.state(pid)
    const copy = Buffer.from(packets)
    let counter = (state.counter ?? 15) + (isNext ? 0 : 16 - packets.length / TS_PACKET_SIZE)
    for (let offset = 0; offset < copy.length; offset += TS_PACKET_SIZE) copy[offset + 3] = 0x10 | (++counter & 15)
    if (isNext) state.counter = counter & 15
    return copy
  }
}
