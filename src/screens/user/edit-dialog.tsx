import { NEVER_EXPIRES } from '../../../contract/access/token.ts'
import type { User } from '../../../contract/access/user.ts'
import { ALREADY_EXISTS, STATE_CHANGED } from '../../../contract/codes.ts'
import { nickName, userName } from '../../../contract/rules/account.ts'
import { DateField } from '../../form/date-field.tsx'
import { dayOf, endOfDay, futureDay } from '../../form/day.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { ADMIN_ID, changeUser } from './store.ts'
import { TEXT } from './text.ts'

/** Edits the names of a user. The user name of Admin cannot be changed. */
export function EditDialog({
  user: { id, name, nick = '', expires = NEVER_EXPIRES },
  onClose
}: {
  user: User
  onClose: () => void
}) {
  const isAdmin = id === ADMIN_ID
  // Users created through the API may have names that violate the console's rule: an unchanged name is accepted.
  const rule = (value: string) => (value === name ? undefined : userName(value))
  const lastDay = expires === NEVER_EXPIRES ? '' : dayOf(expires)
  const form = useForm(
    { name: rule, nick: nickName, day: (value: string) => (value === lastDay ? undefined : futureDay(value)) },
    { name, nick, day: lastDay },
    async ({ day, ...names }, options) => {
      const end = day === lastDay ? expires : day ? endOfDay(day) : NEVER_EXPIRES
      const reply = await changeUser(id, { name, nick, expires }, { ...names, expires: end }, options)
      // The list behind the dialog shows the current values.
      if (reply.result === STATE_CHANGED) onClose()
      return reply
    },
    { fieldOfWireName: { expires: 'day' }, fieldOfCode: { [ALREADY_EXISTS]: 'name' }, onSuccess: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.edit, name)} onClose={onClose}>
      {isAdmin ? (
        <p className="muted">{t(TEXT.adminStays)}</p>
      ) : (
        <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      )}
      <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} />
      {!isAdmin && <DateField {...form.field('day')} label={t(TEXT.lastDay)} hint={t(TEXT.lastDayHint)} />}
    </FormDialog>
  )
}
