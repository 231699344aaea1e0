// Errors of a device's live streams and its Quick Stream. They have names, no numbers. The sentences are in
// `error-sentences.ts`.

export type { ActionError, LiveError, QuickStreamError } from './live.schema.ts'

export const LIVE_ERRORS = ['bad-settings', 'codec-error', 'no-signal', 'locked', 'network-down', 'rebooting'] as const

export const QUICK_STREAM_ERRORS = [
  'none-configured',
  'too-many',
  'test-running',
  'operation-running',
  'none-active'
] as const
