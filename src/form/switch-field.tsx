import { Below, type Said, useTies } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface SwitchFieldProps extends Bound<boolean>, Said {
  /** A box to tick: what is agreed to, rather than switched. */
  box?: boolean
}

/** On or off. */
export function SwitchField(props: SwitchFieldProps) {
  const { name, value, fault, onValue, onLeave, label, hint, box } = props
  const { ties, below } = useTies({ fault, hint })
  return (
    <div className="field check">
      <label>
        <input
          {...ties}
          type="checkbox"
          role={box ? undefined : 'switch'}
          name={name}
          checked={value}
          onChange={(event) => onValue(event.currentTarget.checked)}
          onBlur={onLeave}
        />
        {label}
      </label>
      <Below {...below} />
    </div>
  )
}
