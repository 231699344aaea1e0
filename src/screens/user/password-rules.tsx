import { useEffect } from 'react'
import { PASSWORD_MAX } from '../../../contract/limits.ts'
import { NO_PASSWORD_RULES, type PasswordRules } from '../../../contract/rules/password.ts'
import { type RuleSet, wholeNumber } from '../../../contract/rules/rules.ts'
import { NumberField } from '../../form/number-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { useInstead } from '../../parts/load-state.tsx'
import { DEMANDS, FAULT_OF } from '../../parts/password/password-policy.ts'
import { faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $rules, changeRules } from './store.ts'
import { TEXT } from './text.ts'

type Values = Omit<PasswordRules, 'min-length'> & { 'min-length': string }

const RULES: RuleSet<Values> = { 'min-length': (value) => wholeNumber(value, 1, PASSWORD_MAX) }

/** What new passwords must be like, as the hub says it now. */
export function PasswordRuleForm() {
  const { value } = useStore($rules)
  const instead = useInstead($rules, !value, null)
  return <>{instead ?? <RulesOf rules={value?.['password-rules'] ?? NO_PASSWORD_RULES} />}</>
}

function RulesOf({ rules }: { rules: PasswordRules }) {
  const said: Values = { ...rules, 'min-length': String(rules['min-length']) }
  const form = useForm<Values>(RULES, said, (values) =>
    changeRules({ ...values, 'min-length': Number(values['min-length']) })
  )
  // What the hub says takes the place of what stood there.
  useEffect(() => form.set(said), [JSON.stringify(said)])
  return (
    <form className="narrow" noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.rules)}>
        <p className="muted">{t(TEXT.rulesLead)}</p>
        <NumberField {...form.field('min-length')} label={t(TEXT.minLength)} />
        {DEMANDS.map((demand) => (
          <SwitchField key={demand} {...form.field(demand)} label={faultText({ name: FAULT_OF[demand] })} />
        ))}
        <Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />
      </Card>
    </form>
  )
}
