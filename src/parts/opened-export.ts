// The export that is open for an import: uploaded, or a backup of the hub.
import { atom } from 'nanostores'
import type { ExportPart, ImportDifference, UploadedExport } from '../../contract/backup/export.ts'
import { onSessionClear } from '../state/session.ts'

/** The parts of an export to import, and the passphrase of its secrets. */
export type ImportChoice = Record<ExportPart, boolean> & { passphrase: string }

export interface ImportState {
  uploaded?: UploadedExport
  isUploading?: boolean
  difference?: ImportDifference
  /** The choice whose effect `difference` is. */
  compared?: ImportChoice
  /** `restarting`: stored, and the hub is not back yet. */
  progress?: 'restarting' | 'done'
}

export const $import = atom<ImportState>({})
onSessionClear(() => $import.set({}))
