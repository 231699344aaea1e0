import { useEffect } from 'react'
import { PASSWORD_MAX } from '../../../contract/limits.ts'
import { NO_PASSWORD_RULES, type PasswordRules } from '../../../contract/rules/password.ts'
import { type RuleSet, wholeNumber } from '../../../contract/rules/rules.ts'
import { NumberField } from '../../form/number-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { REQUIREMENT_FAULTS, REQUIREMENTS } from '../../parts/password/password-policy.ts'
import { faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $sessionInfo, savePasswordRules } from './store.ts'
import { TEXT } from './text.ts'

type Values = Omit<PasswordRules, 'min-length'> & { 'min-length': string }

const RULES: RuleSet<Values> = { 'min-length': (value) => wholeNumber(value, 0, PASSWORD_MAX) }

/** Edits the rules for new passwords. */
export function PasswordRulesTab() {
  const { value } = useStore($sessionInfo)
  const placeholder = usePlaceholder($sessionInfo, !value, null)
  return <>{placeholder ?? <PasswordRulesForm rules={value?.['password-rules'] ?? NO_PASSWORD_RULES} />}</>
}

function PasswordRulesForm({ rules }: { rules: PasswordRules }) {
  const initial: Values = { ...rules, 'min-length': String(rules['min-length']) }
  const form = useForm<Values>(RULES, initial, (values) =>
    savePasswordRules({ ...values, 'min-length': Number(values['min-length']) })
  )
  // New values from the hub replace the form's values.
  useEffect(() => form.setValues(initial), [JSON.stringify(initial)])
  return (
    <form className="narrow" noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.rules)}>
        <p className="muted">{t(TEXT.rulesLead)}</p>
        <NumberField {...form.field('min-length')} label={t(TEXT.minLength)} />
        {REQUIREMENTS.map((name) => (
          <SwitchField key={name} {...form.field(name)} label={faultText({ name: REQUIREMENT_FAULTS[name] })} />
        ))}
        <Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />
      </Card>
    </form>
  )
}
