// The NDI router: stores the wanted routes, has the engine switch them, and logs every change. Of several takes at a
// matrix one is made after the other. The engine switches first, so that the picture changes without waiting for the
// disk; if the take then cannot be stored, the engine switches back.
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  STATE_CHANGED,
  SUCCESS,
  TOO_MANY,
  WRITE_FAILED
} from '../../contract/codes.ts'
import { LOG_OFF, LOG_ON } from '../../contract/log.ts'
import {
  lockDestination,
  type Matrix,
  type PanelState,
  type SalvoFields,
  SCHEDULE_DAYS_MAX,
  SCHEDULED_TAKES_MAX,
  setMatrix,
  type Take,
  takeRoutes,
  undoTake
} from '../../contract/ndi/router.ts'
import { matrixLabel } from '../../contract/rules/matrix.ts'
import type { NdiStatus } from '../../engine/interfaces/ndi.ts'
import type { ObservedMatrix, Route, TakeOutcome } from '../../engine/interfaces/router.ts'
import { FAULT_CODES } from '../storage-fault/essential-calls.ts'
import type { StoredMatrix } from '../store/matrices.ts'
import type { Store } from '../store/store.ts'
import { ndiMachineNameOf } from './machine-name.ts'
import { MatrixRevisions } from './matrix-revisions.ts'
import { viewMatrix } from './matrix-view.ts'
import type { LabelChanges, NdiRouters, RouterActor, RouterOptions, RouterResult, UndoOptions } from './ndi-routers.ts'
import { describeTakes, type JournalStore, RouterJournal } from './router-journal.ts'
import { ScheduledTakes } from './scheduled-takes.ts'
import { findRefusal, findUnknown, labelOf, routesOf, sourceOf } from './take-checks.ts'

const DAY = 86_400_000

/** The part of the engine that routes. */
export interface RouterEngine {
  /** Makes the engine run the matrices as they are stored. */
  matricesChanged(): void
  takeRoutes(id: number, routes: readonly Route[]): Promise<TakeOutcome>
  observeMatrix(id: number): ObservedMatrix | undefined
  ndiStatus(): NdiStatus | undefined
}

type RouterStore = JournalStore & Pick<Store, 'matrices' | 'settings' | 'users' | 'logEvent'>

export class RouterService implements NdiRouters {
  readonly #store: RouterStore
  readonly #engine: RouterEngine
  readonly #journal: RouterJournal
  readonly #listeners = new Set<(id: number) => void>()
  readonly #scheduledTakes: ScheduledTakes
  /** The last take of each matrix. */
  readonly #turns = new Map<number, Promise<unknown>>()
  readonly #revisions = new MatrixRevisions()
  #observePanel: (id: number) => PanelState | undefined = () => undefined

  /** @param clock of scheduled takes, in milliseconds since the epoch */
  constructor(store: RouterStore, engine: RouterEngine, clock?: () => number) {
    this.#store = store
    this.#engine = engine
    this.#journal = new RouterJournal(store, (id) => this.#notify(id))
    this.#scheduledTakes = new ScheduledTakes({ store, routers: this, onChange: (id) => this.#notify(id), clock })
  }

  /** Makes scheduled takes from now on. */
  start(): void {
    this.#scheduledTakes.check()
  }

  close(): void {
    this.#scheduledTakes.close()
  }

  list(): Matrix[] {
    return this.#store.matrices.all().map((stored) => this.#view(stored))
  }

  get(id: number): Matrix | undefined {
    const stored = this.#store.matrices.byId(id)
    return stored && this.#view(stored)
  }

  async take(
    id: number,
    takes: readonly Take[],
    actor: RouterActor,
    options: RouterOptions = {}
  ): Promise<RouterResult> {
    return this.#inTurn(id, () => this.#take(id, takes, actor, options))
  }

  async undo(id: number, actor: RouterActor, { take, override }: UndoOptions = {}): Promise<RouterResult> {
    return this.#inTurn(id, async () => {
      const event = undoTake.path
      const matrix = this.#store.matrices.byId(id)
      const last = matrix?.undo
      if (last && (take === undefined || take === last.at))
        return this.#take(id, last.takes, actor, { event, override })
      const line = { actor, event, id, detail: matrix?.name ?? String(id) }
      return this.#journal.refuse(line, last ? STATE_CHANGED : NOT_EXIST)
    })
  }

  setLock(
    id: number,
    destination: number,
    locked: boolean,
    actor: RouterActor,
    { override = false, event = lockDestination.path, revision }: RouterOptions = {}
  ): RouterResult {
    const matrix = this.#store.matrices.byId(id)
    const unknown = { actor, event, id, detail: matrix?.name ?? String(id) }
    const outdated = this.#revisions.findOutdated(id, revision)
    if (outdated) return this.#journal.refuse(unknown, outdated.result, outdated)
    const row = matrix?.destinations.find(({ position }) => position === destination)
    if (!matrix || !row) return this.#journal.refuse(unknown, NOT_EXIST)
    const line = { actor, event, id, detail: `${matrix.name}: ${row.label}` }
    const refusal = findRefusal(matrix, [{ destination, source: 0 }], actor, override)
    if (refusal) return this.#journal.refuse(line, refusal.result, refusal)
    return this.#journal.change({ ...line, detail: `${line.detail} ${locked ? LOG_ON : LOG_OFF}` }, () =>
      this.#store.matrices.lock(id, destination, locked ? actor.name : '')
    )
  }

  /**
   * Stores a take for later. @param fields `at` in milliseconds since the epoch @returns its ID, unless it was refused
   */
  schedule(
    id: number,
    fields: SalvoFields & { at: number },
    actor: RouterActor,
    { revision }: Pick<RouterOptions, 'revision'> = {}
  ): RouterResult & { scheduled?: number } {
    const { matrices } = this.#store
    const { at, name, takes } = fields
    const matrix = matrices.byId(id)
    const time = new Date(at).toISOString()
    const detail = matrix ? describeTakes(matrix, takes, [name, time].filter(Boolean).join(', ')) : String(id)
    const line = { actor, event: takeRoutes.path, id, detail }
    if (!matrix) return this.#journal.refuse(line, NOT_EXIST)
    const outdated = this.#revisions.findOutdated(id, revision)
    if (outdated) return this.#journal.refuse({ ...line, detail: matrix.name }, outdated.result, outdated)
    // Locks count when the take is made.
    const refusal = findUnknown(matrix, takes)
    if (refusal) return this.#journal.refuse(line, refusal.result, refusal)
    const wait = at - Date.now()
    if (wait <= 0 || wait > SCHEDULE_DAYS_MAX * DAY) return this.#journal.refuse(line, INVALID_ARG, { field: 'at' })
    if (matrices.scheduled(id).length >= SCHEDULED_TAKES_MAX)
      return this.#journal.refuse(line, TOO_MANY, { max: SCHEDULED_TAKES_MAX })
    let scheduled = 0
    const result = this.#journal.change(line, () => {
      scheduled = matrices.schedule({ matrix: id, at, name, by: actor.name, token: actor.token, takes: [...takes] })
    })
    this.#scheduledTakes.check()
    return result.result === SUCCESS ? { ...result, scheduled } : result
  }

  setLabels(id: number, { sources, destinations }: LabelChanges, actor: RouterActor): RouterResult {
    const matrix = this.#store.matrices.byId(id)
    const changes = [...(sources?.values() ?? []), ...(destinations?.values() ?? [])]
    const line = { actor, event: setMatrix.path, id, detail: [matrix?.name ?? id, ...changes].join(', ') }
    if (!matrix) return this.#journal.refuse(line, NOT_EXIST)
    const isUnknown = (rows: readonly { position: number }[], labels: ReadonlyMap<number, string> | undefined) =>
      [...(labels?.keys() ?? [])].some((index) => !rows.some(({ position }) => position === index))
    if (isUnknown(matrix.sources, sources) || isUnknown(matrix.destinations, destinations))
      return this.#journal.refuse(line, NOT_EXIST)
    if (changes.some((label) => matrixLabel(label))) return this.#journal.refuse(line, INVALID_ARG, { field: 'label' })
    const relabel = <Row extends { position: number; label: string }>(
      rows: Row[],
      labels: ReadonlyMap<number, string> | undefined
    ) => rows.map((row) => ({ ...row, label: labels?.get(row.position) ?? row.label }))
    return this.#journal.change(line, () => {
      if (sources) this.#store.matrices.replaceSources(id, relabel(matrix.sources, sources))
      if (destinations) this.#store.matrices.replaceDestinations(id, relabel(matrix.destinations, destinations))
    })
  }

  setName(id: number, name: string, actor: RouterActor): RouterResult {
    const { matrices } = this.#store
    const matrix = matrices.byId(id)
    const line = { actor, event: setMatrix.path, id, detail: name }
    if (!matrix) return this.#journal.refuse(line, NOT_EXIST)
    if (matrixLabel(name)) return this.#journal.refuse({ ...line, detail: matrix.name }, INVALID_ARG, { field: 'name' })
    if (matrices.hasOther(id, 'name', name)) return this.#journal.refuse(line, NAME_EXISTS, { field: 'name' })
    return this.#journal.change(line, () => matrices.setNames(id, name, matrix.machine))
  }

  setTakeMode(id: number, on: boolean, actor: RouterActor): RouterResult {
    const { matrices } = this.#store
    const matrix = matrices.byId(id)
    const line = { actor, event: setMatrix.path, id, detail: `${matrix?.name ?? id}, Take Mode: ${on}` }
    if (!matrix) return this.#journal.refuse(line, NOT_EXIST)
    return this.#journal.change(line, () => matrices.setPanel(id, { ...matrix.panel, 'take-mode': on }))
  }

  onChange(listener: (matrixId: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  observePanels(observe: (id: number) => PanelState | undefined): void {
    this.#observePanel = observe
  }

  panelChanged(id: number): void {
    this.#notify(id)
  }

  /** The engine observes another state of a matrix. */
  observationChanged(id: number): void {
    this.#notify(id)
  }

  /** Salvos or scheduled takes of a matrix were changed. Called when the change is committed. */
  settingsChanged(id: number): void {
    this.#scheduledTakes.check()
    this.#notify(id)
  }

  /** A matrix was added, its lists were changed, or it was deleted. Called when the change is committed. */
  structureChanged(id: number): void {
    this.#revisions.increase(id)
    this.#engine.matricesChanged()
    this.#notify(id)
  }

  /** Runs `work` after the previous take of the matrix. */
  #inTurn<T>(id: number, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work)
    const ended = turn.then(
      () => {},
      () => {}
    )
    this.#turns.set(id, ended)
    void ended.then(() => this.#turns.get(id) === ended && this.#turns.delete(id))
    return turn
  }

  async #take(
    id: number,
    takes: readonly Take[],
    actor: RouterActor,
    { override = false, event = takeRoutes.path, title = '', revision }: RouterOptions
  ): Promise<RouterResult> {
    const matrix = this.#store.matrices.byId(id)
    if (!matrix) return this.#journal.refuse({ actor, event, id, detail: String(id) }, NOT_EXIST)
    // The log does not name the destinations and sources: the user has chosen others.
    const outdated = this.#revisions.findOutdated(id, revision)
    if (outdated) return this.#journal.refuse({ actor, event, id, detail: matrix.name }, outdated.result, outdated)
    const line = { actor, event, id, detail: describeTakes(matrix, takes, title) }
    const refusal = findRefusal(matrix, takes, actor, override)
    if (refusal) return this.#journal.refuse(line, refusal.result, refusal)
    const { storageFault } = this.#store.database
    // On a full disk there is a reserve for takes. With other faults they cannot be stored, so nothing is switched.
    if (storageFault && storageFault !== 'full') return this.#journal.refuse(line, FAULT_CODES[storageFault])
    // The engine gets all routes, because it may not have carried out those that are stored already.
    const changes = takes.filter(({ destination, source }) => sourceOf(matrix, destination) !== source)
    const before = changes.map(({ destination }): Take => ({ destination, source: sourceOf(matrix, destination) }))
    const revisionBefore = this.#revisions.of(id)
    const outcome = await this.#engine.takeRoutes(id, routesOf(matrix, takes))
    const isOther = this.#revisions.of(id) !== revisionBefore
    if (typeof outcome === 'object' || isOther) {
      // The engine may have switched, although its answer was lost.
      this.#engine.matricesChanged()
      const failed = typeof outcome === 'object' ? outcome.failed : []
      const labelled = failed.map((destination) => ({ destination, label: labelOf(matrix, destination) }))
      return isOther
        ? this.#journal.refuse(line, STATE_CHANGED)
        : this.#journal.refuse(line, WRITE_FAILED, { failed: labelled })
    }
    // The time identifies the take for an undo, so that no two takes have the same.
    const now = Math.max(Date.now(), (this.#store.matrices.byId(id)?.undo?.at ?? 0) + 1)
    const result = this.#journal.change(line, () => {
      // A take that changes nothing leaves the take that can be undone.
      if (changes.length === 0) return
      this.#store.matrices.take(id, changes, actor.name, now)
      this.#store.matrices.setUndo(id, { by: actor.name, at: now, takes: before })
    })
    if (result.result !== SUCCESS) await this.#engine.takeRoutes(id, routesOf(matrix, before))
    return result
  }

  #view(stored: StoredMatrix): Matrix {
    const { matrices } = this.#store
    const { id } = stored
    return viewMatrix({
      stored,
      revision: this.#revisions.of(id),
      observed: this.#engine.observeMatrix(id),
      salvos: matrices.salvos(id),
      scheduled: matrices.scheduled(id),
      panel: this.#observePanel(id),
      machine: ndiMachineNameOf({ store: this.#store, engine: this.#engine })
    })
  }

  #notify(id: number): void {
    const { matrices, changes } = this.#store
    if (matrices.exists(id)) changes.markChanged('ndi', id)
    else changes.markRemoved('ndi', id)
    for (const listener of this.#listeners) listener(id)
  }
}
