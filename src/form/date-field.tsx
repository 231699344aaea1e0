import { type FieldLabels, LabelledField } from './labelled-field.tsx'
import type { FieldBinding } from './use-form.ts'

interface DateFieldProps extends FieldBinding<string>, FieldLabels {
  /**
   * With a time of day: the value is `2026-03-01T09:30` in the browser's time zone. Otherwise it is a day:
   * `2026-03-01`.
   */
  time?: boolean
  /**
   * The range that the browser's calendar offers, in the format of the value. Typed dates are checked by the form's
   * rules.
   */
  min?: string
  max?: string
}

/** A date, chosen in the browser's calendar. The value is '' while the date is incomplete. */
export function DateField({ time, ...props }: DateFieldProps) {
  return (
    <LabelledField {...props}>
      {(control) => <input type={time ? 'datetime-local' : 'date'} {...control} />}
    </LabelledField>
  )
}
