// Questions before what cannot be undone. `confirm` may be called from anywhere.
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'
import { openDialog } from './dialog-host.tsx'

export interface Question {
  title: string
  text?: string
  /** What the button says: the verb and what it is done to, 'Delete 3 devices'. */
  verb: string
  /** It cannot be undone. */
  danger?: boolean
}

/** Asks. @returns whether the user agreed; a question asked meanwhile takes the place of this one, which is then denied */
export const confirm = (question: Question): Promise<boolean> => openDialog(QuestionDialog, question)

function QuestionDialog({ title, text, verb, danger, onClose }: Question & { onClose: (yes?: boolean) => void }) {
  return (
    <Dialog
      title={title}
      onClose={() => onClose()}
      footer={<Button label={verb} kind={danger ? 'danger' : 'main'} onClick={() => onClose(true)} />}
    >
      {text && <p>{text}</p>}
    </Dialog>
  )
}
