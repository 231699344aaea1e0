import { type Option, Segments } from '../ui/choice.tsx'
import { Below, type Said, useTies } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface ChoiceProps<Value extends string> extends Bound<Value>, Said {
  options: readonly Option<Value>[]
}

/** A few choices, all in sight. */
export function ChoiceField<Value extends string>({ value, fault, onValue, label, hint, options }: ChoiceProps<Value>) {
  const { ties, below } = useTies({ fault, hint })
  return (
    <fieldset className="field" aria-describedby={ties['aria-describedby']}>
      <legend>{label}</legend>
      <Segments label={label} options={options} value={value} onChange={onValue} />
      <Below {...below} />
    </fieldset>
  )
}
