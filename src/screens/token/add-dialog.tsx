import { useEffect, useState } from 'react'
import { nickName } from '../../../contract/account-rules.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Fault, type RuleSet, required } from '../../../contract/rules.ts'
import { describeApi } from '../../../contract/system.ts'
import { UNLIMITED } from '../../../contract/token.ts'
import { ChoiceField } from '../../form/choice-field.tsx'
import { DateField } from '../../form/date-field.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { address } from '../../link/relay.ts'
import { $session } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { hubNow } from '../../ui/clock.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { createToken, userNames } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  name: string
  owner: string
  kind: 'unlimited' | 'until'
  day: string
}

/** The end of a day where the user is: milliseconds since the epoch. @param day YYYY-MM-DD */
const endOf = (day: string) => new Date(`${day}T23:59:59.999`).getTime()

const RULES: RuleSet<Values> = {
  name: nickName,
  owner: required,
  day: (value, { kind }): Fault | undefined =>
    kind === 'unlimited' ? undefined : (required(value) ?? (endOf(value) > hubNow() ? undefined : { name: 'invalid' }))
}

/** Makes a token, and then shows it, this once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const own = $session.get()?.name ?? ''
  const [made, setMade] = useState('')
  const [owners, setOwners] = useState([own])
  useEffect(() => {
    userNames().then((names) => names.length > 0 && setOwners(names))
  }, [])
  const form = useForm<Values>(
    RULES,
    { name: '', owner: own, kind: 'unlimited', day: '' },
    async ({ name, owner, kind, day }) => {
      const reply = await createToken({ name, owner, 'expired-time': kind === 'until' ? endOf(day) : UNLIMITED })
      if (reply.result === SUCCESS) setMade(reply.token ?? '')
      return reply
    },
    { fields: { 'expired-time': 'day' } }
  )
  if (made) return <MadeDialog token={made} onClose={onClose} />
  return (
    <FormDialog form={form} title={t(TEXT.add)} verb={t(TEXT.add)} onClose={onClose}>
      <p className="muted">{t(TEXT.lead)}</p>
      <TextField {...form.field('name')} label={t(TEXT.name)} hint={t(TEXT.nameHint)} autoFocus />
      <SelectField
        {...form.field('owner')}
        label={t(TEXT.owner)}
        options={owners.map((name) => ({ value: name, label: name }))}
      />
      <ChoiceField
        {...form.field('kind')}
        label={t(TEXT.expires)}
        options={[
          { value: 'unlimited', label: t(TEXT.unlimited) },
          { value: 'until', label: t(TEXT.until) }
        ]}
      />
      {form.values.kind === 'until' && <DateField {...form.field('day')} label={t(TEXT.lastDay)} />}
    </FormDialog>
  )
}

function MadeDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      title={t(TEXT.made)}
      onClose={onClose}
      cancel={null}
      footer={<Button kind="main" label={t(TEXT.done)} onClick={onClose} />}
    >
      <p>{t(TEXT.madeText)}</p>
      <p className="secret">
        <code>{token}</code>
        <CopyButton text={token} />
      </p>
      <p className="muted">{t(TEXT.use)}</p>
      <p>
        <code>Authorization: Bearer …</code>
      </p>
      <p>
        <a href={address(describeApi.path)} target="_blank" rel="noreferrer">
          {t(TEXT.api)}
        </a>
      </p>
    </Dialog>
  )
}
