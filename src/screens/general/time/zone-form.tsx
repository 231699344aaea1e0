import { type ReactNode, useEffect } from 'react'
import type { Envelope } from '../../../../contract/call.ts'
import { setTime } from '../../../../contract/machine/time.ts'
import { SelectField } from '../../../form/select-field.tsx'
import { useForm } from '../../../form/use-form.ts'
import { SettingsForm } from '../../../parts/settings/settings-form.tsx'
import { t } from '../../../text/language.ts'
import { saveTime } from './store.ts'
import { TEXT } from './text.ts'

/** Edits the time zone of the machine. */
export function ZoneForm({ zone, obstacle }: { zone: string; obstacle: ReactNode }) {
  const form = useForm(
    {},
    { zone },
    (values): Promise<Envelope> => saveTime({ zone: values.zone }, { isShownElsewhere: form.showsError })
  )
  // A new zone from the hub replaces the form's.
  useEffect(() => form.setValues({ zone }), [zone])
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  return (
    <SettingsForm title={t(TEXT.setZone)} form={form} access={setTime.access} obstacle={obstacle}>
      <SelectField
        {...form.field('zone')}
        label={t(TEXT.zone)}
        hint={t(TEXT.zoneHint)}
        options={zones.map((each) => ({ value: each, label: each }))}
      />
    </SettingsForm>
  )
}
