// The console in use. A newly installed console is on trial until it confirms from a browser that it works; otherwise
// the hub goes back to the previous one, also after a power cut.

import type { KeyObject } from 'node:crypto'
import { WRONG_STATE } from '../../contract/codes.ts'
import type { LogEvent } from '../../contract/events.ts'
import { LOG_ERROR, LOG_INFO } from '../../contract/log.ts'
import { type ConsoleVersion, SLOTS, type Slot, type StoredConsole, type UpdateFault } from '../../contract/update.ts'
import { logger } from '../../process-log/logger.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { type ConsoleBuild, readBuiltInConsole, readInstalledConsole } from './console-folder.ts'
import type { SlotFolder, SlotState } from './slots.ts'

interface ActiveConsoleOptions {
  slots: SlotFolder
  /** Folder of the built-in console. */
  dist: string
  /** Version of the hub. */
  version: string
  trusted: readonly KeyObject[]
  /** Milliseconds after which an unconfirmed console is replaced by the previous one. */
  confirmTimeout: number
  onChange(): void
  logEvent(line: { event: LogEvent; detail: string; level: number }): void
  /** Serves a folder from now on. */
  serveFolder(root: string): void
  onStep(name: 'switched' | 'confirmed' | 'reverted'): void
}

export class ActiveConsole {
  readonly #options: ActiveConsoleOptions
  readonly #builtIn: ReturnType<typeof readBuiltInConsole>
  #state: SlotState
  #build: ConsoleBuild
  /** `until` is on the clock of `performance.now()`. */
  #trial: { timer: NodeJS.Timeout; until: number } | undefined
  /** The consoles in the slots. Cached, because reading them verifies all their files. */
  #installed: (ConsoleVersion & { slot: Slot })[] | undefined

  constructor(options: ActiveConsoleOptions) {
    this.#options = options
    this.#builtIn = readBuiltInConsole(options.dist, options.version)
    this.#build = this.#builtIn
    this.#state = this.#stateFor('built-in', this.#builtIn)
  }

  get build(): ConsoleBuild {
    return this.#build
  }

  get isOnTrial(): boolean {
    return this.#trial !== undefined
  }

  /** Why the last installed console failed. */
  get fault(): UpdateFault | undefined {
    return this.#state.failed?.fault
  }

  /** The slot that was in use before. */
  get previousSlot(): Slot | undefined {
    return this.#state.former
  }

  /**
   * The slot for the next installation: not the one in use, and if the built-in console is in use not the previous one.
   */
  get freeSlot(): 'a' | 'b' {
    const { active, former } = this.#state
    return active === 'a' || (active === 'built-in' && former === 'a') ? 'b' : 'a'
  }

  /** The consoles in all slots. */
  list(): StoredConsole[] {
    this.#installed ??= SLOTS.flatMap((slot) => {
      const build = slot === this.#state.active ? this.#build : this.read(slot)
      return build ? [{ ...build.version, slot }] : []
    })
    return this.#installed.map((entry) => ({ ...entry, ...this.#useOf(entry.slot) }))
  }

  /** Reads the console in a slot. */
  read(slot: Slot): ConsoleBuild | undefined {
    const { slots, trusted } = this.#options
    return slot === 'built-in' ? this.#builtIn : readInstalledConsole(slots.path(slot), trusted)
  }

  /** The content of a slot has changed. */
  slotChanged(): void {
    this.#installed = undefined
  }

  /** Chooses the console to serve after a start of the hub. Goes back if the one in use was on trial, or is damaged. */
  start(): void {
    const { slots, logEvent, serveFolder } = this.#options
    const state = slots.readState()
    if (!state) return
    if (state.own !== this.#builtIn.fingerprint) {
      // The hub itself was updated: its built-in console is the one made for it.
      this.#store(this.#stateFor('built-in', this.#builtIn), this.#builtIn)
      logEvent({ event: 'console-own', detail: this.#builtIn.version.version, level: LOG_INFO })
      return
    }
    this.#state = state
    const build = this.read(state.active)
    if (build) this.#build = build
    if (state.trial) this.#goBack('interrupted')
    else if (build) serveFolder(build.root)
    else this.#goBack('damaged')
  }

  /** Serves the console in a slot, on trial. */
  startTrial(slot: Slot, build: ConsoleBuild): void {
    const { confirmTimeout, logEvent, onChange, onStep } = this.#options
    this.#store(this.#stateFor(slot, build, { former: this.#state.active, trial: true }), build)
    this.#trial = {
      timer: setTimeout(() => this.#goBack('unconfirmed'), confirmTimeout).unref(),
      until: performance.now() + confirmTimeout
    }
    logEvent({ event: 'console-installed', detail: build.version.version, level: LOG_INFO })
    onChange()
    onStep('switched')
  }

  /**
   * Ends the trial: the console works. @throws UploadRefused with code 38 if the script is not that of the console in
   * use
   */
  confirm(script: string): void {
    if (this.#build.script !== script) throw new UploadRefused(WRONG_STATE)
    if (!this.#trial) return
    const { slots, logEvent, onChange, onStep } = this.#options
    const { trial: _, ...confirmed } = this.#state
    slots.writeState(confirmed)
    this.#state = confirmed
    this.#endTrial()
    logEvent({ event: 'console-confirmed', detail: this.#build.version.version, level: LOG_INFO })
    onChange()
    onStep('confirmed')
  }

  /** Removes the failure of the last installed console from the state. */
  clearFault(): void {
    if (!this.#state.failed) return
    const { failed: _, ...cleared } = this.#state
    this.#options.slots.writeState(cleared)
    this.#state = cleared
  }

  close(): void {
    clearTimeout(this.#trial?.timer)
  }

  #stateFor(slot: Slot, build: ConsoleBuild, more: Pick<SlotState, 'former' | 'trial' | 'failed'> = {}): SlotState {
    return { active: slot, version: build.version.version, own: this.#builtIn.fingerprint, ...more }
  }

  /** Stores the state, then serves the console. */
  #store(state: SlotState, build: ConsoleBuild): void {
    this.#options.slots.writeState(state)
    this.#serve(state, build)
  }

  #serve(state: SlotState, build: ConsoleBuild): void {
    this.#state = state
    this.#build = build
    this.slotChanged()
    this.#endTrial()
    this.#options.serveFolder(build.root)
  }

  #endTrial(): void {
    clearTimeout(this.#trial?.timer)
    this.#trial = undefined
  }

  /** Goes back to the previous console, or to the built-in one if that is missing or damaged. */
  #goBack(fault: UpdateFault): void {
    const { slots, logEvent, onChange, onStep } = this.#options
    const { active, version, former = 'built-in' } = this.#state
    const previous = former === active ? undefined : this.read(former)
    const [slot, build]: [Slot, ConsoleBuild] = previous ? [former, previous] : ['built-in', this.#builtIn]
    const state = this.#stateFor(slot, build, { failed: { fault, version } })
    try {
      slots.writeState(state)
    } catch (error) {
      // In the stored state the console is still on trial, so the next start rolls back again.
      logger.error('The state of the console update could not be stored', error)
    }
    this.#serve(state, build)
    logEvent({ event: 'console-failed', detail: `${version} ${fault}`, level: LOG_ERROR })
    onChange()
    onStep('reverted')
  }

  #useOf(slot: Slot): Pick<StoredConsole, 'use' | 'left'> {
    const { active, former } = this.#state
    if (slot !== active) return { use: slot === former && !this.#trial ? 'former' : 'kept' }
    if (!this.#trial) return { use: 'active' }
    return { use: 'trial', left: Math.max(0, Math.ceil((this.#trial.until - performance.now()) / 1000)) }
  }
}
