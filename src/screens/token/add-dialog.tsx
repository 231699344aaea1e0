import { NEVER_EXPIRES, TOKEN_SCOPES, type TokenScope } from '../../../contract/access/token.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { nickName } from '../../../contract/rules/account.ts'
import { type RuleSet, required } from '../../../contract/rules/rules.ts'
import { describeApi } from '../../../contract/system.ts'
import { DateField } from '../../form/date-field.tsx'
import { endOfDay, futureDay } from '../../form/day.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { FieldMessage, useFieldProps } from '../../form/labelled-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type FieldBinding, useForm } from '../../form/use-form.ts'
import { apiUrl } from '../../link/relay.ts'
import { showSecret } from '../../parts/secret-dialog.tsx'
import { $session } from '../../state/session.ts'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useStore } from '../../ui/use-store.ts'
import { createToken } from './store.ts'
import { SCOPES, TEXT } from './text.ts'

interface Values {
  name: string
  owner: string
  scopes: readonly TokenScope[]
  /** Last valid day as YYYY-MM-DD; '' = no expiry. */
  day: string
}

const RULES: RuleSet<Values> = {
  name: nickName,
  owner: required,
  scopes: ({ length }) => (length === 0 ? { name: 'required' } : undefined),
  day: futureDay
}

/** Creates a token, and shows it once. */
export function AddTokenDialog({ onClose }: { onClose: () => void }) {
  const owners = useStore($users).value?.users ?? []
  const form = useForm<Values>(
    RULES,
    { name: '', owner: $session.get()?.name ?? '', scopes: ['read'], day: '' },
    async ({ name, owner, scopes, day }) => {
      const { token = '', ...reply } = await createToken({
        name,
        owner,
        scopes: [...scopes],
        'expired-time': day ? endOfDay(day) : NEVER_EXPIRES
      })
      if (reply.result === SUCCESS) {
        onClose()
        void showSecret({ title: t(TEXT.token), text: t(TEXT.madeText), secret: token })
      }
      return reply
    },
    { fieldOfWireName: { 'expired-time': 'day' } }
  )
  return (
    <FormDialog form={form} submitLabel={t(TEXT.add)} onClose={onClose}>
      <p className="muted">
        {t(TEXT.lead)}{' '}
        <a href={apiUrl(describeApi.path)} target="_blank" rel="noreferrer">
          OpenAPI
        </a>
      </p>
      <TextField {...form.field('name')} label={t(TEXT.name)} hint={t(TEXT.optional)} autoFocus />
      <SelectField
        {...form.field('owner')}
        label={t(TEXT.owner)}
        options={owners.map(({ name }) => ({ value: name, label: name }))}
      />
      <ScopesField {...form.field('scopes')} />
      <DateField {...form.field('day')} label={t(TEXT.lastDay)} hint={t(TEXT.optional)} />
    </FormDialog>
  )
}

// Checkboxes for the scopes of a token.
function ScopesField({ name, value, error, onValueChange, onBlur }: FieldBinding<readonly TokenScope[]>) {
  const { controlProps, messageProps } = useFieldProps({ error })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.scopes)}</legend>
      {TOKEN_SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          {...controlProps}
          id={undefined}
          name={name}
          label={t(SCOPES[scope])}
          checked={value.includes(scope)}
          onCheckedChange={(isChecked) =>
            onValueChange(TOKEN_SCOPES.filter((other) => (other === scope ? isChecked : value.includes(other))))
          }
          onBlur={onBlur}
        />
      ))}
      <FieldMessage {...messageProps} />
    </fieldset>
  )
}
