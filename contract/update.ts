// Console updates: a signed pack replaces the console of the hub. The hub has two slots (A/B); a new console is on
// trial until a browser confirms that it works, else the hub rolls back (docs/wire.md, "Console updates").

import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'

export type {
  ConsoleUse,
  ConsoleVersion,
  OnlineStatus,
  Slot,
  StoredConsole,
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

/** Maximum size of an update file in bytes. */
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
  /**
   * Of an installed console: not confirmed in time; the hub stopped before it was confirmed; its files do not match
   * the signature.
   */
  'unconfirmed',
  'interrupted',
  'damaged'
] as const

/** Places for consoles: the one that is part of the hub, and two for installed ones. */
export const SLOTS = ['built-in', 'a', 'b'] as const

export const updateStatus = declareCall('GET /update/status', SYSTEM_CONFIG_VIEW)

export const uploadUpdate = declareCall('POST /update/upload', 'admin', { body: 'form' })

export const startUpdate = declareCall('POST /update/start', 'admin', {
  reauthenticate: true
})

export const cancelUpdate = declareCall('POST /update/cancel', 'admin')

export const confirmUpdate = declareCall('POST /update/confirm', 'admin')

export const revertUpdate = declareCall('POST /update/revert', 'admin', { reauthenticate: true })
