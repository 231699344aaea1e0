import type { Envelope } from '../../../contract/call.ts'
import { host, port } from '../../../contract/rules/rules.ts'
import { SYSLOG_PROTOCOLS, type SyslogTarget } from '../../../contract/settings.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { fetchSettings, saveSettings } from './store.ts'
import { TEXT } from './text.ts'

/** Reads the current setting, then opens the dialog. */
export async function openSyslogDialog(): Promise<void> {
  const current = (await fetchSettings())?.syslog
  if (current) void openDialog(SyslogDialog, { current })
}

/** Sets the syslog server that gets a copy of every log line. */
function SyslogDialog({ current, onClose }: { current: SyslogTarget; onClose: () => void }) {
  const form = useForm(
    {
      protocol: () => undefined,
      host: (value: string, { protocol }: { protocol: string }) => (protocol === 'off' ? undefined : host(value)),
      port
    },
    { ...current, port: String(current.port) },
    ({ protocol, host, port }): Promise<Envelope> =>
      saveSettings(
        { syslog: { protocol: protocol as SyslogTarget['protocol'], host, port: Number(port) } },
        form.showsError
      ),
    { fieldOfWireName: { 'syslog.host': 'host', 'syslog.port': 'port' }, onSuccess: onClose }
  )
  const labels = [t(TEXT.off), 'UDP', 'TCP']
  return (
    <FormDialog form={form} title={t(TEXT.syslog)} onClose={onClose}>
      <SelectField
        {...form.field('protocol')}
        label={t(TEXT.protocol)}
        hint={t(TEXT.syslogHint)}
        options={SYSLOG_PROTOCOLS.map((value, index) => ({ value, label: labels[index] ?? value }))}
      />
      <TextField {...form.field('host')} label={t(TEXT.host)} />
      <NumberField {...form.field('port')} label={t(TEXT.port)} />
    </FormDialog>
  )
}
