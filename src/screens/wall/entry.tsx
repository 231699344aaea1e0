// The way to the wall display: exchanges the one-time code of a display link for a session, and says what to do if
// there is none.
import { type ReactNode, useEffect, useState } from 'react'
import { openDisplay } from '../../../contract/access/display.ts'
import type { Envelope, LockoutInfo } from '../../../contract/call.ts'
import { IN_PROGRESS, SUCCESS } from '../../../contract/codes.ts'
import { isUnreachable } from '../../link/failure.ts'
import { send } from '../../link/send.ts'
import { linkTo, loginLink } from '../../paths.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { $display, $passwordNotice, $session, applyNewSession, resumeSession, signOut } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { responseLines } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'
import { WallDisplay } from './wall.tsx'

/** Milliseconds between attempts to reach the hub. */
const RETRY_INTERVAL = 5000

/** Takes the code out of the URL at once, so that it stays neither in the address bar nor in the history. */
function useCode(): [code: string, clear: () => void] {
  const query = useQuery()
  const [code, setCode] = useState(query.get('code') ?? '')
  const inUrl = query.get('code')
  useEffect(() => {
    if (!inUrl) return
    setCode(inUrl)
    setQuery({ code: undefined })
  }, [inUrl])
  return [code, () => setCode('')]
}

export function WallScreen() {
  const user = useStore($session)
  const display = useStore($display)
  const notice = useStore($passwordNotice)
  const [code, clearCode] = useCode()
  if (code) return <CodeExchange code={code} onDone={clearCode} />
  if (!user) return <Resume />
  if (display !== undefined && notice === 'must-change')
    return (
      <Message title={t(TEXT.defaultPassword)} text={t(TEXT.defaultPasswordText, user.name)}>
        <SignOutButton />
      </Message>
    )
  return <WallDisplay />
}

/** Exchanges a code. Asks first if somebody is signed in to this browser, who is then signed out. */
function CodeExchange({ code, onDone }: { code: string; onDone: () => void }) {
  const user = useStore($session)
  const [isAgreed, setAgreed] = useState(user === null)
  const [refusal, setRefusal] = useState<Envelope & LockoutInfo>()
  /** The response of a hub that changes nothing during the trial of a release. The code stays valid. */
  const [delay, setDelay] = useState<Envelope>()
  useEffect(() => {
    if (!isAgreed || refusal) return undefined
    return repeatUntilReached(async (signal) => {
      if ($session.get()) await signOut()
      // The code can be used once.
      if (signal.aborted) return SUCCESS
      const response = await send(openDisplay, { code })
      if (signal.aborted) return SUCCESS
      if (response.result === SUCCESS) {
        applyNewSession(response)
        onDone()
      } else if (response.result === IN_PROGRESS) setDelay(response)
      else if (!isUnreachable(response.result)) setRefusal(response)
      return response.result
    })
  }, [code, isAgreed, refusal])
  if (refusal) {
    const wait = refusal['locked-s']
    return <Message title={t(TEXT.badCode)} text={wait ? t(TEXT.lockedText, wait) : t(TEXT.badCodeText)} />
  }
  if (isAgreed) return <Message title={t(TEXT.opening)} text={delay && responseLines(delay).join(' ')} />
  return (
    <Message title={t(TEXT.takeOver)} text={t(TEXT.takeOverText, user?.name ?? '')}>
      <span className="row">
        <Button kind="main" label={t(TEXT.takeOverConfirm)} onClick={() => setAgreed(true)} />
        <Button label={t(TEXT.stay)} onClick={onDone} />
      </span>
    </Message>
  )
}

/**
 * Repeats an attempt while the hub cannot be reached, or is busy.
 * @param attempt resolves to a result code
 * @returns ends it
 */
function repeatUntilReached(attempt: (signal: AbortSignal) => Promise<number>): () => void {
  const abort = new AbortController()
  async function repeat(): Promise<void> {
    if (abort.signal.aborted) return
    const result = await attempt(abort.signal)
    if (isUnreachable(result) || result === IN_PROGRESS) setTimeout(repeat, RETRY_INTERVAL)
  }
  void repeat()
  return () => abort.abort()
}

/** Without a cached user: asks the hub, because the session of a display outlives the cache. */
function Resume() {
  const [result, setResult] = useState<number>()
  useEffect(
    () =>
      repeatUntilReached(async (signal) => {
        const code = await resumeSession()
        if (!signal.aborted) setResult(code)
        return code
      }),
    []
  )
  if (result === undefined) return <Message title={t(TEXT.opening)} />
  if (isUnreachable(result)) return <Message title={t(TEXT.unreachable)} text={t(TEXT.retrying)} />
  return (
    <Message title={t(TEXT.ended)} text={t(TEXT.endedText)}>
      <a className="button" href={`#${loginLink(linkTo('wall'))}`}>
        {t(TEXT.signIn)}
      </a>
    </Message>
  )
}

const SignOutButton = () => <Button label={t(TEXT.signOut)} onClick={() => void signOut()} />

function Message({ title, text, children }: { title: string; text?: string | undefined; children?: ReactNode }) {
  return (
    <main className="wall" role="alert">
      <h1 className="unseen">{t(TEXT.title)}</h1>
      <EmptyState icon="dashboard" title={title} text={text}>
        {children}
      </EmptyState>
    </main>
  )
}
