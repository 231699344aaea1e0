// Clock of the machine under the hub (docs/wire.md, "Time").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'
import type { MachineAccess } from './machine.ts'

/**
 * State of the synchronisation.
 * - `synchronised`: within 100 ms of the time servers, which answer
 * - `correcting`: the clock still differs by more than 100 ms, and chrony corrects it
 * - `waiting`: no time server has answered usefully since chrony started
 * - `lost`: the clock was synchronised, and none of the last three requests to the time server was answered
 * - `off`: the synchronisation is switched off
 * - `unknown`: chrony does not answer; `access` says why
 */
export const SYNC_STATES = ['synchronised', 'correcting', 'waiting', 'lost', 'off', 'unknown'] as const

export type SyncState = (typeof SYNC_STATES)[number]

/**
 * What chrony makes of a time server: `selected` and `combined` are used; `false` and `unstable` disagree with the others or vary too much;
 * `unused` is usable and not needed; `unreachable` cannot be used, because it does not answer or is not synchronised itself.
 */
export const SOURCE_STATES = ['selected', 'combined', 'unused', 'false', 'unstable', 'unreachable'] as const

export type TimeSourceState = (typeof SOURCE_STATES)[number]

export interface TimeSource {
  name: string
  /** It is one of `servers`. The others come from the configuration of the machine, or from DHCP. */
  'set-here': boolean
  state: TimeSourceState
  /** 1-15; absent until the first answer. */
  stratum?: number
  /** Whether each of the last eight requests was answered, the last one in bit 0. */
  reach: number
  /** Seconds since the last answer; absent until the first one. */
  'last-answer-s'?: number
  /** Seconds by which the clock of the hub was ahead of the server at its last answer; `error`: largest error of that measurement. */
  offset?: number
  error?: number
}

export interface TimeSync {
  /** Whether chrony can be set up by the hub. */
  access: MachineAccess
  state: SyncState
  /** Whether the synchronisation is switched on; absent if that is unknown, as in view mode. */
  enabled?: boolean
  /** Seconds by which the clock of the hub is ahead of the time servers. Present while synchronised, correcting, or lost. */
  offset?: number
  /** Milliseconds since the epoch of the last correction. */
  'last-update'?: number
  /** Time servers that users set, at most two. */
  servers: string[]
  sources: TimeSource[]
}

export interface TimeStatus {
  /** Milliseconds since the epoch, when the hub answered. */
  time: number
  /** IANA name of the time zone. */
  zone: string
  /** Whether the hub can set the zone and the clock. */
  access: MachineAccess
  sync: TimeSync
}

/** Exactly one of `zone`, `sync` and `time`. */
export interface SetTimeRequest {
  /** IANA name of the time zone of the machine. */
  zone?: string
  /** Whether the clock is synchronised. */
  sync?: boolean
  /** With `sync`: up to two different time servers, names or addresses. Without both, those of the machine's configuration. */
  server1?: string
  server2?: string
  /** Milliseconds since the epoch: sets the clock. 38 while the synchronisation is on. */
  time?: number
}

export const getTime = declareCall<EmptyRequest, TimeStatus>('GET', '/time/get', SYSTEM_CONFIG_VIEW)

/** 26 with `message` if the hub cannot change it. */
export const setTime = declareCall<SetTimeRequest>('POST', '/time/set', SYSTEM_CONFIG_EDIT)
