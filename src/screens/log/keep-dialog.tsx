import type { Envelope } from '../../../contract/call.ts'
import { LOG_DAYS, LOG_LINES } from '../../../contract/limits.ts'
import { wholeNumber } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { type Kept, keep, kept } from './store.ts'
import { TEXT } from './text.ts'

const RULES = {
  lines: (value: string) => wholeNumber(value, LOG_LINES.min, LOG_LINES.max),
  days: (value: string) => wholeNumber(value, LOG_DAYS.min, LOG_DAYS.max)
}

/** Opens when it is known how much is kept now. */
export async function openKeepDialog(): Promise<void> {
  const now = await kept()
  if (now) void openDialog(KeepDialog, { now })
}

/** How much of each log is kept. */
function KeepDialog({ now, onClose }: { now: Kept; onClose: () => void }) {
  const form = useForm(
    RULES,
    { lines: String(now['max-lines']), days: String(now['max-days']) },
    ({ lines, days }): Promise<Envelope> => keep({ 'max-lines': Number(lines), 'max-days': Number(days) }, form.takes),
    { fields: { 'log.max-lines': 'lines', 'log.max-days': 'days' }, done: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.keep)} onClose={onClose}>
      <NumberField {...form.field('lines')} label={t(TEXT.lines)} autoFocus />
      <NumberField {...form.field('days')} label={t(TEXT.days)} />
    </FormDialog>
  )
}
