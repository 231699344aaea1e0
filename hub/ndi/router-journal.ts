// Stores changes of matrices together with their lines in the operation log.
import { SUCCESS } from '../../contract/codes.ts'
import type { Take } from '../../contract/ndi/router.ts'
import { FAULT_CODES } from '../storage-fault/essential-calls.ts'
import type { StoredMatrix } from '../store/matrices.ts'
import type { Store } from '../store/store.ts'
import type { RouterActor, RouterResult } from './ndi-routers.ts'

/** Characters of the detail of a line; the takes beyond are counted. */
const DETAIL_MAX = 1000
const NO_SOURCE = '–'

const sourceLabel = ({ sources }: StoredMatrix, position: number) =>
  sources.find((source) => source.position === position)?.label ?? NO_SOURCE

/** @param title name of the salvo or scheduled take */
export function describeTakes(matrix: StoredMatrix, takes: readonly Take[], title = ''): string {
  const begin = title === '' ? matrix.name : `${matrix.name}, ${title}`
  const parts = takes.map(({ destination, source }) => {
    const row = matrix.destinations.find(({ position }) => position === destination)
    const before = sourceLabel(matrix, row?.source ?? 0)
    return `${row?.label ?? destination}: ${before} → ${sourceLabel(matrix, source)}`
  })
  let text = begin
  for (const [index, part] of parts.entries()) {
    const next = `${text}; ${part}`
    if (next.length > DETAIL_MAX) return `${text}; +${parts.length - index}`
    text = next
  }
  return text
}

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
    const who = { user: actor.name, token: actor.token, ip: actor.address }
    this.#store.logs.addOperation({
      ...{ time: Date.now(), ...who, event, detail, code },
      objects: [`matrix:${id}`],
      panel: actor.isPanel ?? false
    })
  }
}
