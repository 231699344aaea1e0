// Lets the processes that measure content run all at once, or in turns while the processor or the memory is short: each
// process needs some of both, and streams come first.
import { totalmem } from 'node:os'

/** Bytes that a process needs of its own, and the share of the memory that all of them may have. */
const PROCESS_BYTES = 32 << 20
const MEMORY_SHARE = 0.25
/** Processes at most, whatever the memory. */
const RUNNING_MAX = 100
/** Share of their number that runs while the processor is short, and how many run in any case. */
const SHARE_WHILE_BUSY = 0.25
const RUNNING_WHILE_BUSY = 4
/** Shares of time for which a program waited for a processor, from which it is short, and is no more. */
const BUSY_FROM = 0.5
const BUSY_UNTIL = 0.3
/** Milliseconds of a turn: enough for several key frames. */
const TURN = 12_000

export interface TurnMember {
  /** Starts or stops to measure. */
  setRunning(isRunning: boolean): void
}

interface TurnOptions {
  processorWait(): number
  /** Default: that of this machine. */
  memoryBytes?: number
}

export class MeterTurns {
  readonly #processorWait: () => number
  readonly #limit: number
  /** When each was started; undefined while it waits. Those that have not been started for longest come first. */
  readonly #members = new Map<TurnMember, number | undefined>()
  #isBusy = false

  constructor({ processorWait, memoryBytes = totalmem() }: TurnOptions) {
    this.#processorWait = processorWait
    const inMemory = Math.floor((memoryBytes * MEMORY_SHARE) / PROCESS_BYTES)
    this.#limit = Math.min(RUNNING_MAX, Math.max(1, inMemory))
  }

  /** Whether not all members run at once. */
  isInTurns(): boolean {
    return this.#members.size > this.#allowed()
  }

  add(member: TurnMember): void {
    this.#members.set(member, undefined)
  }

  remove(member: TurnMember): void {
    this.#members.delete(member)
  }

  /** Call about twice a second. @param now milliseconds */
  tick(now: number): void {
    this.#isBusy = this.#processorWait() >= (this.#isBusy ? BUSY_UNTIL : BUSY_FROM)
    const members = [...this.#members]
    const waiting = members.filter(([, startedAt]) => startedAt === undefined)
    let free = this.#allowed() - (members.length - waiting.length)
    for (const [member, startedAt] of members) {
      if (startedAt === undefined) continue
      const isOver = waiting.length > Math.max(0, free) && now - startedAt >= TURN
      if (free >= 0 && !isOver) continue
      this.#members.set(member, undefined)
      member.setRunning(false)
      free++
    }
    for (const [member] of waiting.slice(0, Math.max(0, free))) {
      this.#members.delete(member)
      this.#members.set(member, now)
      member.setRunning(true)
    }
  }

  #allowed(): number {
    const { size } = this.#members
    return this.#isBusy
      ? Math.min(this.#limit, Math.max(RUNNING_WHILE_BUSY, Math.floor(size * SHARE_WHILE_BUSY)))
      : this.#limit
  }
}
