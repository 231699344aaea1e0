// Presence of the sources of a matrix: announced by the network, on a machine that is there. Sources are not connected
// to (`machine-answers.ts`): a program that ends is not announced any more.
import type { ObservedMatrix } from '../interfaces/router.ts'
import { type MachineAnswers, type MachineWatch, machineOf } from './machine-answers.ts'

/**
 * Milliseconds after its start that the finder has to find sources, before those that it has not found count as absent.
 */
const SEARCH_TIME = 3000
/** Milliseconds between two looks for sources that the finder has not found in time. */
const INTERVAL = 1000

type Presence = ObservedMatrix['sources'][number]

export class RouterSources {
  readonly #onChange: () => void
  /**
   * Addresses of all announced sources, by name: at most 1000, which is the limit of the finder. It reports a source
   * once, so those that are not wanted are kept for a matrix to which they are added later.
   */
  readonly #addresses = new Map<string, string>()
  readonly #presence = new Map<string, Presence>()
  readonly #machines: MachineWatch
  readonly #timer: ReturnType<typeof setInterval>
  #wanted: readonly string[] = []
  #searchedUntil = Number.POSITIVE_INFINITY

  constructor(machines: Pick<MachineAnswers, 'watch'>, onChange: () => void) {
    this.#onChange = onChange
    this.#machines = machines.watch(() => this.#refresh())
    this.#timer = setInterval(() => this.#refresh(), INTERVAL)
  }

  /** @param names the sources whose presence is wanted */
  watch(names: readonly string[]): void {
    this.#wanted = names
    for (const name of this.#presence.keys()) if (!names.includes(name)) this.#presence.delete(name)
    this.#watchMachines()
    this.#refresh()
  }

  /** A finder has started. It knows nothing yet, so the presence of all sources stays as it is for a while. */
  finderStarted(): void {
    this.#addresses.clear()
    this.#searchedUntil = performance.now() + SEARCH_TIME
  }

  /** There is no finder. */
  finderEnded(): void {
    this.#searchedUntil = Number.POSITIVE_INFINITY
  }

  /** No source can be looked for. */
  forget(): void {
    this.#presence.clear()
    this.#addresses.clear()
    this.#watchMachines()
  }

  /** @param address undefined: the source is not announced any more */
  sourceChanged(name: string, address: string | undefined): void {
    if (address === undefined) this.#addresses.delete(name)
    else this.#addresses.set(name, address)
    if (!this.#wanted.includes(name)) return
    this.#watchMachines()
    this.#refresh()
  }

  observe(): Presence[] {
    return [...this.#presence.values()]
  }

  close(): void {
    clearInterval(this.#timer)
    this.#machines.close()
  }

  #watchMachines(): void {
    this.#machines.set(this.#wanted.flatMap((name) => machineOf(this.#addresses.get(name) ?? '') || []))
  }

  #refresh(): void {
    let hasChanged = false
    for (const name of this.#wanted) {
      const address = this.#addresses.get(name)
      // A machine that never answers counts as present: a firewall may refuse the hub and not the receivers.
      const online = address !== undefined && this.#machines.answers(machineOf(address)) !== false
      // A source that is not announced may not have been found yet.
      if (address === undefined && performance.now() < this.#searchedUntil) continue
      if (this.#presence.get(name)?.online === online) continue
      this.#presence.set(name, { name, online, since: Date.now() })
      hasChanged = true
    }
    if (hasChanged) this.#onChange()
  }
}
