// Forwards a port of the hub to a device.
import type { Device } from '../../../contract/device/device.ts'
import { optional, port, type RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { startForward } from './store.ts'
import { TEXT } from './text.ts'

/** Named as on the wire. */
const EMPTY_VALUES = { 'local-port': '', 'remote-port': '' }

const RULES: RuleSet<typeof EMPTY_VALUES> = { 'local-port': optional(port), 'remote-port': port }

interface StartForwardDialogProps {
  device: Device
  onClose: (succeeded?: boolean) => void
}

export function StartForwardDialog({ device: { sn, name }, onClose }: StartForwardDialogProps) {
  const form = useForm(
    RULES,
    EMPTY_VALUES,
    ({ 'local-port': local, 'remote-port': remote }, options) =>
      startForward(
        { sn, 'local-port': Number(local), 'remote-port': Number(remote) },
        { ...options, success: { text: OUTCOME.started, names: [`${name}:${remote}`] } }
      ),
    { onSuccess: () => onClose(true) }
  )
  return (
    <FormDialog form={form} title={t(TEXT.start)} submitLabel={t(TEXT.start)} onClose={onClose}>
      <div className="fields">
        <NumberField {...form.field('remote-port')} label={t(TEXT.remote)} autoFocus />
        <NumberField {...form.field('local-port')} label={t(TEXT.local)} hint={t(TEXT.localHint)} />
      </div>
      <p>
        <StatusLabel tone="warn" text={t(TEXT.warning)} />
      </p>
    </FormDialog>
  )
}
