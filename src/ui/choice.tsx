import { Icon, type IconName } from './icon.tsx'

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
    <div className="segments" role="group" aria-label={label}>
      {options.map(({ value: own, label: name, icon, disabled }) => (
        <button
          key={own}
          type="button"
          className="button"
          disabled={disabled}
          aria-pressed={own === value}
          aria-label={bare ? name : undefined}
          data-tip={bare ? name : undefined}
          onClick={() => onChange(own)}
        >
          {icon && <Icon name={icon} />}
          {!bare && <span>{name}</span>}
        </button>
      ))}
    </div>
  )
}
