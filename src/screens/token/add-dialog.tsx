import { SUCCESS } from '../../../contract/codes.ts'
import { nickName } from '../../../contract/rules/account.ts'
import { type RuleSet, required } from '../../../contract/rules/rules.ts'
import { describeApi } from '../../../contract/system.ts'
import { UNLIMITED } from '../../../contract/token.ts'
import { DateField } from '../../form/date-field.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { address } from '../../link/relay.ts'
import { Copied } from '../../parts/copy-line.tsx'
import { $session } from '../../state/session.ts'
import { $people } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { hubNow } from '../../ui/clock.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'
import { createToken } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  name: string
  owner: string
  /** YYYY-MM-DD, or '' for a token that does not end. */
  day: string
}

/** The end of a day where the user is: milliseconds since the epoch. */
const endOf = (day: string) => new Date(`${day}T23:59:59.999`).getTime()

const RULES: RuleSet<Values> = {
  name: nickName,
  owner: required,
  day: (value) => (value && endOf(value) <= hubNow() ? { name: 'invalid' } : undefined)
}

/** Makes a token, and then shows it, this once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const owners = useStore($people).value?.users ?? []
  const form = useForm<Values>(
    RULES,
    { name: '', owner: $session.get()?.name ?? '', day: '' },
    async ({ name, owner, day }) => {
      const { token = '', ...reply } = await createToken({ name, owner, 'expired-time': day ? endOf(day) : UNLIMITED })
      if (reply.result === SUCCESS) {
        onClose()
        void openDialog(MadeDialog, { token })
      }
      return reply
    },
    { fields: { 'expired-time': 'day' } }
  )
  return (
    <FormDialog form={form} verb={t(TEXT.add)} onClose={onClose}>
      <p className="muted">{t(TEXT.lead)}</p>
      <TextField {...form.field('name')} label={t(TEXT.name)} hint={t(TEXT.optional)} autoFocus />
      <SelectField
        {...form.field('owner')}
        label={t(TEXT.owner)}
        options={owners.map(({ name }) => ({ value: name, label: name }))}
      />
      <DateField {...form.field('day')} label={t(TEXT.lastDay)} hint={t(TEXT.optional)} />
    </FormDialog>
  )
}

function MadeDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog title={t(TEXT.token)} onClose={onClose} cancel={t(TEXT.done)}>
      <p>{t(TEXT.madeText)}</p>
      <Copied text={token} />
      <a href={address(describeApi.path)} target="_blank" rel="noreferrer">
        OpenAPI
      </a>
    </Dialog>
  )
}
