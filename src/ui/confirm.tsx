// Questions before what cannot be undone. `confirm` may be called from anywhere; the frame mounts `ConfirmHost` once.
import { atom } from 'nanostores'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useStore } from './use-store.ts'

export interface Question {
  title: string
  text?: string
  /** What the button says: the verb and what it is done to, 'Delete 3 devices'. */
  verb: string
  /** It cannot be undone. */
  danger?: boolean
}

const $question = atom<(Question & { answer(yes: boolean): void }) | null>(null)

/** Answers the question that is open, if there is one, with no. */
export function deny(): void {
  $question.get()?.answer(false)
}

/** Asks. @returns whether the user agreed; a question asked meanwhile takes the place of this one, which is then denied */
export function confirm(question: Question): Promise<boolean> {
  deny()
  return new Promise((resolve) => {
    $question.set({
      ...question,
      answer(yes) {
        $question.set(null)
        resolve(yes)
      }
    })
  })
}

export function ConfirmHost() {
  const question = useStore($question)
  if (!question) return null
  const { title, text, verb, danger, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      footer={<Button label={verb} kind={danger ? 'danger' : 'main'} onClick={() => answer(true)} />}
    >
      {text && <p>{text}</p>}
    </Dialog>
  )
}
