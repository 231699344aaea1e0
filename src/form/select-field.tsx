import type { Option } from '../ui/choice.tsx'
import { Labelled, type Said } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface SelectProps<Value extends string> extends Bound<Value>, Said {
  options: readonly Option<Value>[]
  /** What stands for nothing chosen, value ''. */
  placeholder?: string
}

export function SelectField<Value extends string>({ options, placeholder, ...props }: SelectProps<Value>) {
  return (
    <Labelled {...props}>
      {(control) => (
        <select {...control}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
