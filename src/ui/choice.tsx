import { Button } from './button.tsx'
import type { IconName } from './icon.tsx'

export interface Option<Value extends string = string> {
  value: Value
  label: string
  icon?: IconName
  disabled?: boolean
}

export interface SwitchProps<Value extends string> {
  /** What is chosen. */
  label: string
  options: readonly Option<Value>[]
  value: Value
  /** Shows icons only, where all have one. */
  bare?: boolean
  onChange: (value: Value) => void
}

/** A few choices side by side: list or pictures, now or the past hour. */
export function Segments<Value extends string>({ label, options, value, bare, onChange }: SwitchProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line of tools
    <div className="row" role="group" aria-label={label}>
      {options.map(({ value: own, label: name, icon, disabled }) => (
        <Button
          key={own}
          label={name}
          icon={icon}
          bare={bare}
          disabled={disabled}
          pressed={own === value}
          onClick={() => onChange(own)}
        />
      ))}
    </div>
  )
}
