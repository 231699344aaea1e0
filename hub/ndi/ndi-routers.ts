// The NDI router as handlers and panels see it.
import type { Matrix, PanelState, Take, TakeRefusal } from '../../contract/ndi/router.ts'

/** Who changes a route: a user at a console, a panel, or the user who scheduled a take. */
export interface RouterActor {
  /** Name of the user or panel, for logs and locks. */
  name: string
  /** Name of the access token with which a program of the user calls. */
  token?: string | undefined
  /** IP address; empty for scheduled takes. */
  address: string
  /** Whether the actor may override locks of others. */
  isAdmin: boolean
  /** Whether the actor is a panel, which is not signed in. Its lines take a part of the operation log at most. */
  isPanel?: boolean
}

/** Outcome of a change: a result code with its fields. Nothing has changed unless the code is 0. */
export interface RouterResult extends TakeRefusal {
  result: number
  /** With 7: the invalid field. */
  field?: string
  /** With 17: the limit. */
  max?: number
}

export interface RouterOptions {
  /** Ignores locks of others; 31 unless the actor is an administrator. */
  override?: boolean | undefined
  /** Path of the call in the operation log. */
  event?: string
  /** Name of the salvo or scheduled take, for the operation log. */
  title?: string | undefined
  /** The revision of the matrix that the user saw; 1004 if it is not the current one. Default: any. */
  revision?: number | undefined
}

export interface UndoOptions extends Pick<RouterOptions, 'override'> {
  /** The take to undo, as in `Matrix.undo`; 1004 if it is not the last one. Default: the last one. */
  take?: number | undefined
}

/** Labels by index. */
export interface LabelChanges {
  sources?: ReadonlyMap<number, string>
  destinations?: ReadonlyMap<number, string>
}

/** The methods write the operation log. A change is on disk when they return. */
export interface NdiRouters {
  /** By ID. */
  list(): Matrix[]
  get(id: number): Matrix | undefined
  /** Makes all of the takes, or none. Source 0 disconnects. */
  take(id: number, takes: readonly Take[], actor: RouterActor, options?: RouterOptions): Promise<RouterResult>
  /** Undoes the last take. */
  undo(id: number, actor: RouterActor, options?: UndoOptions): Promise<RouterResult>
  setLock(id: number, destination: number, locked: boolean, actor: RouterActor, options?: RouterOptions): RouterResult
  setLabels(id: number, labels: LabelChanges, actor: RouterActor): RouterResult
  /** Renames the matrix; 1003 if another one has the name. */
  setName(id: number, name: string, actor: RouterActor): RouterResult
  /** Sets whether panels ask for a confirmation of each route. */
  setTakeMode(id: number, on: boolean, actor: RouterActor): RouterResult
  /**
   * Calls `listener` after each change of a matrix, wanted or observed. @returns a function that ends the subscription
   */
  onChange(listener: (matrixId: number) => void): () => void
  /**
   * Sets the function that observes the panel server of a matrix. The server calls `panelChanged` after each change.
   */
  observePanels(observe: (id: number) => PanelState): void
  panelChanged(id: number): void
}
