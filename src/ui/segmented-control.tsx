import { Button } from './button.tsx'
import type { IconName } from './icon.tsx'

export interface Option<Value extends string = string> {
  value: Value
  label: string
  icon?: IconName
}

interface SegmentedControlProps<Value extends string> {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Whether the buttons continue on further lines where there is no room for all. */
  wraps?: boolean
}

/** A choice between a few options, shown as buttons side by side. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
  wraps
}: SegmentedControlProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a toolbar
    <div className={wraps ? 'chips' : 'row'} role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          icon={option.icon}
          label={option.label}
          pressed={option.value === value}
          onClick={() => onChange(option.value)}
        />
      ))}
    </div>
  )
}
