// Playing a channel in a page (docs/wire.md, "Watching a channel").
import { CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'

/**
 * Opens the stream that the outputs of a channel receive as endless fragmented MP4. The response is not JSON unless it is an error. Its
 * content type names the codecs; it ends when they change, and the client opens it again. `v` bypasses caches.
 * 16 unknown channel; 31 the caller may not see all devices that can be its input; 38 the channel is stopped; 4 there is no stream at the
 * moment; 17 too many pages play channels, with `max`.
 */
export const watchChannel = declareCall<{ id: number; v?: number }, EmptyRequest>('GET', '/channel/watch', CHANNEL_VIEW)

/** Response header with the name of the codec of audio that is left out, because browsers do not play it. */
export const MISSING_AUDIO_HEADER = 'missing-audio'
