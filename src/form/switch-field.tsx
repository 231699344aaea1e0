import { type FieldLabels, FieldMessage, useFieldProps } from './labelled-field.tsx'
import type { FieldBinding } from './use-form.ts'

interface SwitchFieldProps extends FieldBinding<boolean>, FieldLabels {
  /** Shown as a checkbox, for consent rather than an on/off setting. */
  checkbox?: boolean
}

export function SwitchField(props: SwitchFieldProps) {
  const { name, value, error, onValueChange, onBlur, label, hint, checkbox } = props
  const { controlProps, messageProps } = useFieldProps({ error, hint })
  return (
    <div className="field check">
      <label>
        <input
          {...controlProps}
          type="checkbox"
          role={checkbox ? undefined : 'switch'}
          name={name}
          checked={value}
          onChange={(event) => onValueChange(event.currentTarget.checked)}
          onBlur={onBlur}
        />
        {label}
      </label>
      <FieldMessage {...messageProps} />
    </div>
  )
}
