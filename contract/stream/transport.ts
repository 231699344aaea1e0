// Errors of MPEG-TS that ETSI TR 101 290 names with priority 1 and 2 (docs/architecture/streams/transport-errors.md).

/** Those up to `pid` have priority 1, the others priority 2. */
export const TRANSPORT_ERRORS = [
  'sync-loss',
  'sync-byte',
  'pat',
  'pmt',
  'continuity',
  'pid',
  'transport',
  'crc',
  'pcr-repetition',
  'pcr-discontinuity',
  'pts'
] as const

export type TransportError = (typeof TRANSPORT_ERRORS)[number]
