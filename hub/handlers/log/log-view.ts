// What a caller sees of the logs: the entries, the names of devices in them, and the sentences that a text is found in.
import type { LogFilter } from '../../../contract/log.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { Language } from '../../messages/language.ts'
import { findMatches } from '../../messages/log-entries.ts'
import type { LogVisibility, ResolvedLogFilter } from '../../store/log-filter.ts'
import type { Store } from '../../store/store.ts'

export class LogView {
  readonly #store: Store
  readonly #gate: Gate
  readonly #caller: Caller
  readonly #language: Language

  constructor({ store, gate }: { store: Store; gate: Gate }, caller: Caller, language: Language) {
    this.#store = store
    this.#gate = gate
    this.#caller = caller
    this.#language = language
  }

  /**
   * The entries that the caller may see; undefined for all. Only administrators see entries about deleted devices and
   * device groups.
   */
  visibleEntries(): LogVisibility | undefined {
    const caller = this.#caller
    const serials = this.#gate.visibleSerials(caller)
    const channels = this.#gate.visibleChannels(caller)
    const sources = this.#gate.visibleSources(caller)
    if (!serials || !channels || !sources) return undefined
    const ids = [0, ...this.#store.catalogs.all().map(({ id }) => id)]
    return {
      user: caller.user.name,
      serials: [...serials],
      catalogs: ids.filter(this.#gate.catalogsVisibleTo(caller)),
      channels,
      sources
    }
  }

  /** The name of a device that the caller may see. */
  readonly deviceName = (sn: string): string | undefined => {
    const row = this.#store.devices.bySerial(sn)
    return row && this.#gate.canSeeDevice(this.#caller, row) ? row.name : undefined
  }

  /** The filter with the events and fields whose names contain the searched text, in the language of the caller. */
  resolveFilter<Filter extends LogFilter>(filter: Filter): Filter & ResolvedLogFilter {
    return { ...filter, ...findMatches(this.#language, filter) }
  }
}
