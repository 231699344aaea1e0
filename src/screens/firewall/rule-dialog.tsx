// Dialog of a rule. It changes the draft; nothing is sent.
import { SUCCESS } from '../../../contract/codes.ts'
import { type FirewallRule, RULE_PROTOCOL, type RuleProtocol } from '../../../contract/machine/firewall/firewall.ts'
import { firewallRemark, firewallSource, unusedPorts } from '../../../contract/rules/firewall.ts'
import { firewallPort } from '../../../contract/rules/number.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { nameOfRule, protocolText } from './port-text.ts'
import { TEXT } from './text.ts'

interface Values {
  port: string
  protocol: string
  source: string
  remark: string
  enable: boolean
}

interface RuleDialogProps {
  /** Undefined: a new rule. */
  rule?: FirewallRule
  others: readonly FirewallRule[]
  onSave: (rule: FirewallRule) => void
  onClose: () => void
}

const NEW_RULE: FirewallRule = { port: '', protocol: RULE_PROTOCOL.tcp, remark: '', enable: true }

export function RuleDialog({ rule, others, onSave, onClose }: RuleDialogProps) {
  const isUnused = unusedPorts(others)
  const { protocol, source = '', ...initial } = rule ?? NEW_RULE
  const form: Form<Values> = useForm<Values>(
    {
      port: (value, all) => firewallPort(value) ?? isUnused(value, all),
      source: firewallSource,
      remark: firewallRemark
    },
    { ...initial, source, protocol: String(protocol) },
    async ({ source: from, ...values }) => {
      onSave({ ...values, ...(from && { source: from }), protocol: Number(values.protocol) as RuleProtocol })
      return { result: SUCCESS }
    },
    { onSuccess: onClose }
  )
  const title = rule ? t(TEXT.edit, nameOfRule(rule)) : t(TEXT.add)
  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      <TextField {...form.field('port')} label={t(TEXT.ports)} hint={t(TEXT.portsHint)} autoFocus />
      <SelectField
        {...form.field('protocol')}
        label={t(TEXT.protocol)}
        options={Object.values(RULE_PROTOCOL).map((value) => ({ value: String(value), label: protocolText(value) }))}
      />
      <TextField {...form.field('source')} label={t(TEXT.source)} hint={t(TEXT.sourceHint)} />
      <TextField {...form.field('remark')} label={t(TEXT.remark)} />
      <SwitchField {...form.field('enable')} label={t(TEXT.enabled)} />
    </FormDialog>
  )
}
