// A list that the hub describes: its rows with their facts and buttons, and the dialogs that add and edit one.
import type { FormDialog as Description, FormButton, FormList } from '../../../contract/form/form.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { CallButton } from '../actions.tsx'
import { done, Facts, Field, isField, Text, toCall, useDescribedForm } from './fields.tsx'
import { isShown, valueAt } from './values.ts'

interface Row {
  id?: number
}

export function DescribedList({ part, response }: { part: FormList; response: object }) {
  const { list, name, empty, facts, add, edit, buttons } = part
  const rows = valueAt(response, list) as Row[]
  return (
    <div className="stack">
      {rows.length === 0 && <p className="muted">{empty}</p>}
      {rows.map((row) => {
        const find = (path: string) => valueAt(row, path)
        const title = String(find(name))
        return (
          <section key={row.id} aria-label={title}>
            <h3>{title}</h3>
            <Facts facts={facts} find={find} />
            <div className="row wrap">
              {edit && <DialogButton dialog={edit} row={row} />}
              {buttons.map((button) => (
                <RowButton key={button.button} button={button} row={row} title={title} />
              ))}
            </div>
          </section>
        )
      })}
      {add && <DialogButton dialog={add} row={{}} />}
    </div>
  )
}

function DialogButton({ dialog, row }: { dialog: Description; row: Row }) {
  return (
    <CallButton
      call={toCall(dialog)}
      label={dialog.button}
      onClick={() => void openDialog(DescribedDialog, { dialog, row })}
    />
  )
}

interface RowButtonProps {
  button: FormButton
  row: Row
  title: string
}

function RowButton({ button: { button: label, danger, confirm: text, success, ...call }, row, title }: RowButtonProps) {
  async function press(): Promise<void> {
    if (text && !(await confirm({ text, items: [title], confirmLabel: label, danger }))) return
    await sendMutation(toCall(call), { id: row.id }, { success: done(success) })
  }
  return <CallButton call={toCall(call)} kind={danger && 'danger'} label={label} onClick={press} />
}

interface DialogProps {
  dialog: Description
  /** The row that is edited; without an ID: a new one. */
  row: Row
  onClose: () => void
}

function DescribedDialog({ dialog, row, onClose }: DialogProps) {
  const { button, parts, success } = dialog
  const find = (path: string) => valueAt(row, path)
  const { form, look } = useDescribedForm(
    parts.filter(isField),
    row,
    () => find,
    (request, _look, options) =>
      sendMutation(
        toCall(dialog),
        { ...request, ...(row.id !== undefined && { id: row.id }) },
        { ...options, success: done(success) }
      ),
    onClose
  )
  return (
    <FormDialog form={form} title={button} onClose={onClose}>
      {parts
        .filter((part) => isShown(part, look))
        .map((part) =>
          isField(part) ? (
            <Field key={part.name} field={part} binding={form.field(part.name)} find={find} />
          ) : (
            <Text key={part.text} part={part} find={find} />
          )
        )}
    </FormDialog>
  )
}
