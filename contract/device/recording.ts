// Errors of recordings. They have names, no numbers. The sentences are in `error-sentences.ts`.

export type { RecordingError } from './recording.schema.ts'

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
