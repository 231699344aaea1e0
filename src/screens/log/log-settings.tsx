// Settings of the logs: how long they are kept, and the syslog server that gets a copy.
import { LOG_DAYS, LOG_LINES } from '../../../contract/limits.ts'
import { host, port, wholeNumber } from '../../../contract/rules/rules.ts'
import { SETTING_RIGHTS, type Settings, SYSLOG_PROTOCOLS, type SyslogTarget } from '../../../contract/settings.ts'
import { type SyslogStatus, testSyslog } from '../../../contract/syslog/status.ts'
import { SelectField } from '../../form/select-field.tsx'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { settingsOf } from '../../other-hubs.ts'
import { CallButton } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { SaveTogether } from '../../parts/settings/save-together.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { $settings } from '../../state/settings.ts'
import { ago, lasting } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { type State, StateLabel } from '../../ui/state-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $syslog, saveLogSettings, sendSyslogTest } from './store.ts'
import { TEXT } from './text.ts'

/** Named as on the wire. */
const RETENTION_RULES = {
  'max-lines': (value: string) => wholeNumber(value, LOG_LINES.min, LOG_LINES.max),
  'max-days': (value: string) => wholeNumber(value, LOG_DAYS.min, LOG_DAYS.max)
}

/** How many lines and days of each log are kept. */
function RetentionForm({ current }: { current: Settings['log'] }) {
  const initial = { 'max-lines': String(current['max-lines']), 'max-days': String(current['max-days']) }
  const form = useForm(RETENTION_RULES, initial, ({ 'max-lines': lines, 'max-days': days }, options) =>
    saveLogSettings({ log: { 'max-lines': Number(lines), 'max-days': Number(days) } }, options)
  )
  return (
    <SettingsForm title={t(TEXT.keep)} form={form} saved={initial} access={SETTING_RIGHTS.log.edit}>
      <p className="muted">{t(TEXT.keepHint)}</p>
      <NumberField
        {...form.field('max-lines')}
        label={t(TEXT.lines)}
        hint={t(TEXT.range, number(LOG_LINES.min), number(LOG_LINES.max))}
      />
      <NumberField
        {...form.field('max-days')}
        label={t(TEXT.days)}
        hint={t(TEXT.range, number(LOG_DAYS.min), number(LOG_DAYS.max))}
      />
    </SettingsForm>
  )
}

/** The syslog server that gets a copy of every log line. */
function SyslogForm({ current }: { current: SyslogTarget }) {
  const initial = { ...current, port: String(current.port) }
  const form = useForm(
    {
      protocol: () => undefined,
      host: (value: string, { protocol }: { protocol: string }) => (protocol === 'off' ? undefined : host(value)),
      port
    },
    initial,
    (values, options) =>
      saveLogSettings(
        {
          syslog: {
            protocol: values.protocol as SyslogTarget['protocol'],
            host: values.host,
            port: Number(values.port)
          }
        },
        options
      )
  )
  const labels = [t(TEXT.off), 'UDP', 'TCP']
  return (
    <SettingsForm title={t(TEXT.syslog)} form={form} saved={initial} access={SETTING_RIGHTS.syslog.edit}>
      <SelectField
        {...form.field('protocol')}
        label={t(TEXT.protocol)}
        hint={t(TEXT.syslogHint)}
        options={SYSLOG_PROTOCOLS.map((value, index) => ({ value, label: labels[index] ?? value }))}
      />
      <TextField {...form.field('host')} label={t(TEXT.host)} />
      <NumberField {...form.field('port')} label={t(TEXT.port)} />
    </SettingsForm>
  )
}

const STATES: Readonly<Record<SyslogStatus['state'], State>> = {
  off: ['off', TEXT.syslogOff],
  connecting: ['off', TEXT.connecting],
  connected: ['good', TEXT.connected],
  sending: ['good', TEXT.sending],
  failing: ['bad', TEXT.failing]
}

function SyslogState() {
  const { value } = useStore($syslog)
  const placeholder = usePlaceholder($syslog, !value, null)
  if (!value) return <Card title={t(TEXT.syslogState)}>{placeholder}</Card>
  const { state, since, error, queued, 'last-sent': lastSent } = value
  return (
    <Card title={t(TEXT.syslogState)}>
      <div role="status">
        <DescriptionList
          items={[
            [
              t(TEXT.state),
              <span key="state" className="row">
                <StateLabel state={STATES[state]} />
                {since !== undefined && <ElapsedTime since={since} format={lasting} />}
              </span>
            ],
            [t(TEXT.error), error],
            [t(TEXT.queued), state === 'off' ? undefined : number(queued)],
            [t(TEXT.lastSent), lastSent !== undefined && <ElapsedTime key="sent" since={lastSent} format={ago} />]
          ]}
        />
      </div>
      {state === 'sending' && <p className="muted">{t(TEXT.udpHint)}</p>}
      {state === 'failing' && <p className="muted">{t(TEXT.queuedHint)}</p>}
      {state !== 'off' && (
        <span className="row">
          <CallButton call={testSyslog} label={t(TEXT.test)} onClick={sendSyslogTest} />
        </span>
      )}
    </Card>
  )
}

export function LogSettings() {
  const { value } = useStore($settings)
  const placeholder = usePlaceholder($settings, !value, null)
  const { log, syslog } = settingsOf(value)
  if (!log || !syslog) return <>{placeholder}</>
  return (
    <SaveTogether>
      <div className="cards">
        <RetentionForm current={log} />
        <SyslogForm current={syslog} />
        <SyslogState />
      </div>
    </SaveTogether>
  )
}
