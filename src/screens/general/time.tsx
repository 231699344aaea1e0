// The part of the page about the clock: what the hub says, and in manage mode the forms.
import type { MachineAccess } from '../../../contract/machine/machine.ts'
import { setTime, type TimeSync } from '../../../contract/machine/time.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { scheduleDateTime } from '../../../contract/rules/schedule.ts'
import { firstTimeServer, secondTimeServer } from '../../../contract/rules/time.ts'
import { DateField } from '../../form/date-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { CallButton } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { browserZone } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { $time, saveTime } from './store.ts'
import { TEXT as GENERAL } from './text.ts'
import { TimeCard } from './time-card.tsx'
import { TEXT } from './time-text.ts'

/** @param hostName whether the hub can set the host name of the machine */
export function TimeSettings({ hostName }: { hostName: MachineAccess | undefined }) {
  const { value, updatedAt } = useStore($time)
  const placeholder = usePlaceholder($time, !value, null)
  if (!value) return <>{placeholder}</>
  const { access, sync, zone } = value
  const isSettable = access.reason === undefined
  const syncAccess = isSettable ? sync.access : access
  return (
    <>
      <TimeCard status={value} difference={value.time - updatedAt} />
      {isSettable && <ZoneForm zone={zone} />}
      {syncAccess.reason === undefined && <SyncForm sync={sync} />}
      {sync.enabled === false && isSettable && <ClockForm />}
      <NotSetUp
        parts={[
          ...(hostName ? [[t(GENERAL.hostName), hostName] as const] : []),
          [t(TEXT.setZone), access],
          [t(TEXT.setSync), syncAccess]
        ]}
      />
    </>
  )
}

/** Sets the clock of the machine by hand. */
function ClockForm() {
  const form = useForm({ time: scheduleDateTime }, { time: '' }, ({ time }, options) =>
    saveTime({ time: new Date(time).getTime() }, options)
  )
  return (
    <SettingsForm title={t(TEXT.setClock)} form={form} saved={{ time: '' }} access={setTime.access}>
      <DateField {...form.field('time')} time label={t(TEXT.clock, browserZone())} hint={t(TEXT.clockHint)} />
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

/** Edits the time zone of the machine. */
function ZoneForm({ zone }: { zone: string }) {
  const form = useForm({}, { zone }, (values, options) => saveTime({ zone: values.zone }, options))
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  return (
    <SettingsForm title={t(TEXT.setZone)} form={form} saved={{ zone }} access={setTime.access}>
      <SelectField
        {...form.field('zone')}
        label={t(TEXT.zone)}
        hint={t(TEXT.zoneHint)}
        options={zones.map((each) => ({ value: each, label: each }))}
      />
    </SettingsForm>
  )
}

interface Values {
  sync: boolean
  server1: string
  server2: string
}

const RULES: RuleSet<Values> = { server1: firstTimeServer, server2: secondTimeServer }

/** Edits whether the clock is synchronised, and with which servers. */
function SyncForm({ sync }: { sync: TimeSync }) {
  const [server1 = '', server2 = ''] = sync.servers
  const initial: Values = { sync: sync.enabled ?? false, server1, server2 }
  const form = useForm<Values>(RULES, initial, saveTime)
  return (
    <SettingsForm title={t(TEXT.setSync)} form={form} saved={initial} access={setTime.access}>
      <SwitchField {...form.field('sync')} label={t(TEXT.useServers)} hint={t(TEXT.offHint)} />
      <TextField {...form.field('server1')} label={t(TEXT.server1)} hint={t(TEXT.serverHint)} />
      <TextField {...form.field('server2')} label={t(TEXT.server2)} />
    </SettingsForm>
  )
}
