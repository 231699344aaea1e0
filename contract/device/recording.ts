// What can go wrong with a recording: specification 8. The specification has names without numbers, and so do we.

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
