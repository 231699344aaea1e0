// What can go wrong with the live streams of a device, its Quick Stream, and its streaming servers: specification 8. The specification
// has names without numbers, and so do we.

export const LIVE_ERRORS = ['bad-settings', 'codec-error', 'no-signal', 'locked', 'network-down', 'rebooting'] as const

export const QUICK_STREAM_ERRORS = [
  'none-configured',
  'too-many',
  'test-running',
  'operation-running',
  'none-active'
] as const

/** Of servers there are 16 at most (`SERVERS_MAX`). */
export const SERVER_ERRORS = ['exists', 'too-many', 'deleted'] as const

export type LiveError = (typeof LIVE_ERRORS)[number]
export type QuickStreamError = (typeof QUICK_STREAM_ERRORS)[number]
export type ServerError = (typeof SERVER_ERRORS)[number]
