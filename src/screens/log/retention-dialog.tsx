import type { Envelope } from '../../../contract/call.ts'
import { LOG_DAYS, LOG_LINES } from '../../../contract/limits.ts'
import { wholeNumber } from '../../../contract/rules/rules.ts'
import type { Settings } from '../../../contract/settings.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { fetchSettings, saveSettings } from './store.ts'
import { TEXT } from './text.ts'

const RULES = {
  lines: (value: string) => wholeNumber(value, LOG_LINES.min, LOG_LINES.max),
  days: (value: string) => wholeNumber(value, LOG_DAYS.min, LOG_DAYS.max)
}

/** Reads the current settings, then opens the dialog. */
export async function openRetentionDialog(): Promise<void> {
  const current = (await fetchSettings())?.log
  if (current) void openDialog(RetentionDialog, { current })
}

/** Edits how many lines and days of each log are kept. */
function RetentionDialog({ current, onClose }: { current: Settings['log']; onClose: () => void }) {
  const form = useForm(
    RULES,
    { lines: String(current['max-lines']), days: String(current['max-days']) },
    ({ lines, days }): Promise<Envelope> =>
      saveSettings({ log: { 'max-lines': Number(lines), 'max-days': Number(days) } }, form.showsError),
    { fieldOfWireName: { 'log.max-lines': 'lines', 'log.max-days': 'days' }, onSuccess: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.keep)} onClose={onClose}>
      <NumberField {...form.field('lines')} label={t(TEXT.lines)} autoFocus />
      <NumberField {...form.field('days')} label={t(TEXT.days)} />
    </FormDialog>
  )
}
