// Lets the processes that measure content run all at once, or in turns while the processor or the memory is short: each
// process needs some of both, and streams come first.
import { totalmem } from 'node:os'

/** Bytes that a process needs of its own, and the share of the memory that all of them may have. */
const PROCESS_BYTES = 32 << 20
const MEMORY_SHARE = 0.25
/** Processes at most, whatever the memory. */
const RUNNING_MAX = 100
/** Share of their number that runs while the processor is short. */
const SHARE_WHILE_BUSY = 0.25
/** Shares of time for which a program waited for a processor, from which it is short, and is no more. */
const BUSY_FROM = 0.5
const BUSY_UNTIL = 0.3
/** Milliseconds of a turn: enough for several key frames. */
const TURN = 12_000

export interface TurnMember {
  /** Starts or stops to measure. */
  setRunning(isRunning: boolean): void
}

interface TurnState {
  isRunning: boolean
  /** When it was started or stopped. */
  changedAt: number
}

interface TurnOptions {
  processorWait(): number
  /** Default: that of this machine. */
  memoryBytes?: number
}

export class MeterTurns {
  readonly #processorWait: () => number
  readonly #limit: number
  readonly #members = new Map<TurnMember, TurnState>()
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
    this.#members.set(member, { isRunning: false, changedAt: Number.NEGATIVE_INFINITY })
  }

  remove(member: TurnMember): void {
    this.#members.delete(member)
  }

  /** Call about twice a second. @param now milliseconds */
  tick(now: number): void {
    this.#isBusy = this.#processorWait() >= (this.#isBusy ? BUSY_UNTIL : BUSY_FROM)
    const members = [...this.#members]
    const running = members.filter(([, state]) => state.isRunning).sort(byTime)
    const waiting = members.filter(([, state]) => !state.isRunning).sort(byTime)
    let free = this.#allowed() - running.length
    for (const member of running) {
      const isOver = waiting.length > Math.max(0, free) && now - member[1].changedAt >= TURN
      if (free >= 0 && !isOver) continue
      this.#set(member, false, now)
      free++
    }
    for (const member of waiting.slice(0, Math.max(0, free))) this.#set(member, true, now)
  }

  #allowed(): number {
    const { size } = this.#members
    return this.#isBusy ? Math.min(this.#limit, Math.max(1, Math.floor(size * SHARE_WHILE_BUSY))) : this.#limit
  }

  #set([member, state]: [TurnMember, TurnState], isRunning: boolean, now: number): void {
    state.isRunning = isRunning
    state.changedAt = now
    member.setRunning(isRunning)
  }
}

/** Those that run or wait longest come first. */
const byTime = ([, a]: [TurnMember, TurnState], [, b]: [TurnMember, TurnState]) => a.changedAt - b.changedAt
