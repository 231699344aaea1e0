// State of NDI on the hub, for the page of the NDI settings.
import { NDI_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { NdiServerStatus, NdiStatus, OutdatedNdiProcess } from './status.schema.ts'

export const getNdiStatus = declareCall('GET /ndi/status', NDI_VIEW)
