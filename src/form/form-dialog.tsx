import { type ReactNode, useEffect } from 'react'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import * as TEXT from '../ui/text.ts'
import type { Form } from './use-form.ts'

interface FormDialogProps<Values> {
  form: Form<Values>
  /** Label of the submit button. The default is 'Save'. */
  submitLabel?: string
  /** The default is `submitLabel`. */
  title?: string
  /** Disables all fields and hides the submit button. */
  readOnly?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A short form in a dialog. It closes when its object was deleted by another user, which the message about the failure
 * says.
 */
export function FormDialog<Values>({
  form,
  submitLabel = t(TEXT.save),
  title = submitLabel,
  readOnly,
  onClose,
  children
}: FormDialogProps<Values>) {
  useEffect(() => {
    if (form.isDeleted) onClose()
  }, [form.isDeleted])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={form.submit}
      footer={!readOnly && <Button submit kind="main" label={submitLabel} busy={form.busy} />}
    >
      {readOnly ? (
        <fieldset className="field" disabled>
          {children}
        </fieldset>
      ) : (
        children
      )}
    </Dialog>
  )
}
