import type { InputHTMLAttributes, ReactNode } from 'react'

interface CheckboxProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  checked: boolean
  onCheckedChange: (isChecked: boolean) => void
  /** Behind the label. */
  children?: ReactNode
}

/** One of several checkboxes below a legend. A checkbox that is a field of its own is a `SwitchField`. */
export function Checkbox({ label, onCheckedChange, children, ...input }: CheckboxProps) {
  return (
    <div className="check row">
      <label>
        <input {...input} type="checkbox" onChange={({ currentTarget }) => onCheckedChange(currentTarget.checked)} />
        {label}
      </label>
      {children}
    </div>
  )
}
