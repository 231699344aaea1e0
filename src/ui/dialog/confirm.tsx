// Confirmation dialog. `confirm` may be called from anywhere.
import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import * as TEXT from '../text.ts'
import { Dialog } from './dialog.tsx'
import { openDialog } from './dialog-host.tsx'

interface ConfirmOptions {
  /** The default is the label of the confirm button, as a question. */
  title?: string
  /** Paragraphs, one a line. */
  text?: string
  /** A list below the text. */
  items?: readonly string[]
  /** Label of the confirm button: a verb and its object, 'Delete 3 devices'. */
  confirmLabel: string
  /** The action cannot be undone. */
  danger?: boolean
}

/** Asks the user. @returns whether the user agreed. A second question closes the first one, which is then declined. */
export const confirm = (options: ConfirmOptions): Promise<boolean> => openDialog(ConfirmDialog, options)

type ConfirmDialogProps = ConfirmOptions & { onClose: (confirmed?: boolean) => void }

function ConfirmDialog({ title, text, items, confirmLabel, danger, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      title={title ?? t(TEXT.question, confirmLabel)}
      onClose={() => onClose()}
      footer={<Button label={confirmLabel} kind={danger ? 'danger' : 'main'} onClick={() => onClose(true)} />}
    >
      {text?.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      {items && (
        <ul className="lines">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
