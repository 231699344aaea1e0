// Opens the dialog that edits an input, from wherever the input is shown.
import type { InputSource } from '../../../contract/stream/source.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'

const EditInputDialog = lazyDialog(() => import('./edit-input-dialog.tsx').then((module) => module.EditInputDialog))

/** @param input a stored input. @returns whether it was saved */
export const openEditInput = (input: InputSource): Promise<boolean> => openDialog(EditInputDialog, { input })
