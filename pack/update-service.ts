// The requests of the hub to the update service: HTTP on a Unix socket, with JSON except for the update itself.
// - `GET /releases`: `ReleaseListing`
// - `POST /releases`: the bytes of an update; verifies and unpacks it as a release that is on trial; `InstalledRelease`
// - `POST /releases/VERSION/trial`, body `TrialRequest`: which programs the launcher takes from it
// - `POST /releases/VERSION/activate`, body `ActivateRequest`: the launcher starts it from now on; `ReleaseListing`
// - `POST /releases/VERSION/reject`, body `RejectRequest`: removes it, or marks it if it belongs to the package
// Other answers than 200 have `ServiceFailure`.
import type { PackErrorKind } from './pack-error.ts'

/** Path of the socket, and of the folders of releases: over the air, and of the Debian package. */
export const SOCKET_PATH = '/run/headend-updater/socket'
export const DOWNLOADED_FOLDER = '/var/lib/headend-releases'
export const PACKAGED_FOLDER = '/usr/lib/headend/releases'

export interface InstalledRelease {
  version: string
  /** Absolute path. */
  folder: string
  /** Whether it belongs to the Debian package. */
  packaged: boolean
  /** The launcher does not start it: it is on trial, or was rejected or replaced for the reason. */
  mark?: { kind: 'trial' } | { kind: 'bad'; reason: string }
}

export interface ReleaseListing {
  releases: InstalledRelease[]
  /** Fingerprints of the keys whose updates the service accepts. */
  keys: string[]
}

export interface TrialRequest {
  /** Whether the stream engine, too, is started from it: its protocol differs from that of the release before. */
  engine: boolean
}

export interface ActivateRequest {
  /** Versions over the air that stay besides it: the one before, and the one from which streams run. */
  keep: string[]
}

export interface RejectRequest {
  reason: string
}

/**
 * - a kind of `PackError`: the update is not accepted
 * - `space`: the disk is too full
 * - `exists`: this version is installed and in use
 * - `unknown`: no such release
 * - `busy`: another update is being installed
 * - `failed`: the disk, or a program, failed
 */
export type ServiceError = PackErrorKind | 'space' | 'exists' | 'unknown' | 'busy' | 'failed'

export interface ServiceFailure {
  error: ServiceError
  message: string
}
