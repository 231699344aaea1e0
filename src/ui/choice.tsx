import { Button } from './button.tsx'

export interface Option<Value extends string = string> {
  value: Value
  label: string
}

export interface SwitchProps<Value extends string> {
  /** What is chosen. */
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A few choices side by side: list or pictures, now or the past hour. */
export function Segments<Value extends string>({ label, options, value, onChange }: SwitchProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line of tools
    <div className="row" role="group" aria-label={label}>
      {options.map(({ value: own, label: name }) => (
        <Button key={own} label={name} pressed={own === value} onClick={() => onChange(own)} />
      ))}
    </div>
  )
}
