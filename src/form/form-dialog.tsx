import type { ReactNode } from 'react'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import * as TEXT from '../ui/text.ts'
import type { Form } from './use-form.ts'

interface FormDialogProps<Values> {
  form: Form<Values>
  /** What its button says it does, if not 'Save'. */
  verb?: string
  /** Where it is not just the verb. */
  title?: string
  /** It is only to be looked at. */
  locked?: boolean
  onClose: () => void
  children: ReactNode
}

/** A short form in a dialog. */
export function FormDialog<Values>({
  form,
  verb = t(TEXT.save),
  title = verb,
  locked,
  onClose,
  children
}: FormDialogProps<Values>) {
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
