// Links with which anybody downloads a part of a recording until they end (docs/wire.md, "Recordings").
import { CHANNEL_EDIT } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { RecordingShare } from './share.schema.ts'

/** Hours for which a link is valid. */
export const SHARE_HOURS = { default: 24, max: 720 } as const
/** Links that are valid at the same time. */
export const SHARES_MAX = 1000
/** Downloads with one link at the same time. */
export const SHARE_DOWNLOADS_MAX = 4

export const addShare = declareCall('POST /recording/share/add', CHANNEL_EDIT)

export const listShares = declareCall('GET /recording/share/list', CHANNEL_EDIT)

export const deleteShare = declareCall('POST /recording/share/del', CHANNEL_EDIT)

export const getSharedRecording = declareCall('GET /recording/shared', 'public')
