import type { User } from '../../../contract/access/user.ts'
import type { Envelope } from '../../../contract/call.ts'
import { ALREADY_EXISTS, STATE_CHANGED } from '../../../contract/codes.ts'
import { nickName, userName } from '../../../contract/rules/account.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { ADMIN_ID, changeUser } from './store.ts'
import { TEXT } from './text.ts'

/** Edits the names of a user. The user name of Admin cannot be changed. */
export function EditDialog({ user: { id, name, nick = '' }, onClose }: { user: User; onClose: () => void }) {
  const isAdmin = id === ADMIN_ID
  // Users created through the API may have names that violate the console's rule: an unchanged name is accepted.
  const rule = (value: string) => (value === name ? undefined : userName(value))
  const form = useForm(
    { name: rule, nick: nickName },
    { name, nick },
    async (values): Promise<Envelope> => {
      const reply = await changeUser(id, { name, nick }, values, form.showsError)
      // The list behind the dialog shows the current values.
      if (reply.result === STATE_CHANGED) onClose()
      return reply
    },
    { fieldOfCode: { [ALREADY_EXISTS]: 'name' }, onSuccess: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.edit, name)} onClose={onClose}>
      {isAdmin ? (
        <p className="muted">{t(TEXT.adminStays)}</p>
      ) : (
        <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      )}
      <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} />
    </FormDialog>
  )
}
