// Errors of a device's live streams, its Quick Stream, and its streaming servers. They have names, no numbers. The sentences are in
// `error-sentences.ts` and `hub/messages/streaming-servers.ts`.

export type { ActionError, LiveError, QuickStreamError } from './live.schema.ts'

export const LIVE_ERRORS = ['bad-settings', 'codec-error', 'no-signal', 'locked', 'network-down', 'rebooting'] as const

export const QUICK_STREAM_ERRORS = [
  'none-configured',
  'too-many',
  'test-running',
  'operation-running',
  'none-active'
] as const

/** A device has at most 16 servers (`CHANNEL_OUTPUTS_MAX`). */
export const SERVER_ERRORS = ['exists', 'too-many', 'deleted'] as const
export type ServerError = (typeof SERVER_ERRORS)[number]
