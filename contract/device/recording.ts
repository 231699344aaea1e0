// Errors of recordings. They have names, no numbers. The sentences are in `error-sentences.ts`.

export const RECORDING_ERRORS = [
  'usb-lost',
  'usb-missing',
  'usb-full',
  'slow-writes',
  'read-only',
  'storage-full',
  'storage-missing',
  'ndi-limit',
  'ndi-no-signal',
  'full-ndi-unsupported',
  'system-busy'
] as const

export type RecordingError = (typeof RECORDING_ERRORS)[number]
