// The page on which all settings are reset. It lists the deleted and the kept data, and afterwards explains how to sign
// in.
import { useEffect, useState } from 'react'
import { getSession } from '../../../contract/access/session.ts'
import type { Envelope } from '../../../contract/call.ts'
import { INVALID_ARG, MISMATCH, NOT_LOGGED_IN, SECOND_FACTOR_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { type PowerState, resetSettings } from '../../../contract/machine/power.ts'
import { required } from '../../../contract/rules/rules.ts'
import { CodeField } from '../../form/code-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { PasswordField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { isUnreachable } from '../../link/failure.ts'
import { md5 } from '../../link/md5.ts'
import { send } from '../../link/send.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { linkTo, loginLink, ROUTES } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { $isAllowed, $secondFactor, $session } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { credentialsError, responseLines } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { AccessDenied } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Fact, FaultText, FullPage, Interrupted, Progress } from './full-page.tsx'
import { $power, sendWithConsent } from './store.ts'
import { TEXT } from './text.ts'

/** What the hub has accepted: where the console is afterwards. */
interface Accepted {
  port: number | undefined
}

export function ResetScreen() {
  const user = useStore($session)
  const [accepted, setAccepted] = useState<Accepted>()
  const isSignedOut = !user && !accepted
  // The session ends with the reset, so this page is shown without one, but only then.
  useEffect(() => {
    if (isSignedOut) navigate(loginLink(ROUTES.reset), { replace: true })
  }, [isSignedOut])
  if (isSignedOut) return null
  return accepted ? <ResetProgress {...accepted} /> : <ResetQuestion onAccepted={setAccepted} />
}

function ResetQuestion({ onAccepted }: { onAccepted: (accepted: Accepted) => void }) {
  const { value } = useStore($power)
  const isAllowed = useStore($isAllowed)
  const placeholder = usePlaceholder($power, !value, null)
  return (
    <FullPage title={t(TEXT.resetTitle)} hasBack>
      {!isAllowed(resetSettings) ? (
        <AccessDenied />
      ) : value ? (
        <ResetForm state={value} onAccepted={onAccepted} />
      ) : (
        placeholder
      )}
    </FullPage>
  )
}

function ResetForm({ state, onAccepted }: { state: PowerState; onAccepted: (accepted: Accepted) => void }) {
  const [response, setResponse] = useState<Envelope>({ result: SUCCESS })
  const hasSecondFactor = useStore($secondFactor) !== undefined
  const form = useForm(
    {
      name: (name) => required(name) ?? (name === state.name ? undefined : { name: 'invalid' }),
      password: required,
      code: hasSecondFactor ? required : undefined
    },
    { name: '', password: '', code: '', keepsNetwork: true, keepsLicense: true },
    async ({ name, password, code, keepsNetwork, keepsLicense }) => {
      setResponse({ result: SUCCESS })
      const request = {
        name,
        pass: md5(password),
        ...(hasSecondFactor && { code }),
        'keep-network': keepsNetwork,
        'keep-license': keepsLicense
      }
      const question = {
        title: t(TEXT.resetQuestion),
        note: t(TEXT.cannotUndo),
        confirmLabel: t(TEXT.resetTitle)
      }
      const reply = await sendWithConsent(resetSettings, request, question)
      if (reply?.result === SUCCESS) onAccepted({ port: keepsNetwork ? undefined : reply['http-port'] })
      else if (reply) setResponse(reply)
      return reply
    },
    { fieldOfWireName: { pass: 'password' } }
  )
  const isAboutCredentials = [MISMATCH, SECOND_FACTOR_REQUIRED].includes(response.result)
  const faults = form.showsError(response) || response.result === SUCCESS ? [] : responseLines(response)
  const error = form.field('name').error
  return (
    <form noValidate onSubmit={form.submit}>
      <p>{t(TEXT.resetText)}</p>
      <Interrupted state={state} />
      <Fact title={t(TEXT.goes)} text={t(TEXT.goesList)} />
      <Fact title={t(TEXT.stays)} text={t(TEXT.staysList)} />
      <SwitchField {...form.field('keepsNetwork')} label={t(TEXT.keepNetwork)} hint={t(TEXT.keepNetworkHint)} />
      <SwitchField {...form.field('keepsLicense')} label={t(TEXT.keepLicense)} />
      <TextField
        {...form.field('name')}
        {...(error && form.values.name && { error: t(TEXT.wrongName) })}
        label={t(TEXT.name)}
        hint={t(TEXT.nameHint, state.name)}
      />
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" />
      {hasSecondFactor && <CodeField {...form.field('code')} />}
      {state.busy && <p role="status">{state.busy}</p>}
      <p className="row">
        <Button
          submit
          kind="danger"
          label={t(TEXT.resetTitle)}
          busy={form.busy}
          disabled={state.busy !== undefined && !form.busy}
        />
      </p>
      <FaultText lines={isAboutCredentials ? [credentialsError(response)] : faults} />
    </form>
  )
}

/** Milliseconds between two requests, and without an answer after which the console may have another port. */
const INTERVAL = 1000
const MOVED_AFTER = 15_000

function ResetProgress({ port }: Accepted) {
  const [state, setState] = useState<'running' | 'moved' | 'done'>('running')
  useEffect(() => {
    const abort = new AbortController()
    void waitForFirstState(abort.signal, setState)
    return () => abort.abort()
  }, [])
  if (state === 'done')
    return (
      <FullPage title={t(TEXT.done)}>
        <p role="status">{t(TEXT.doneText)}</p>
        <a className="button main" href={`#${linkTo('login')}`}>
          {t(TEXT.signIn)}
        </a>
      </FullPage>
    )
  const address = `http://${location.hostname}:${port}/`
  return (
    <Progress title={t(TEXT.resetting)} text={t(TEXT.resettingText)} longText={t(TEXT.long)}>
      {state === 'moved' && port !== undefined && (
        <p>
          {t(TEXT.moved)} <a href={address}>{address}</a>
        </p>
      )}
    </Progress>
  )
}

/** Asks until the hub no longer knows the session: the reset has ended all. */
async function waitForFirstState(signal: AbortSignal, onState: (state: 'moved' | 'done') => void): Promise<void> {
  let lastAnswer = performance.now()
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL))
    const { result } = await send(getSession, {}, { signal, timeout: 4 * INTERVAL }).catch(() => ({
      result: INVALID_ARG
    }))
    if (signal.aborted) return
    if (result === NOT_LOGGED_IN) return onState('done')
    if (!isUnreachable(result)) lastAnswer = performance.now()
    else if (performance.now() - lastAnswer > MOVED_AFTER) onState('moved')
  }
}
