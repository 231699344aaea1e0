import { type ReactNode, useEffect, useState } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { SECOND_FACTOR_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { required } from '../../../contract/rules/rules.ts'
import { CodeField } from '../../form/code-field.tsx'
import { PasswordField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { type EarlyLogin, takeEarlyLogin } from '../../state/early-login.ts'
import { type SignInCodes, signIn } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { credentialsError } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import * as UI from '../../ui/text.ts'
import { LoginLayout } from './login-layout.tsx'
import * as TEXT from './text.ts'

interface LoginScreenProps {
  language: ReactNode
  /** Sent with the password. */
  codes?: SignInCodes
  /** Further fields below the password. */
  children?: ReactNode
}

/**
 * The login page. It takes over the input of the page's own form from before this script had arrived. The frame decides
 * which page follows.
 */
export function LoginScreen(props: LoginScreenProps) {
  const [early] = useState(takeEarlyLogin)
  /** Name and password that were right, while the hub wants a code. */
  const [account, setAccount] = useState<Account>()
  const [first, setFirst] = useState<Account>({ name: early?.name ?? '', password: early?.password ?? '' })
  if (!account) return <PasswordStep {...props} early={early} first={first} onAskCode={setAccount} />
  const goBack = () => {
    setFirst({ name: account.name, password: '' })
    setAccount(undefined)
  }
  return (
    <CodeStep key={account.asked} language={props.language} account={account} onAskCode={setAccount} onBack={goBack} />
  )
}

interface Account {
  name: string
  password: string
  /** The code that the hub wants now, and those that were right. */
  asked?: keyof SignInCodes
  codes?: SignInCodes
}

/** The code for which a result 1101 asks. */
const askedCode = ({ field }: Envelope): keyof SignInCodes => (field === 'setup-code' ? field : 'code')

interface PasswordStepProps extends LoginScreenProps {
  early: EarlyLogin | undefined
  first: Account
  onAskCode: (account: Account) => void
}

function PasswordStep({ language, codes, early, first, onAskCode, children }: PasswordStepProps) {
  const [refused, setRefused] = useState<Awaited<ReturnType<typeof signIn>>>({ result: SUCCESS })
  const form = useForm({ name: required, password: required }, first, async (account) => {
    setRefused({ result: SUCCESS })
    // Neither the hub nor the console says whether the name or the password was wrong.
    const response = await signIn(account.name, account.password, codes)
    setRefused(response)
    if (response.result === SECOND_FACTOR_REQUIRED) onAskCode({ ...account, codes, asked: askedCode(response) })
    return undefined
  })
  useEffect(() => {
    const { focus, submitted } = early ?? {}
    const field = focus && document.querySelector<HTMLInputElement>(`form [name=${focus.field}]`)
    field?.focus()
    field?.setSelectionRange(focus?.start ?? 0, focus?.end ?? 0)
    // Only once: the form may be shown again, without the password.
    if (submitted && first.password === early?.password) document.forms[0]?.requestSubmit()
  }, [early])
  return (
    <LoginLayout title={t(TEXT.title)} language={language} onSubmit={form.submit} error={credentialsError(refused)}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoComplete="username" autoFocus />
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" />
      {children}
      <Button submit kind="main" label={t(TEXT.title)} busy={form.busy} />
    </LoginLayout>
  )
}

interface CodeStepProps {
  language: ReactNode
  account: Account
  onAskCode: (account: Account) => void
  onBack: () => void
}

function CodeStep({ language, account, onAskCode, onBack }: CodeStepProps) {
  const { name, password, asked = 'code' } = account
  const [refused, setRefused] = useState<Awaited<ReturnType<typeof signIn>>>({ result: SUCCESS })
  const form = useForm({ code: required }, { code: '' }, async ({ code }) => {
    const codes = { ...account.codes, [asked]: code }
    const response = await signIn(name, password, codes)
    setRefused(response)
    if (response.result === SECOND_FACTOR_REQUIRED) onAskCode({ ...account, asked: askedCode(response), codes })
    return undefined
  })
  return (
    <LoginLayout title={t(TEXT.title)} language={language} onSubmit={form.submit} error={credentialsError(refused)}>
      {asked === 'setup-code' ? (
        <>
          <p>{t(TEXT.setupLead)}</p>
          <TextField {...form.field('code')} label={t(TEXT.setupCode)} autoComplete="off" autoFocus />
        </>
      ) : (
        <CodeField {...form.field('code')} autoFocus />
      )}
      <Button submit kind="main" label={t(TEXT.title)} busy={form.busy} />
      <Button label={t(UI.cancel)} onClick={onBack} />
    </LoginLayout>
  )
}
