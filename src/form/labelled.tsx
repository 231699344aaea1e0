// What all fields share: the label above, the hint or what is wrong below, and the ties between them.
import { type ReactNode, useId } from 'react'
import { Icon } from '../ui/icon.tsx'
import type { Bound } from './use-form.ts'

/** What is said about a field. */
export interface Said {
  label: string
  hint?: string
}

interface BelowProps {
  id: string
  fault?: string
  hint?: string
}

/** What is wrong, else the hint. */
export function Below({ id, fault, hint }: BelowProps) {
  if (!fault) return hint ? <small id={id}>{hint}</small> : null
  return (
    <small className="fault" id={id} role="alert">
      <Icon name="warning" />
      {fault}
    </small>
  )
}

/** What ties a control to its label and to what stands below. */
export function useTies({ fault, hint }: Omit<BelowProps, 'id'>) {
  const id = useId()
  const below = { id: `${id}-below`, fault, hint }
  const ties = {
    id,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': fault || hint ? below.id : undefined
  } as const
  return { ties, below }
}

/** What a control in which something is typed or chosen takes. */
export interface Control {
  id: string
  name: string
  value: string
  onInput: (event: { currentTarget: { value: string } }) => void
  onBlur: () => void
}

interface LabelledProps<Value extends string> extends Bound<Value>, Said {
  children: (control: Control) => ReactNode
}

/** A control with its label above. */
export function Labelled<Value extends string>(props: LabelledProps<Value>) {
  const { label, hint, fault, onValue, onLeave, children, ...control } = props
  const { ties, below } = useTies({ fault, hint })
  return (
    <div className="field">
      <label htmlFor={ties.id}>{label}</label>
      {children({
        ...ties,
        ...control,
        onInput: (event) => onValue(event.currentTarget.value as Value),
        onBlur: onLeave
      })}
      <Below {...below} />
    </div>
  )
}
