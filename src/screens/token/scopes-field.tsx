// Checkboxes for the scopes of a token.
import { TOKEN_SCOPES, type TokenScope } from '../../../contract/access/token.ts'
import { FieldMessage, useFieldProps } from '../../form/labelled-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { SCOPES, TEXT } from './text.ts'

export function ScopesField({ name, value, error, onValueChange, onBlur }: FieldBinding<readonly TokenScope[]>) {
  const { controlProps, messageProps } = useFieldProps({ error })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.scopes)}</legend>
      {TOKEN_SCOPES.map((scope) => (
        <div key={scope} className="check">
          <label>
            <input
              {...controlProps}
              id={undefined}
              type="checkbox"
              name={name}
              checked={value.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                onValueChange(TOKEN_SCOPES.filter((other) => (other === scope ? checked : value.includes(other))))
              }
              onBlur={onBlur}
            />
            {t(SCOPES[scope])}
          </label>
        </div>
      ))}
      <FieldMessage {...messageProps} />
    </fieldset>
  )
}
