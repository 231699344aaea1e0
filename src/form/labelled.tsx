// What all fields share: the label above, the hint or what is wrong below, and the ties between them.
import { type ReactNode, useId } from 'react'
import { Icon } from '../ui/icon.tsx'

/** What is said about a field. */
export interface Said {
  label: string
  hint?: string
}

/** What ties a control to its label and to what stands below. */
interface Ties {
  id: string
  'aria-invalid'?: true
  'aria-describedby'?: string
}

interface LabelledProps extends Said {
  fault?: string
  children: (ties: Ties) => ReactNode
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

export function useTies({ fault, hint }: Omit<BelowProps, 'id'>): { ties: Ties; below: BelowProps } {
  const id = useId()
  const below = { id: `${id}-below`, fault, hint }
  return {
    ties: { id, 'aria-invalid': fault ? true : undefined, 'aria-describedby': fault || hint ? below.id : undefined },
    below
  }
}

/** A control with its label above. */
export function Labelled({ label, hint, fault, children }: LabelledProps) {
  const { ties, below } = useTies({ fault, hint })
  return (
    <div className="field">
      <label htmlFor={ties.id}>{label}</label>
      {children(ties)}
      <Below {...below} />
    </div>
  )
}
