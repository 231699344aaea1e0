// Shared by all fields: the label above the control, the error or hint below it, and the ARIA attributes that connect
// them.
import { type ReactNode, useId } from 'react'
import { Icon } from '../ui/icon.tsx'
import type { FieldBinding } from './use-form.ts'

export interface FieldLabels {
  label: string
  /** Shown below the control while there is no error. */
  hint?: string
}

interface FieldMessageProps {
  id: string
  error?: string
  hint?: string
}

/** The error of a field, or else its hint. */
export function FieldMessage({ id, error, hint }: FieldMessageProps) {
  if (!error) return hint ? <small id={id}>{hint}</small> : null
  return (
    <small className="fault" id={id} role="alert">
      <Icon name="warning" />
      {error}
    </small>
  )
}

/** The properties that connect a control with its label and its message. */
export function useFieldProps({ error, hint }: Omit<FieldMessageProps, 'id'>) {
  const id = useId()
  const messageProps = { id: `${id}-below`, error, hint }
  const controlProps = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? messageProps.id : undefined
  } as const
  return { controlProps, messageProps }
}

/** The properties of an `input` or `select`. */
export interface Control {
  id: string
  name: string
  value: string
  onInput: (event: { currentTarget: { value: string } }) => void
  onBlur?: () => void
}

interface LabelledFieldProps<Value extends string> extends FieldBinding<Value>, FieldLabels {
  children: (control: Control) => ReactNode
}

/** A control with its label and its message. */
export function LabelledField<Value extends string>(props: LabelledFieldProps<Value>) {
  const { label, hint, error, onValueChange, children, ...control } = props
  const { controlProps, messageProps } = useFieldProps({ error, hint })
  return (
    <div className="field">
      <label htmlFor={controlProps.id}>{label}</label>
      {children({
        ...controlProps,
        ...control,
        onInput: (event) => onValueChange(event.currentTarget.value as Value)
      })}
      <FieldMessage {...messageProps} />
    </div>
  )
}
