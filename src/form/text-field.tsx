import { useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import * as TEXT from '../ui/text.ts'
import { type FieldLabels, LabelledField } from './labelled-field.tsx'
import type { FieldBinding } from './use-form.ts'

export interface TextFieldProps extends FieldBinding<string>, FieldLabels {
  placeholder?: string
  /** Id of a `datalist` with suggestions. */
  list?: string
  /** The `autocomplete` attribute. The default is 'off', with `secret` 'new-password'. */
  autoComplete?: string
  /** Gets the focus when its dialog or page opens. */
  autoFocus?: boolean
  /** Shows the numeric keyboard on phones. Set by `NumberField`. */
  numeric?: boolean
  /** Hides the text until the user presses 'Show'. Set by `PasswordField`. */
  secret?: boolean
  /** For a text of several lines. */
  multiline?: boolean
}

export function TextField({ numeric, secret, multiline, autoFocus, ...props }: TextFieldProps) {
  const [isRevealed, setRevealed] = useState(false)
  if (multiline)
    return (
      <LabelledField {...props}>{(control) => <textarea rows={6} spellCheck={false} {...control} />}</LabelledField>
    )
  return (
    <LabelledField {...props}>
      {(control) => (
        <div className="beside">
          <input
            type={secret && !isRevealed ? 'password' : 'text'}
            inputMode={numeric ? 'numeric' : undefined}
            autoComplete={secret ? 'new-password' : 'off'}
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus={autoFocus || undefined}
            {...control}
          />
          {secret && (
            <Button
              iconOnly
              icon="eye"
              label={t(TEXT.show)}
              pressed={isRevealed}
              onClick={() => setRevealed(!isRevealed)}
            />
          )}
        </div>
      )}
    </LabelledField>
  )
}

/** A number. Its value is the typed text, so that rules can check what the user typed. */
export function NumberField(props: Omit<TextFieldProps, 'secret' | 'numeric'>) {
  return <TextField {...props} numeric />
}

/** A secret, hidden until the user presses the button that shows it. */
export function PasswordField(props: Omit<TextFieldProps, 'secret' | 'numeric'>) {
  return <TextField {...props} secret />
}
