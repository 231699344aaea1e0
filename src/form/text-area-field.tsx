import { Labelled, type Said } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface TextAreaProps extends Bound<string>, Said {
  rows?: number
}

export function TextAreaField({ name, value, fault, onValue, onLeave, label, hint, rows = 4 }: TextAreaProps) {
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {(ties) => (
        <textarea
          {...ties}
          name={name}
          rows={rows}
          spellCheck={false}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
          onBlur={onLeave}
        />
      )}
    </Labelled>
  )
}
