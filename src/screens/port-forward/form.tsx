import { isInteractive } from '../../../contract/device/families.ts'
import { optional, port, type RuleSet, required } from '../../../contract/rules/rules.ts'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { startForward } from '../../parts/port-forward/store.ts'
import { TEXT } from '../../parts/port-forward/text.ts'
import { $deviceResults, useSearchResults } from '../../state/search-results.ts'
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

/** Id of the `datalist` element. */
const DEVICES_ID = 'devices'

/**
 * Form that starts a port forward. Suggests devices while the user types.
 * @param sn serial number of the proposed device; may be empty
 */
export function StartForm({ sn }: { sn: string }) {
  const { items } = useStore($deviceResults)
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
  const serial = form.values.sn
  useSearchResults(serial)
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.start)}>
        <div className="fields">
          <TextField
            {...form.field('sn')}
            label={t(TEXT.device)}
            hint={nameOf(serial) ?? t(TEXT.deviceHint)}
            list={DEVICES_ID}
          />
          <NumberField {...form.field('remote-port')} label={t(TEXT.remote)} />
          <NumberField {...form.field('local-port')} label={t(TEXT.local)} hint={t(TEXT.localHint)} />
        </div>
        <datalist id={DEVICES_ID}>
          {items.filter(isInteractive).map((device) => (
            <option key={device.id} value={device.sn}>
              {device.name}
            </option>
          ))}
        </datalist>
        <p>
          <StatusLabel tone="warn" text={t(TEXT.warning)} />
        </p>
        <Button submit kind="main" label={t(TEXT.start)} busy={form.busy} />
      </Card>
    </form>
  )
}
