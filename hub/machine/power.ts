// Restart and shutdown of the machine, through systemd-logind, in manage mode alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { DEVICE_BUSY } from '../../contract/codes.ts'
import type { MachineAccess, MachineMode } from '../../contract/machine/machine.ts'
import type { Inhibitor } from '../../contract/machine/power.ts'
import { logger } from '../../process-log/logger.ts'
import type { Language } from '../messages/language.ts'
import type { ServiceObstacle } from '../messages/machine.ts'
import { inhibitedText } from '../messages/power.ts'
import { LOGIND, Logind, type PowerAction } from './logind.ts'
import { describeAccess, readOnlyError } from './machine-access.ts'
import { MachineError } from './machine-error.ts'
import { BusError, type SystemBus } from './system-bus.ts'
import type { SystemOperation } from './system-operation.ts'

/** Milliseconds in which consoles read the flag of the restart before it begins. */
const NOTICE = 1000
/**
 * Milliseconds after which a machine that still runs has not been restarted. systemd kills services that do not end
 * within 90 s.
 */
const FAILED_AFTER = 150_000

const OPERATIONS = { reboot: 'restarting', shutdown: 'shutting-down' } as const

export interface PowerOptions {
  mode: MachineMode
  bus: SystemBus
  operation: SystemOperation
  onFailure(action: PowerAction, reason: string): void
}

/** Why a restart or shutdown did not happen. */
export interface PowerFailure {
  action: PowerAction
  /** Text of logind; empty if the machine kept running. */
  reason: string
}

export class MachinePower {
  readonly #options: PowerOptions
  readonly #logind: Logind
  #failure: PowerFailure | undefined

  constructor(options: PowerOptions) {
    this.#options = options
    this.#logind = new Logind(options.bus)
  }

  get failure(): PowerFailure | undefined {
    return this.#failure
  }

  async describe(language: Language): Promise<{ access: MachineAccess; inhibitors: Inhibitor[] }> {
    const { obstacle, inhibitors = [] } = await this.#read('reboot')
    return { access: describeAccess(language, this.#options.mode, LOGIND, obstacle), inhibitors }
  }

  /**
   * Why logind cannot be used, or the programs that block it. While one does, logind does not say whether the hub has
   * the permission.
   */
  async #read(action: PowerAction): Promise<{ obstacle?: ServiceObstacle; inhibitors?: Inhibitor[] }> {
    if (this.#options.mode === 'view') return {}
    const state = await this.#logind.state()
    if (state === 'missing') return { obstacle: state }
    try {
      const inhibitors = await this.#logind.listBlockingInhibitors()
      if (inhibitors.length > 0) return { inhibitors }
      return (await this.#logind.isPermitted(action)) ? {} : { obstacle: 'refused' }
    } catch (error) {
      return { obstacle: error instanceof BusError && error.isRefused ? 'refused' : 'stopped' }
    }
  }

  /** @throws MachineError 26 if the hub cannot do it, with the reason and the next step; 11 if a program blocks it */
  async requirePossible(action: PowerAction, language: Language): Promise<void> {
    const { mode } = this.#options
    const { obstacle, inhibitors = [] } = await this.#read(action)
    const current = mode === 'view' ? mode : obstacle
    if (current) throw readOnlyError(language, current, LOGIND)
    if (inhibitors.length > 0) throw new MachineError(DEVICE_BUSY, { message: inhibitedText(language, inhibitors) })
  }

  /**
   * Shows the flag to open consoles, then lets logind do it. If that fails, or the machine still runs minutes later,
   * the flag is cleared and the failure is kept.
   * @returns false if another operation runs
   */
  begin(action: PowerAction): boolean {
    if (!this.#options.operation.begin(OPERATIONS[action])) return false
    this.#failure = undefined
    void this.#carryOut(action)
    return true
  }

  async #carryOut(action: PowerAction): Promise<void> {
    let reason = ''
    try {
      await sleep(NOTICE)
      await this.#logind.begin(action)
      await sleep(FAILED_AFTER, undefined, { ref: false })
    } catch (error) {
      logger.error('The machine cannot be restarted', error, { action })
      reason = error instanceof Error ? error.message : String(error)
    }
    this.#failure = { action, reason }
    this.#options.onFailure(action, reason)
    this.#options.operation.end()
  }
}
