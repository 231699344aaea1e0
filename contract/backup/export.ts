// Export and import of the configuration of a hub (docs/wire.md, "Export and import").
import { declareCall } from '../call.ts'

export type {
  ChannelEffect,
  DifferenceItem,
  ExportFault,
  ExportPart,
  ExportRefusal,
  ExportSigner,
  ImportDifference,
  ImportNote,
  ImportNoteKind,
  ItemKind,
  PartDifference,
  UploadedExport
} from './export.schema.ts'

/** Parts of an export. Each can be imported alone. */
export const EXPORT_PARTS = ['users', 'devices', 'streams', 'ndi', 'settings'] as const

/** Maximum size of an export in bytes. */
export const EXPORT_FILE_MAX = 32 << 20
/** Wrong passphrases after which an uploaded export is removed. */
export const PASSPHRASE_TRIES = 5
/** Seconds for which an uploaded export can be imported. */
export const IMPORT_LIFETIME = 900
/** Items of a part that the difference lists; it counts all. */
export const DIFFERENCE_ITEMS_MAX = 200

export const exportConfiguration = declareCall('GET /system/export', 'admin', { reauthenticate: true })

export const uploadImport = declareCall('POST /system/import', 'admin', { body: 'form', reauthenticate: true })

export const compareImport = declareCall('POST /system/import/compare', 'admin', { reauthenticate: true })

export const applyImport = declareCall('POST /system/import/apply', 'admin', { reauthenticate: true, interrupts: true })
