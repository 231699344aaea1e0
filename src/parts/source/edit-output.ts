// Opens the dialog that edits an output, from wherever the output is shown.
import type { Output } from '../../../contract/stream/source.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'

const EditOutputDialog = lazyDialog(() => import('./edit-output-dialog.tsx').then((module) => module.EditOutputDialog))

/** @param output a stored output. @returns whether it was saved */
export const openEditOutput = (output: Output): Promise<boolean> => openDialog(EditOutputDialog, { output })
