// Updates of the hub's console by a signed pack: specification 4, reference 3.7, 5.1 and 8. What is not public is ours: two slots, and a
// console that has to show that it works before it stays.
import { call, type Nothing } from './call.ts'
import type { Standing } from './device/device.ts'
import type { SpaceNumbers } from './firmware.ts'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from './permissions.ts'

/** Bits of `state` (reference 3.7), which are in `status-code` of the system too. */
export const UPDATE_STATE = {
  idle: 0,
  checking: 0x1,
  checkingOnline: 0x2,
  pulling: 0x4,
  verifying: 0x8,
  uploading: 0x10,
  cancelling: 0x20,
  /** Installed, and not yet shown to work. */
  restarting: 0x40,
  /** Nothing can be installed: the hub trusts no key. */
  unavailable: 0x100,
  /** The last one failed: `online-status` says why. */
  failed: 0x200
} as const

/** Bytes of an update at most: a console is a tenth of that. */
export const UPDATE_FILE_MAX = 16 << 20

/** Why an update is not taken, or did not stay. The sentences are in `hub/messages/updates.ts`. */
export const UPDATE_FAULTS = [
  'cut-short',
  'not-a-pack',
  'wrong-key',
  'development',
  'tampered',
  'format',
  'over-budget',
  /** The program that unpacks images is missing. */
  'tool',
  'no-keys',
  /** Of an installed one: nobody confirmed it in time, the hub stopped before anybody did, its files are no longer what was signed. */
  'unconfirmed',
  'interrupted',
  'damaged'
] as const

export type UpdateFault = (typeof UPDATE_FAULTS)[number]

/** Besides the result of a refused update: what exactly, and with `over-budget` what of it is too large, in bytes. */
export interface UpdateRefused {
  'update-fault'?: UpdateFault
  part?: string
  is?: number
  limit?: number
}

/** The consoles a hub can have: the one it came with, and those that were installed. */
export const SLOTS = ['built-in', 'a', 'b'] as const
export type Slot = (typeof SLOTS)[number]

/** A console as its pack calls it. */
export interface ConsoleVersion {
  version: string
  /** Absent where nobody noted it. */
  commit?: string
  /** It was not made of the commit as it is. */
  changed?: boolean
  /** Signed by the key that everybody has. */
  development?: boolean
  /** Time of the commit: milliseconds since the epoch. */
  time?: number
}

/** An update that was uploaded and found good. */
export interface UploadedUpdate extends ConsoleVersion {
  /** What `startUpdate` takes. */
  id: string
  /** Bytes. */
  size: number
  /** Its version is lower than that of the console in use: installing it needs `force`. */
  older?: true
}

/**
 * - `ready`: uploaded and found good
 * - `active`: in use; `trial`: the same, but it has not yet shown that it works
 * - `former`: `revertUpdate` goes back to it
 * - `kept`: there, and nothing more
 */
export type ConsoleUse = 'ready' | 'active' | 'trial' | 'former' | 'kept'

export interface ConsoleHeld
  extends ConsoleVersion,
    Partial<Omit<UploadedUpdate, keyof ConsoleVersion>>,
    Partial<Standing> {
  slot: Slot | 'uploaded'
  /** The slot in the language of who asks; how it is used in words stands beside `use`. */
  place?: string
  use: ConsoleUse
  /** Of one on trial: seconds that it has left. */
  left?: number
}

export interface UpdateStatus extends UpdateRefused {
  /** Bits of `UPDATE_STATE`. */
  state: number
  /** Percent of what is under way. */
  progress: number
  'enable-update': boolean
  /** Of the hub. */
  version: string
  'online-status': { 'update-result': number }
  /** Ours: what was uploaded, then what is in the slots. */
  consoles: ConsoleHeld[]
}

/** What is installed and what is under way. Where the last update failed, `update-fault` and `message` say why. */
export const updateStatus = call<Nothing, UpdateStatus>('GET', '/update/status', SYSTEM_CONFIG_VIEW)

/**
 * Takes an update as multipart/form-data, part `file`, checks all of it, and holds it until it is installed, replaced or cancelled.
 * 23 no update; 50 it ended early, or is cut short; 40 changed since it was signed; 36 by a key that is not trusted; 9 of an unknown
 * form; 18 larger than `UPDATE_FILE_MAX`, or than the walls allow; 29 with `SpaceNumbers`; 42 cancelled; 43 one is on its way or waits for
 * its confirmation; 38 the hub trusts no key. `update-fault` says which of them.
 */
export const uploadUpdate = call<Nothing, UploadedUpdate & SpaceNumbers>(
  'POST',
  '/update/upload',
  SYSTEM_CONFIG_EDIT,
  'form'
)

/**
 * Installs what was uploaded, in the place of the console that is not in use, and serves it from then on. It stays when it is confirmed
 * in time. 16 nothing was uploaded; 1004 something else was by now; 1009 a higher version is in use: with `force` it goes through; 43 as above.
 */
export const startUpdate = call<{ id: string; force?: boolean }>('POST', '/update/start', SYSTEM_CONFIG_EDIT)

/** Ends an upload, or throws away what was uploaded. 16 when there is nothing. */
export const cancelUpdate = call<Nothing>('POST', '/update/cancel', SYSTEM_CONFIG_EDIT)

/**
 * Said by a console that has come up: it is the one with this script (`console-trial` of the system's status), and it works. 38 when it is not
 * the one in use.
 */
export const confirmUpdate = call<{ script: string }>('POST', '/update/confirm', SYSTEM_CONFIG_EDIT)

/** Goes back to the console that was in use before; it has to be confirmed like a new one. 16 when there is none; 43 as above. */
export const revertUpdate = call<Nothing>('POST', '/update/revert', SYSTEM_CONFIG_EDIT)
