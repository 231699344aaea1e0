import type { Envelope } from '../../../../contract/call.ts'
import { setTime } from '../../../../contract/machine/time.ts'
import { scheduleDateTime } from '../../../../contract/rules/schedule.ts'
import { DateField } from '../../../form/date-field.tsx'
import { type Form, useForm } from '../../../form/use-form.ts'
import { CallButton } from '../../../parts/actions.tsx'
import { SettingsForm } from '../../../parts/settings/settings-form.tsx'
import { t } from '../../../text/language.ts'
import { saveTime } from './store.ts'
import { TEXT } from './text.ts'

/** Sets the clock of the machine by hand. */
export function ClockForm() {
  const form: Form<{ time: string }> = useForm(
    { time: scheduleDateTime },
    { time: '' },
    ({ time }): Promise<Envelope> =>
      saveTime({ time: new Date(time).getTime() }, { isShownElsewhere: form.showsError }),
    { onSuccess: () => form.setValues({ time: '' }) }
  )
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <SettingsForm title={t(TEXT.setClock)} form={form} access={setTime.access}>
      <DateField {...form.field('time')} time label={t(TEXT.clock, timeZone)} hint={t(TEXT.clockHint)} />
      <p>
        <CallButton
          call={setTime}
          label={t(TEXT.useBrowserTime)}
          onClick={() => void saveTime({ time: Date.now() }, {})}
        />
      </p>
    </SettingsForm>
  )
}
