import { atom } from 'nanostores'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { isInteractive } from '../../../contract/device/families.ts'
import { displaySerial } from '../../../contract/device/products.ts'
import { optional, port, type RuleSet, required } from '../../../contract/rules/rules.ts'
import { SelectField } from '../../form/select-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { startForward } from '../../parts/port-forward/store.ts'
import { TEXT } from '../../parts/port-forward/text.ts'
import { createLiveList } from '../../state/live-list.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'

/** Named as on the wire. */
const EMPTY_VALUES = { sn: '', 'local-port': '', 'remote-port': '' }

const RULES: RuleSet<typeof EMPTY_VALUES> = {
  sn: required,
  'local-port': optional(port),
  'remote-port': port
}

/** The accepted devices. */
const $devices = createLiveList({
  call: listDevices,
  request: atom({ sort: 'name' as const, order: 'ascending' as const }),
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

/**
 * Form that starts a port forward.
 * @param sn serial number of the proposed device; may be empty
 */
export function StartForm({ sn }: { sn: string }) {
  const { items } = useStore($devices)
  const nameOf = (serial: string) => items.find(({ sn }) => sn === serial)?.name
  const form = useForm(
    RULES,
    { ...EMPTY_VALUES, sn },
    ({ sn: device, 'local-port': local, 'remote-port': remote }, options) =>
      startForward(
        { sn: device, 'local-port': Number(local), 'remote-port': Number(remote) },
        {
          ...options,
          success: { text: OUTCOME.started, names: [`${nameOf(device) ?? device}:${remote}`] }
        }
      )
  )
  const options = items.filter(isInteractive).map((device) => ({
    value: device.sn,
    label: `${device.name} (${displaySerial(device.sn, device.module)})`
  }))
  // A link may propose a device that is not in the list.
  const isUnknown = sn !== '' && !options.some(({ value }) => value === sn)
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.start)}>
        <div className="fields">
          <SelectField
            {...form.field('sn')}
            label={t(TEXT.device)}
            placeholder=""
            options={isUnknown ? [{ value: sn, label: sn }, ...options] : options}
          />
          <NumberField {...form.field('remote-port')} label={t(TEXT.remote)} />
          <NumberField {...form.field('local-port')} label={t(TEXT.local)} hint={t(TEXT.localHint)} />
        </div>
        <p>
          <StatusLabel tone="warn" text={t(TEXT.warning)} />
        </p>
        <Button submit kind="main" label={t(TEXT.start)} busy={form.busy} />
      </Card>
    </form>
  )
}
