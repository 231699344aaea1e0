import { Labelled, type Said } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface DateFieldProps extends Bound<string>, Said {
  /** A day with a time of day: `2026-03-01T09:30`, as the user's clock shows it. Without it a day: `2026-03-01`. */
  time?: boolean
  /** The first and the last that the browser's calendar offers, written like the value. What was typed is for a rule to judge. */
  min?: string
  max?: string
}

/** A date, chosen in the browser's own calendar. It is '' as long as it is not whole. */
export function DateField({ time, ...props }: DateFieldProps) {
  return <Labelled {...props}>{(control) => <input type={time ? 'datetime-local' : 'date'} {...control} />}</Labelled>
}
