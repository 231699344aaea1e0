// The NDI router: matrices that connect NDI sources to destinations (docs/wire.md, "NDI router"). Each destination is an NDI source of the
// hub, so that any receiver can take it.
import { NDI_EDIT, NDI_VIEW } from '../access/permissions.ts'
import { type DeltaRequest, declareCall, type ListResponse, type PageRequest } from '../call.ts'

/** Matrices of a hub, and sources or destinations of a matrix. */
export const MATRICES_MAX = 16
export const MATRIX_SIDE_MAX = 64
/** Salvos of a matrix, and its scheduled takes. */
export const SALVOS_MAX = 64
export const SCHEDULED_TAKES_MAX = 64
/** Characters of a label. */
export const LABEL_MAX = 64
/** Seconds by which a scheduled take may be late. One that is later, because the hub was stopped, is logged and not made. */
export const SCHEDULE_LATE_MAX = 10
/** Days from now until the latest scheduled take. */
export const SCHEDULE_DAYS_MAX = 366
/** Port of the Videohub Ethernet Protocol. */
export const VIDEOHUB_PORT = 9990

/** Connects a source to a destination. Both are indexes from 1; source 0 disconnects the destination. */
export interface Take {
  destination: number
  source: number
}

export interface MatrixSource {
  /** 1-64. */
  index: number
  label: string
  /** NDI name, `MACHINE (Source)`. */
  name: string
  /** Whether the source is in the network, as last observed. */
  online: boolean
  /** Since when, in seconds since the epoch. Absent: not observed. */
  since?: number
}

/**
 * - `none`: no source is connected
 * - `routed`: receivers get the source
 * - `source-away`: the source is not in the network. Receivers get it when it is back
 * - `down`: the destination is not announced, or does not have the wanted source yet
 */
export type DestinationState = 'none' | 'routed' | 'source-away' | 'down'

export interface MatrixDestination {
  /** 1-64. */
  index: number
  label: string
  /** NDI name of the destination as announced, `HUB (base n)`. */
  name: string
  /** Index of the wanted source; 0 = none. */
  source: number
  /** When the source was taken, in seconds since the epoch; 0 = never. A take of the same source does not change it. */
  since: number
  /** Who took the source; empty = never taken. */
  by: string
  /** Receivers that are connected. */
  connections: number
  state: DestinationState
  /** Name of the user or panel that has locked the destination. */
  'locked-by'?: string
}

export interface SalvoFields {
  name: string
  takes: Take[]
}

export interface Salvo extends SalvoFields {
  id: number
}

export interface ScheduledTake {
  id: number
  /** Seconds since the epoch. */
  at: number
  name: string
  by: string
  takes: Take[]
}

/** Settings of the Videohub Ethernet Protocol of a matrix. */
export interface PanelSettings {
  enable: boolean
  port: number
  /** IPv4 or IPv6 addresses or ranges of clients; empty = all. */
  'allow-ip': string[]
  /** Indexes of the destinations that clients may switch; empty = all. */
  destinations: number[]
}

export interface PanelState {
  state: 'listening' | 'failed' | 'off'
  /** With `failed`. */
  reason?: string
  clients?: number
}

export interface Matrix {
  id: number
  name: string
  /** Base name of the destinations. */
  machine: string
  sources: MatrixSource[]
  destinations: MatrixDestination[]
  /**
   * Changes with each edit of the matrix (`setMatrix`), after which an index may be that of another source or destination. A take does not
   * change it.
   */
  revision: number
  salvos: Salvo[]
  /** Next first. */
  scheduled: ScheduledTake[]
  /** The last take that has changed a route, which `take` identifies, and the takes that undo it. */
  undo?: { by: string; at: number; take: number; takes: Take[] }
  panel: PanelSettings & Partial<PanelState>
}

export interface MatrixList extends ListResponse<Matrix> {
  /** NDI runtime of the hub: its version, or the reason why it cannot route and the next step, in the language of the request. */
  runtime: { version?: string; reason?: string; 'next-step'?: string }
}

/** A source in a request. Its index is its position in the list. Default label: the name without the machine. */
export interface SourceFields {
  label?: string
  name: string
}

/** A destination in a request. Its index is its position in the list. Default label: the base name and the index. */
export interface DestinationFields {
  label?: string
}

export interface MatrixFields {
  name: string
  machine: string
  sources: SourceFields[]
  destinations: DestinationFields[]
}

/** Fields of the error of a take. */
export interface TakeRefusal {
  /** With 38: destinations that others have locked. */
  locked?: { destination: number; label: string; by: string }[]
  /** With 15: destinations that could not be switched. All others were switched back. */
  failed?: { destination: number; label: string }[]
  /** With 1004: the matrix does not have the `revision` of the request any more. */
  'matrix-changed'?: boolean
}

/** Fields of the error of an edit that would interrupt receivers. */
export interface MatrixRefusal {
  /** With 1005: destinations that have receivers and would be disconnected, renamed or removed. */
  'with-receivers'?: { destination: number; label: string }[]
}

export const listMatrices = declareCall<PageRequest & DeltaRequest, MatrixList>('GET', '/ndi/router/list', NDI_VIEW)

/** 17 if there are 16 matrices; 1003 if another matrix has the name or the base name. */
export const addMatrix = declareCall<MatrixFields, { id: number }>('POST', '/ndi/router/add', NDI_EDIT)

/**
 * Changes the fields that are given. Routes follow the names of the sources: a destination keeps its source if that moves in the list, gets the
 * new source if another one takes its position, and is disconnected if it is removed. Salvos and scheduled takes change likewise.
 * 16; 1003; 1005 if destinations that have receivers would be disconnected or renamed and `force` is not set; 1007 if the port is in use; 38 with `locked` if destinations that others have locked would be switched, renamed or
 * removed, unless an administrator sets `force`.
 */
export const setMatrix = declareCall<
  { id: number; panel?: PanelSettings; force?: boolean } & Partial<MatrixFields>,
  object
>('POST', '/ndi/router/set', NDI_EDIT)

/** 16; 1005 if destinations have receivers and `force` is not set; 38 with `locked` as for `setMatrix`. */
export const deleteMatrix = declareCall<{ id: number; force?: boolean }>('POST', '/ndi/router/del', NDI_EDIT)

interface RevisionRequest {
  /** `revision` of the matrix that the user saw. The call fails with 1004 and changes nothing if it has another one. Default: any. */
  revision?: number
}

export interface TakeRequest extends RevisionRequest {
  id: number
  takes: Take[]
  /** Ignores locks. Only for the Admin group; others get 31. */
  override?: boolean
  /** Schedules the takes instead, in seconds since the epoch. */
  at?: number
  /** Name of the scheduled take. */
  name?: string
}

/** Makes all of the takes, or none. 16; 38 with `locked`; 15 with `failed`; 17 if there are 64 scheduled takes; 1004 see `RevisionRequest`. */
export const takeRoutes = declareCall<TakeRequest, { /** ID of the scheduled take. */ scheduled?: number }>(
  'POST',
  '/ndi/router/route',
  NDI_EDIT
)

/** Locks a destination for the caller, or unlocks it. 16; 38 with `locked` if another user or panel has locked it; 1004 see `RevisionRequest`. */
export const lockDestination = declareCall<
  { id: number; destination: number; locked: boolean; override?: boolean } & RevisionRequest
>('POST', '/ndi/router/lock', NDI_EDIT)

/** 16; 17 if there are 64 salvos; 1003. */
export const addSalvo = declareCall<{ id: number } & SalvoFields, { salvo: number }>(
  'POST',
  '/ndi/router/salvo/add',
  NDI_EDIT
)

/** 16; 1003. */
export const setSalvo = declareCall<{ id: number; salvo: number } & Partial<SalvoFields>>(
  'POST',
  '/ndi/router/salvo/set',
  NDI_EDIT
)

/** 16. */
export const deleteSalvo = declareCall<{ id: number; salvo: number }>('POST', '/ndi/router/salvo/del', NDI_EDIT)

/** As `takeRoutes`. */
export const takeSalvo = declareCall<{ id: number; salvo: number; override?: boolean } & RevisionRequest>(
  'POST',
  '/ndi/router/salvo/take',
  NDI_EDIT
)

/** Undoes the last take, which is a take itself. As `takeRoutes`; 16 if there is nothing to undo; 1004 if `take` is not the last take. */
export const undoTake = declareCall<{ id: number; take?: number; override?: boolean }>(
  'POST',
  '/ndi/router/undo',
  NDI_EDIT
)

/** 16. */
export const deleteScheduledTake = declareCall<{ id: number; scheduled: number }>(
  'POST',
  '/ndi/router/schedule/del',
  NDI_EDIT
)
