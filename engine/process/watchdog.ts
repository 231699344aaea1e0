// Notices programs that do not run any more although they have not ended: stopped by a signal, or hanging. Their end is
// what starts the next one, so they are killed.
import { readFileSync } from 'node:fs'
import { ProcessorWait } from './processor-wait.ts'

/**
 * Milliseconds between two looks, and looks in a row after which a program counts as hanging. Looks are counted and not
 * the time, because this process may have been stopped itself.
 */
const INTERVAL = 500
const LOOKS_MAX = 10
/** Looks in a row after which it is reported as such. */
const LOOKS_REPORTED = 3

const NO_SIGN_OF_LIFE = `No sign of life for ${(LOOKS_MAX * INTERVAL) / 1000} s`

export interface WatchedProgram {
  readonly pid: number | undefined
  /** Sends SIGKILL. @param reason a line that explains the end, as those of stderr do */
  kill(reason: string): void
}

interface Watched {
  /** Whether the program sends messages all the time. */
  hasHeartbeat: boolean
  stoppedLooks: number
  silentLooks: number
  /** Until its end is known it counts as hanging. */
  isKilled: boolean
}

export class Watchdog {
  readonly #programs = new Map<WatchedProgram, Watched>()
  readonly #processorWait = new ProcessorWait()
  #timer: ReturnType<typeof setInterval> | undefined

  /** @param hasHeartbeat as `Launch.hasHeartbeat` */
  add(program: WatchedProgram, hasHeartbeat: boolean): void {
    this.#programs.set(program, { hasHeartbeat, stoppedLooks: 0, silentLooks: 0, isKilled: false })
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref()
  }

  remove(program: WatchedProgram): void {
    this.#programs.delete(program)
    if (this.#programs.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The program has sent a message. */
  handleMessage(program: WatchedProgram): void {
    const watched = this.#programs.get(program)
    if (watched) watched.silentLooks = 0
  }

  /** Whether a program has been stopped or silent for some looks. */
  isStuck(program: WatchedProgram): boolean {
    const watched = this.#programs.get(program)
    if (!watched) return false
    const { stoppedLooks, silentLooks, hasHeartbeat } = watched
    return stoppedLooks >= LOOKS_REPORTED || (hasHeartbeat && silentLooks >= LOOKS_REPORTED)
  }

  /** Share of the last 10 s for which a program, or this process, waited for a processor, 0-1. */
  processorWait(): number {
    return this.#programs.size > 0 ? this.#processorWait.share() : 0
  }

  #look(): void {
    const pids = [...this.#programs.keys()].flatMap(({ pid }) => pid ?? [])
    this.#processorWait.measure([process.pid, ...pids], performance.now())
    for (const [program, watched] of this.#programs) {
      if (watched.isKilled) continue
      // A program that has sent a message since the last look was not stopped, so its state is not read.
      const wasSilent = watched.silentLooks > 0
      watched.stoppedLooks = wasSilent && isStopped(program.pid) ? watched.stoppedLooks + 1 : 0
      watched.silentLooks++
      const isSilent = watched.hasHeartbeat && watched.silentLooks >= LOOKS_MAX
      if (watched.stoppedLooks < LOOKS_MAX && !isSilent) continue
      watched.isKilled = true
      program.kill(NO_SIGN_OF_LIFE)
    }
  }
}

/** Whether a signal has stopped a process (proc_pid_stat(5), state `T`). */
function isStopped(pid: number | undefined): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may have any character.
    return stat[stat.lastIndexOf(')') + 2] === 'T'
  } catch {
    return false
  }
}
