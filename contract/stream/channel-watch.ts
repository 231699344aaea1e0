// Playing a channel in a page (docs/wire.md, "Watching a channel").
import { CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export const watchChannel = declareCall('GET /channel/watch', CHANNEL_VIEW)

/**
 * Response header with the name of the codec of audio that is left out, because it has no data, or can neither be
 * played nor be converted.
 */
export const MISSING_AUDIO_HEADER = 'missing-audio'
