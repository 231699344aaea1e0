import { Button } from './button.tsx'

export interface Option<Value extends string = string> {
  value: Value
  label: string
}

interface SegmentedControlProps<Value extends string> {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few options, shown as buttons side by side. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange
}: SegmentedControlProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a toolbar
    <div className="row" role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          label={option.label}
          pressed={option.value === value}
          onClick={() => onChange(option.value)}
        />
      ))}
    </div>
  )
}
