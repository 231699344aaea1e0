// Updates: a signed file replaces the console of the hub, or the whole hub. The hub has two slots (A/B) for consoles; a
// new console is on trial until a browser confirms that it works, else the hub rolls back (docs/wire.md, "Console
// updates"). A release of the whole hub is on trial with a copy of the data (docs/architecture/upgrade.md).

import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'

export type {
  ConsoleUse,
  ConsoleVersion,
  OnlineRelease,
  OnlineStatus,
  ReleaseRollback,
  Slot,
  StoredConsole,
  StoredRelease,
  TrustedKey,
  UpdateFault,
  UpdateRefusal,
  UpdateStatus,
  UploadedUpdate
} from './update.schema.ts'

/** Bits of `state`. */
export const UPDATE_STATE = {
  idle: 0,
  /** Before an upload: whether there is enough disk space. */
  checking: 0x1,
  checkingOnline: 0x2,
  pulling: 0x4,
  verifying: 0x8,
  uploading: 0x10,
  cancelling: 0x20,
  /** Installed, not yet confirmed. */
  restarting: 0x40,
  /** The hub trusts no signing key, so nothing can be installed. */
  unavailable: 0x100,
  /** The last update failed; see `online-status` and `update-fault`. */
  failed: 0x200
} as const

/** Maximum size in bytes of an update of the console. The size of a release is in its signed statement. */
export const UPDATE_FILE_MAX = 16 << 20

/** Why an update was refused or rolled back. The sentences are in `hub/messages/updates.ts`. */
export const UPDATE_FAULTS = [
  'cut-short',
  'not-a-pack',
  'wrong-key',
  'development',
  'tampered',
  'format',
  'over-budget',
  /** `unsquashfs` is not installed. */
  'tool',
  'no-keys',
  /** Of a release: for another processor; for another model; the hub runs from no release that could be replaced. */
  'architecture',
  'hardware',
  'no-releases',
  /** The update service does not answer, or could not write the release. */
  'service',
  /**
   * Of an installed console: not confirmed in time; the hub stopped before it was confirmed; its files do not match
   * the signature.
   */
  'unconfirmed',
  'interrupted',
  'damaged'
] as const

/**
 * Checks of a release on trial, in order: its process keeps running; it answers requests;
 * the channels that were on air carry streams again; the update service makes it the one that is started.
 */
export const TRIAL_CHECKS = ['process', 'answer', 'channels', 'activation'] as const

/** Releases online in one response of `updateStatus`. */
export const ONLINE_RELEASES_MAX = 20

/** Places for consoles: the one that is part of the hub, and two for installed ones. */
export const SLOTS = ['built-in', 'a', 'b'] as const

export const updateStatus = declareCall('GET /update/status', SYSTEM_CONFIG_VIEW)

export const uploadUpdate = declareCall('POST /update/upload', 'admin', { body: 'form' })

export const checkUpdate = declareCall('POST /update/check', 'admin')

export const setUpdate = declareCall('POST /update/set', 'admin')

export const startUpdate = declareCall('POST /update/start', 'admin', { reauthenticate: true, interrupts: true })

export const cancelUpdate = declareCall('POST /update/cancel', 'admin')

export const confirmUpdate = declareCall('POST /update/confirm', 'admin')

export const revertUpdate = declareCall('POST /update/revert', 'admin', { reauthenticate: true, interrupts: true })

export const restartStreams = declareCall('POST /update/restart-streams', 'admin', { interrupts: true })
