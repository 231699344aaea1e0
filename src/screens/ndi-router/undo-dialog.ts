// Undoes the last take, after showing the routes that this sets.
import type { Matrix } from '../../../contract/ndi/router.ts'
import { ago } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { hubNow } from '../../ui/clock.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { sendUndo } from './store.ts'
import { TakeDialog } from './take-dialog.tsx'
import { TEXT } from './take-text.ts'

/** Does nothing if there is nothing to undo. */
export async function openUndoDialog(matrix: Matrix): Promise<void> {
  if (!matrix.undo) return
  await openDialog(TakeDialog, {
    matrixId: matrix.id,
    title: t(TEXT.undoTitle),
    textOf: ({ undo }) => (undo ? t(TEXT.undoText, undo.by, ago(hubNow() / 1000 - undo.at)) : ''),
    confirmLabel: t(TEXT.undoConfirm),
    takesOf: ({ undo: latest }) => latest?.takes ?? [],
    send: sendUndo
  })
}
