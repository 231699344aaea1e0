// Export and import of the configuration of a hub (docs/wire.md, "Export and import").
import { declareCall, type EmptyRequest } from '../call.ts'

/** Parts of an export. Each can be imported alone. */
export const EXPORT_PARTS = ['users', 'devices', 'streams', 'ndi', 'settings'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

/** Maximum size of an export in bytes. */
export const EXPORT_FILE_MAX = 32 << 20
/** Characters of a passphrase. */
export const EXPORT_PASSPHRASE_MIN = 12
export const EXPORT_PASSPHRASE_MAX = 256
/** Wrong passphrases after which an uploaded export is removed. */
export const PASSPHRASE_TRIES = 5
/** Seconds for which an uploaded export can be imported. */
export const IMPORT_LIFETIME = 900
/** Items of a part that the difference lists; it counts all. */
export const DIFFERENCE_ITEMS_MAX = 200

/**
 * Who signed an export.
 * - `own`: this hub
 * - `other`: another hub; `fingerprint` is that of its key
 */
export type ExportSigner = 'own' | 'other'

/** Why an export cannot be imported. */
export type ExportFault =
  /** The file is not an export. */
  | 'not-an-export'
  /** Incomplete, or altered after it was signed. */
  | 'damaged'
  /** Made by a newer hub. */
  | 'newer'
  /** A value that this hub does not accept; `of` names the object. */
  | 'value'
  /** Objects refer to others that are not in it, or two have the same ID or name. */
  | 'inconsistent'
  /** No member of the Admin group would remain. */
  | 'no-admin'
  | 'passphrase'

/** With an error: why the export was refused. */
export interface ExportRefusal {
  'export-fault'?: ExportFault
  /** Kind and name of the object, such as `channel Studio 1`. */
  of?: string
  /** With `passphrase`: the remaining attempts. */
  left?: number
}

/** An uploaded export. */
export interface UploadedExport {
  /** For the calls that follow. */
  id: string
  /** Milliseconds since the epoch. */
  created: number
  /** Name of the machine, and version of the hub, that made it. */
  host: string
  version: string
  signer: ExportSigner
  /** SHA-256 of the public key of its signer (SPKI, DER) in hex. */
  fingerprint: string
  /** Whether it has secrets, which a passphrase opens. */
  sealed: boolean
  /** Its parts with their numbers of objects. */
  parts: { part: ExportPart; count: number }[]
}

export type ItemKind =
  | 'user'
  | 'group'
  | 'token'
  | 'catalog'
  | 'device'
  | 'input'
  | 'output'
  | 'channel'
  | 'preset'
  | 'matrix'
  | 'setting'

/** An object that the import adds, changes or removes. For `setting`, `name` is the part of the settings. */
export interface DifferenceItem {
  kind: ItemKind
  name: string
  change: 'added' | 'changed' | 'removed'
}

export interface PartDifference {
  part: ExportPart
  added: number
  changed: number
  removed: number
  /** The first 200. */
  items: DifferenceItem[]
}

/**
 * What the import means for a channel. Channels that are not listed stay on air.
 * - `starts`, `stops`
 * - `restarts`: its settings change, which can interrupt it
 */
export interface ChannelEffect {
  name: string
  effect: 'starts' | 'stops' | 'restarts'
  /** Whether it runs now. */
  'on-air': boolean
}

/**
 * What needs attention after the import, with names of objects.
 * - `password`: new users without a password: an administrator has to set one
 * - `secret`: inputs and outputs whose passwords and keys are missing. The channels of such inputs are stopped, and such outputs switched off
 * - `key`: channels that get new keys
 * - `device`: devices that wait for approval, because the key of the device is missing
 * - `login`: devices at an address whose login is missing
 * - `reference`: objects that lose a device or an input that is not there
 * - `admin`: the user who imports, who would be missing
 * - `new-admin`: users who become administrators
 * - `permission`: users of this hub who get further permissions
 * - `setting`: settings whose passphrase or code is missing and replaced by a random one
 */
export type ImportNoteKind =
  | 'password'
  | 'secret'
  | 'key'
  | 'device'
  | 'login'
  | 'reference'
  | 'admin'
  | 'new-admin'
  | 'permission'
  | 'setting'

export interface ImportNote {
  note: ImportNoteKind
  names: string[]
}

export interface ImportDifference {
  parts: PartDifference[]
  channels: ChannelEffect[]
  notes: ImportNote[]
  /** For `applyImport`: identifies the compared configuration and import. */
  digest: string
}

/** The configuration without secrets as a file: a tar archive, described in docs/architecture/export.md. */
export const exportConfiguration = declareCall<EmptyRequest>('GET', '/system/export', 'admin')

/**
 * Uploads an export as multipart/form-data, part `file`, and checks its hashes and its signature. Nothing changes yet. It is kept for 15
 * minutes or until the next upload. 23 no export; 40 damaged or altered; 9 made by a newer hub; 18 too large; 50 incomplete. `export-fault` has the
 * details.
 */
export const uploadImport = declareCall<EmptyRequest, UploadedExport & ExportRefusal>(
  'POST',
  '/system/import',
  'admin',
  { body: 'form', reauthenticate: true }
)

/**
 * Compares the uploaded export with the configuration. Without `passphrase` its secrets are not read, and those of this hub stay. Default of
 * `parts`: all.
 * 16 not uploaded, or expired; 39 wrong passphrase, with `left`; 49 with `export-fault` if it cannot be imported; 1006.
 */
export const compareImport = declareCall<
  { id: string; passphrase?: string; parts?: ExportPart[] },
  ImportDifference & ExportRefusal
>('POST', '/system/import/compare', 'admin', { reauthenticate: true })

/**
 * Imports what `compareImport` compared last, all of it or nothing, and restarts the hub, which takes a few seconds. Channels that stay the same
 * continue meanwhile. 1004 if the configuration has changed since.
 */
export const applyImport = declareCall<{ id: string; digest: string }, ExportRefusal>(
  'POST',
  '/system/import/apply',
  'admin',
  { reauthenticate: true }
)
