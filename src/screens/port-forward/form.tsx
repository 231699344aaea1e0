import { optional, port, type RuleSet, required } from '../../../contract/rules/rules.ts'
import { NumberField } from '../../form/number-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { $foundDevices, useSearch } from '../../state/search-results.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { forward } from './store.ts'
import { TEXT } from './text.ts'

/** Named as on the wire. */
const NOTHING = { sn: '', 'local-port': '', 'remote-port': '' }

const RULES: RuleSet<typeof NOTHING> = {
  sn: required,
  'local-port': optional(port),
  'remote-port': port
}

const DEVICES = 'devices'

/** Forwards a port. Devices are proposed to who types. @param sn the device to begin with; may be empty */
export function StartForm({ sn }: { sn: string }) {
  const { items } = useStore($foundDevices)
  const form: Form<typeof NOTHING> = useForm(
    RULES,
    { ...NOTHING, sn },
    ({ 'local-port': local, 'remote-port': remote }) =>
      forward({ sn: typed, 'local-port': Number(local), 'remote-port': Number(remote) }, { quiet: form.takes })
  )
  const typed = form.values.sn
  useSearch(typed)
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.start)}>
        <div className="fields">
          <TextField
            {...form.field('sn')}
            label={t(TEXT.device)}
            hint={items.find(({ sn }) => sn === typed)?.name ?? t(TEXT.deviceHint)}
            list={DEVICES}
          />
          <NumberField {...form.field('remote-port')} label={t(TEXT.remote)} />
          <NumberField {...form.field('local-port')} label={t(TEXT.local)} hint={t(TEXT.localHint)} />
        </div>
        <datalist id={DEVICES}>
          {items.map((device) => (
            <option key={device.id} value={device.sn}>
              {device.name}
            </option>
          ))}
        </datalist>
        <p className="muted">{t(TEXT.warning)}</p>
        <Button submit kind="main" label={t(TEXT.start)} busy={form.busy} />
      </Card>
    </form>
  )
}
