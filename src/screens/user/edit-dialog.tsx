import type { Envelope } from '../../../contract/call.ts'
import { ALREADY_EXISTS, STATE_CHANGED } from '../../../contract/codes.ts'
import { nickName, userName } from '../../../contract/rules/account.ts'
import type { User } from '../../../contract/user.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { ADMIN, changeUser } from './store.ts'
import { TEXT } from './text.ts'

/** The names of a user. That of the user Admin stays as it is. */
export function EditDialog({ user: { id, name, nick = '' }, onClose }: { user: User; onClose: () => void }) {
  const fixed = id === ADMIN
  // Programs give names that the console's rule does not allow: they may stay.
  const rule = (value: string) => (value === name ? undefined : userName(value))
  const form = useForm(
    { name: rule, nick: nickName },
    { name, nick },
    async (values): Promise<Envelope> => {
      const reply = await changeUser(id, { name, nick }, values, form.takes)
      // Behind it stands what it is now.
      if (reply.result === STATE_CHANGED) onClose()
      return reply
    },
    { codes: { [ALREADY_EXISTS]: 'name' }, done: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.edit, name)} onClose={onClose}>
      {fixed ? (
        <p className="muted">{t(TEXT.adminStays)}</p>
      ) : (
        <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      )}
      <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} />
    </FormDialog>
  )
}
