import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Form } from './use-form.ts'

interface FormDialogProps<Values> {
  form: Form<Values>
  title: string
  /** What its button says it does. */
  verb: string
  /** It is only to be looked at. */
  locked?: boolean
  onClose: () => void
  children: ReactNode
}

/** A short form in a dialog. */
export function FormDialog<Values>({ form, title, verb, locked, onClose, children }: FormDialogProps<Values>) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={form.submit}
      footer={!locked && <Button submit kind="main" label={verb} busy={form.busy} />}
    >
      {locked ? (
        <fieldset className="field" disabled>
          {children}
        </fieldset>
      ) : (
        children
      )}
    </Dialog>
  )
}
