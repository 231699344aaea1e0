// Stores changes of matrices together with their lines in the operation log.
import { SUCCESS } from '../../contract/codes.ts'
import { FAULT_CODES } from '../storage-fault/essential-calls.ts'
import type { Store } from '../store/store.ts'
import type { RouterActor, RouterResult } from './ndi-routers.ts'

/** A line of the operation log about a matrix. */
interface Line {
  actor: RouterActor
  /** Path of the call. */
  event: string
  id: number
  detail: string
}

export type JournalStore = Pick<Store, 'database' | 'logs' | 'changes'>

export class RouterJournal {
  readonly #store: JournalStore
  readonly #onChange: (matrixId: number) => void

  constructor(store: JournalStore, onChange: (matrixId: number) => void) {
    this.#store = store
    this.#onChange = onChange
  }

  /** Makes a change together with its line in the operation log. It is on disk when this returns. */
  change(line: Line, work: () => void): RouterResult {
    const { database, changes } = this.#store
    try {
      database.essentialTransaction(() => {
        work()
        this.#log(line, SUCCESS)
      })
    } catch (error) {
      const fault = database.noteStorageFault(error) ?? database.storageFault
      if (!fault) throw error
      return { result: FAULT_CODES[fault] }
    }
    changes.markChanged('log')
    this.#onChange(line.id)
    return { result: SUCCESS }
  }

  refuse(line: Line, result: number, fields: Partial<RouterResult> = {}): RouterResult {
    this.#store.database.transactionOrLater(() => this.#log(line, result))
    this.#store.changes.markChanged('log')
    return { ...fields, result }
  }

  #log({ actor, event, id, detail }: Line, code: number): void {
    const who = { user: actor.name, ip: actor.address }
    this.#store.logs.addOperation({
      ...{ time: Date.now(), ...who, event, detail, code },
      objects: [`matrix:${id}`],
      panel: actor.isPanel ?? false
    })
  }
}
