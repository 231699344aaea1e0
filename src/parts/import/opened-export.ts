// The export that is open for an import: uploaded, or a backup of the hub.
import { atom } from 'nanostores'
import type { ImportDifference, UploadedExport } from '../../../contract/backup/export.ts'
import { onSessionClear } from '../../state/session.ts'

export interface ImportState {
  uploaded?: UploadedExport
  isUploading?: boolean
  difference?: ImportDifference
  /** `restarting`: stored, and the hub is not back yet. */
  progress?: 'restarting' | 'done'
}

export const $import = atom<ImportState>({})
onSessionClear(() => $import.set({}))
