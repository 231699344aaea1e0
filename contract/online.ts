// Releases on a static web server: of the hub, and of the firmware of devices (docs/architecture/releases.md).

/** Why a channel file or a release was not downloaded. The sentences are in `hub/messages/online.ts`. */
export const ONLINE_FAULTS = [
  /** No connection, or the answer is not that of a web server. */
  'unreachable',
  /** Link-local addresses, and metadata services of clouds. */
  'forbidden-address',
  'certificate',
  'http-status',
  /** Too many redirects, or one from HTTPS to HTTP or to another protocol. */
  'redirect',
  'timeout',
  'too-large',
  'cut-short',
  /** The digest of the file is not the one in the channel file. */
  'wrong-digest',
  'no-space',
  'cancelled',
  /** The channel file is signed with a key that is not trusted, or with the development key, or was changed. */
  'wrong-key',
  'development',
  'tampered',
  /** The channel file has another format, or is that of another name. */
  'format',
  'wrong-name',
  'expired',
  /** The channel file is older than one that was accepted before. */
  'rolled-back'
] as const

export type OnlineFault = (typeof ONLINE_FAULTS)[number]

/** Details of a fault: status of HTTP, code of the system, free and needed bytes. */
export interface OnlineFaultDetails {
  status?: number
  error?: string
  free?: number
  need?: number
}
