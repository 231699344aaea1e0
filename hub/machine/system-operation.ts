// Operations of the whole hub: its machine restarts or shuts down, its settings are reset, or settings are imported.
// One operation runs at a time. Consoles see its flag in the status. While an operation replaces the data of the hub,
// the hub refuses all other changes.
import { SYSTEM_STATUS_BITS } from '../../contract/system.ts'

export type SystemOperationName = 'restarting' | 'shutting-down' | 'resetting' | 'importing'

const BITS: Readonly<Record<SystemOperationName, number>> = {
  restarting: SYSTEM_STATUS_BITS.rebooting,
  'shutting-down': SYSTEM_STATUS_BITS.shuttingDown,
  resetting: SYSTEM_STATUS_BITS.resetting,
  importing: SYSTEM_STATUS_BITS.importing
}

/** Milliseconds before the hub restarts, so that the response reaches the client. */
export const RESTART_DELAY = 250

export class SystemOperation {
  readonly #onChange: () => void
  #current: SystemOperationName | undefined

  /** @param onChange the status of the hub has changed */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get current(): SystemOperationName | undefined {
    return this.#current
  }

  /** @returns false if another operation runs; nothing has changed then */
  begin(name: SystemOperationName): boolean {
    if (this.#current) return false
    this.#current = name
    this.#onChange()
    return true
  }

  /** Ends the current operation, for example after a failure. */
  end(): void {
    this.#current = undefined
    this.#onChange()
  }

  /** Bit for `status-code` of the system. */
  statusBits(): number {
    return this.#current ? BITS[this.#current] : 0
  }

  /** Whether changes are refused now, because they would be lost: the data of the hub is being replaced. */
  refusesChanges(): boolean {
    return this.#current === 'resetting' || this.#current === 'importing'
  }
}
