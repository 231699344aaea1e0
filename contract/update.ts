// Console updates: a signed pack replaces the console of the hub. The hub has two slots (A/B); a new console is on trial until a browser
// confirms that it works, else the hub rolls back (docs/wire.md, "Console updates").

import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall, type EmptyRequest } from './call.ts'
import type { StatusInfo } from './device/status.ts'
import type { DiskSpaceDetails } from './firmware.ts'

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
const UPDATE_FAULTS = [
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
  /** Of an installed console: not confirmed in time; the hub stopped before it was confirmed; its files do not match the signature. */
  'unconfirmed',
  'interrupted',
  'damaged'
] as const

export type UpdateFault = (typeof UPDATE_FAULTS)[number]

/** Details of a refused update. With `over-budget`: the part that is too large, its size and its limit in bytes. */
export interface UpdateRefusal {
  'update-fault'?: UpdateFault
  part?: string
  is?: number
  limit?: number
}

/** Places for consoles: the one that is part of the hub, and two for installed ones. */
export const SLOTS = ['built-in', 'a', 'b'] as const
export type Slot = (typeof SLOTS)[number]

/** Version of a console, from the manifest of its pack. */
export interface ConsoleVersion {
  version: string
  /** Absent if it was not recorded. */
  commit?: string
  /** The build contained uncommitted changes. */
  changed?: boolean
  /** Signed with the public development key. */
  development?: boolean
  /** Time of the commit in milliseconds since the epoch. */
  time?: number
}

/** An uploaded and verified update. */
export interface UploadedUpdate extends ConsoleVersion {
  /** The id for `startUpdate`. */
  id: string
  /** Bytes. */
  size: number
  /** Its version is lower than that of the active console: `startUpdate` needs `force`. */
  older?: true
}

/**
 * - `ready`: uploaded and verified
 * - `active`: in use; `trial`: in use, not yet confirmed
 * - `former`: the target of `revertUpdate`
 * - `kept`: stored, otherwise unused
 */
export type ConsoleUse = 'ready' | 'active' | 'trial' | 'former' | 'kept'

export interface StoredConsole
  extends ConsoleVersion,
    Partial<Omit<UploadedUpdate, keyof ConsoleVersion>>,
    Partial<StatusInfo> {
  slot: Slot | 'uploaded'
  /** Name of the slot in the language of the request; `text` describes `use`. */
  place?: string
  use: ConsoleUse
  /** Remaining trial time in seconds. */
  left?: number
}

/** A key whose updates the hub accepts. Keys come from files that an operator of the machine names when the hub starts. */
export interface TrustedKey {
  /** SHA-256 of the public key (SPKI, DER) in hex, as in the statement of an update. */
  fingerprint: string
  /** The public development key. */
  development?: boolean
}

/** Result of the last update, and newer versions that the hub has found. */
export interface OnlineStatus {
  /** Result code of the last update. */
  'update-result': number
  /** Whether the hub looks for new versions online. This hub does not: new versions are uploaded. */
  enable?: boolean
  /** Whether no version is known that is higher than the one in use. */
  'is-newest'?: boolean
  /** The highest known version: the uploaded update, or the one in use. */
  'newest-version'?: string
}

export interface UpdateStatus extends UpdateRefusal {
  /** Bits of `UPDATE_STATE`. */
  state: number
  /** Percent of the current step. */
  progress: number
  'enable-update': boolean
  /** Version of the hub. */
  version: string
  'online-status': OnlineStatus
  /** The uploaded update, then the consoles in the slots. */
  consoles: StoredConsole[]
  /** Returned only to the Admin group. */
  'trusted-keys'?: TrustedKey[]
}

// A console runs with the rights of whoever opens it, so only the Admin group replaces it: a member of another group would become one.

/** Returns the consoles and the state of an update. `update-fault` and `message` explain a failure of the last update. */
export const updateStatus = declareCall<EmptyRequest, UpdateStatus>('GET', '/update/status', SYSTEM_CONFIG_VIEW)

/**
 * Uploads an update as multipart/form-data, part `file`, verifies it, and keeps it until it is installed, replaced or cancelled.
 * 23 not an update file; 50 incomplete; 40 changed after it was signed; 36 signed with an untrusted key; 9 unknown format; 18 larger than
 * `UPDATE_FILE_MAX`, or over the size budget; 29 with `DiskSpaceDetails`; 42 cancelled; 43 another update is in progress or waits for
 * confirmation; 38 the hub trusts no key. `update-fault` has the details.
 */
export const uploadUpdate = declareCall<EmptyRequest, UploadedUpdate & DiskSpaceDetails>(
  'POST',
  '/update/upload',
  'admin',
  { body: 'form' }
)

/**
 * Installs the uploaded update into the unused slot and activates it on trial. Without confirmation in time, the hub rolls back.
 * 16 nothing uploaded; 1004 another update was uploaded since; 1009 the active console has a higher version (`force` overrides); 43 as above.
 */
export const startUpdate = declareCall<{ id: string; force?: boolean }>('POST', '/update/start', 'admin', {
  reauthenticate: true
})

/** Cancels an upload, or deletes the uploaded update. 16 if there is neither. */
export const cancelUpdate = declareCall<EmptyRequest>('POST', '/update/cancel', 'admin')

/**
 * Confirms that the console on trial works. Sent by the console itself after it has loaded; `script` is the name of its script
 * (`console-trial` of the system status). 38 if that console is not active.
 */
export const confirmUpdate = declareCall<{ script: string }>('POST', '/update/confirm', 'admin')

/** Activates the previous console, on trial like a new one. 16 if there is none; 43 as above. */
export const revertUpdate = declareCall<EmptyRequest>('POST', '/update/revert', 'admin', { reauthenticate: true })
