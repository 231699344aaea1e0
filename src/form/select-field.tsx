import type { Option } from '../ui/segmented-control.tsx'
import { type FieldLabels, LabelledField } from './labelled-field.tsx'
import type { FieldBinding } from './use-form.ts'

interface SelectFieldProps<Value extends string> extends FieldBinding<Value>, FieldLabels {
  options: readonly Option<Value>[]
  /** Label of the additional option with the value ''. */
  placeholder?: string
}

export function SelectField<Value extends string>({ options, placeholder, ...props }: SelectFieldProps<Value>) {
  return (
    <LabelledField {...props}>
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
    </LabelledField>
  )
}
