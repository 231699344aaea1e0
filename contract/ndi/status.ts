// State of NDI on the hub, for the page of the NDI settings.
import { NDI_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'
import type { NdiServerState } from './settings.ts'

/** A process that runs with an earlier configuration. */
export interface OutdatedNdiProcess {
  role: 'find' | 'receive' | 'send' | 'route'
  /** Name of the source that it receives or sends. */
  name: string
}

export interface NdiStatus {
  /** NDI runtime of the hub: its version, or the reason why it is not usable and the next step, in the language of the request. */
  runtime: { version?: string; reason?: string; 'next-step'?: string }
  /** Name under which the hub announces its sources. Absent while the engine is away. */
  'machine-name'?: string
  /** Processes that keep an earlier configuration until they start again. */
  outdated: OutdatedNdiProcess[]
  /** Hosts of the settings that are unknown or forbidden, and network interfaces that do not exist. */
  unusable: string[]
  /** The account of the hub has an NDI configuration of its own: merged, or invalid and ignored. */
  'account-config'?: 'merged' | 'invalid'
  server: NdiServerStatus
}

/** The discovery server of the hub. */
export interface NdiServerStatus {
  /** Absent while the engine is away. */
  state?: NdiServerState
  port?: number
  /** With `retry`: the last line of the program or the error of the system, and the seconds until it is started again. */
  error?: string
  'retry-in-s'?: number
  /** With `not-installed`: how to install it, in the language of the request. */
  'next-step'?: string
}

export const getNdiStatus = declareCall<EmptyRequest, NdiStatus>('GET', '/ndi/status', NDI_VIEW)
