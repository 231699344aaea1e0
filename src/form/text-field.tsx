import { useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import * as TEXT from '../ui/text.ts'
import { Labelled, type Said } from './labelled.tsx'
import type { Bound } from './use-form.ts'

export interface TextFieldProps extends Bound<string>, Said {
  placeholder?: string
  /** The id of a `datalist` with what is proposed. */
  list?: string
  /** What the browser may fill in. */
  autoComplete?: string
  /** Has the focus when its dialog or page opens. */
  autoFocus?: boolean
  /** Which keyboard a phone shows. `NumberField` sets it. */
  digits?: boolean
  /** Not to be read by others: shown when asked to. `PasswordField` sets it. */
  secret?: boolean
}

export function TextField({ digits, secret, autoFocus, ...props }: TextFieldProps) {
  const [open, setOpen] = useState(false)
  return (
    <Labelled {...props}>
      {(control) => (
        <div className="beside">
          <input
            type={secret && !open ? 'password' : 'text'}
            inputMode={digits ? 'numeric' : undefined}
            autoComplete={secret ? 'new-password' : 'off'}
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus={autoFocus || undefined}
            {...control}
          />
          {secret && <Button bare icon="eye" label={t(TEXT.show)} pressed={open} onClick={() => setOpen(!open)} />}
        </div>
      )}
    </Labelled>
  )
}
