import { GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import type { Envelope } from '../../../contract/call.ts'
import { ALREADY_EXISTS } from '../../../contract/codes.ts'
import { nickName, userName } from '../../../contract/rules/account.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { NewPassword, type NewPasswordValues, newPasswordRules } from '../../parts/password/new-password.tsx'
import { t } from '../../text/language.ts'
import { GroupField } from './group-field.tsx'
import { createUser } from './store.ts'
import { TEXT } from './text.ts'

interface Values extends NewPasswordValues {
  name: string
  nick: string
  /** Group ID as text. */
  group: string
}

const RULES: RuleSet<Values> = {
  name: userName,
  nick: nickName,
  ...newPasswordRules<Values>(({ name }) => name)
}

export function AddDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<Values>(
    RULES,
    { name: '', nick: '', group: String(GROUP_VIEWER), next: '', repeated: '' },
    ({ name, nick, group, next }): Promise<Envelope> =>
      createUser({ name, nick, password: next, group: Number(group) }, form.showsError),
    {
      fieldOfWireName: { password: 'next', 'group-id': 'group' },
      fieldOfCode: { [ALREADY_EXISTS]: 'name' },
      onSuccess: onClose
    }
  )
  return (
    <FormDialog form={form} submitLabel={t(TEXT.add)} onClose={onClose}>
      <div className="fields">
        <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
        <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} />
      </div>
      <GroupField {...form.field('group')} />
      <NewPassword next={form.field('next')} repeated={form.field('repeated')} isFirst />
    </FormDialog>
  )
}
