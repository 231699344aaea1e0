// Clock of the machine under the hub (docs/wire.md, "Time").

import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'

export type { SyncState, TimeSource, TimeSourceState, TimeStatus, TimeSync } from './time.schema.ts'

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

/**
 * What chrony makes of a time server: `selected` and `combined` are used; `false` and `unstable` disagree with the
 * others or vary too much; `unused` is usable and not needed; `unreachable` cannot be used, because it does not answer
 * or is not synchronised itself.
 */
export const SOURCE_STATES = ['selected', 'combined', 'unused', 'false', 'unstable', 'unreachable'] as const

export type SetTimeRequest = RequestTo<'POST /time/set'>

export const getTime = declareCall('GET /time/get', SYSTEM_CONFIG_VIEW)

export const setTime = declareCall('POST /time/set', SYSTEM_CONFIG_EDIT, { interrupts: true })
