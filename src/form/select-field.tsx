import type { Option } from '../ui/choice.tsx'
import { Labelled, type Said } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface SelectProps<Value extends string> extends Bound<Value>, Said {
  options: readonly Option<Value>[]
  /** What stands for nothing chosen, value ''. */
  placeholder?: string
}

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { fault, onValue, onLeave, label, hint, options, placeholder, ...select } = props
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {(ties) => (
        <select
          {...ties}
          {...select}
          onChange={(event) => onValue(event.currentTarget.value as Value)}
          onBlur={onLeave}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
