import { type ReactNode, useEffect, useState } from 'react'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { TextField } from '../form/text-field.tsx'
import { LoginScreen } from '../screens/login/login.tsx'
import { useQuery } from '../state/location.ts'
import { resumeSession } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'

const TEXT = {
  other: ['Other organization', '其他组织'],
  organisation: ['Organization', '组织'],
  hint: ['Empty for the organization of this cloud', '留空则使用此云平台的默认组织'],
  invalid: ['Letters a-z, digits and hyphens, starting with a letter', '须以字母开头，只含字母 a-z、数字和连字符']
} as const satisfies Record<string, Translation>

/** In local storage: the organisation that was last entered. */
const KEY = `${CACHE_PREFIX}organisation`

/**
 * The login page with a field for the organisation, which most clouds need not ask for: it is shown on request, and
 * where one was entered before or stands in the address.
 */
export function CloudLogin({ language }: { language: ReactNode }) {
  const [typed, setTyped] = useState(useQuery().get('organisation') ?? localStorage.getItem(KEY) ?? '')
  const [isShown, setShown] = useState(typed !== '')
  // A session lives longer than the browser's copy of it.
  useEffect(() => void resumeSession(), [])
  const organisation = typed.trim().toLowerCase()
  const isValid = !organisation || ORGANISATION_NAME.test(organisation)
  const change = (value: string) => {
    setTyped(value)
    localStorage.setItem(KEY, value)
  }
  return (
    <LoginScreen language={language} codes={organisation ? { organisation } : {}}>
      {isShown ? (
        <TextField
          name="organisation"
          label={t(TEXT.organisation)}
          hint={t(TEXT.hint)}
          value={typed}
          onValueChange={change}
          error={isValid ? '' : t(TEXT.invalid)}
          autoComplete="organization"
        />
      ) : (
        <div className="field">
          <Button label={t(TEXT.other)} onClick={() => setShown(true)} />
        </div>
      )}
    </LoginScreen>
  )
}
