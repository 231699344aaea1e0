// The NDI router: matrices that connect NDI sources to destinations (docs/wire.md, "NDI router"). Each destination is
// an NDI source of the hub, so that any receiver can take it.
import { NDI_EDIT, NDI_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type {
  DestinationState,
  Matrix,
  MatrixDestination,
  MatrixList,
  MatrixSource,
  PanelSettings,
  PanelState,
  Salvo,
  SalvoFields,
  ScheduledTake,
  Take
} from './router.schema.ts'

/** Matrices of a hub. */
export const MATRICES_MAX = 16
/** Salvos of a matrix, and its scheduled takes. */
export const SALVOS_MAX = 64
export const SCHEDULED_TAKES_MAX = 64
/**
 * Seconds by which a scheduled take may be late. One that is later, because the hub was stopped, is logged and not
 * made.
 */
export const SCHEDULE_LATE_MAX = 10
/** Days from now until the latest scheduled take. */
export const SCHEDULE_DAYS_MAX = 366
/** Port of the Videohub Ethernet Protocol. */
export const VIDEOHUB_PORT = 9990

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

export const listMatrices = declareCall('GET /ndi/router/list', NDI_VIEW)

export const addMatrix = declareCall('POST /ndi/router/add', NDI_EDIT)

export const setMatrix = declareCall('POST /ndi/router/set', NDI_EDIT)

export const deleteMatrix = declareCall('POST /ndi/router/del', NDI_EDIT)

export const takeRoutes = declareCall('POST /ndi/router/route', NDI_EDIT)

export const lockDestination = declareCall('POST /ndi/router/lock', NDI_EDIT)

export const addSalvo = declareCall('POST /ndi/router/salvo/add', NDI_EDIT)

export const setSalvo = declareCall('POST /ndi/router/salvo/set', NDI_EDIT)

export const deleteSalvo = declareCall('POST /ndi/router/salvo/del', NDI_EDIT)

export const takeSalvo = declareCall('POST /ndi/router/salvo/take', NDI_EDIT)

export const undoTake = declareCall('POST /ndi/router/undo', NDI_EDIT)

export const deleteScheduledTake = declareCall('POST /ndi/router/schedule/del', NDI_EDIT)
