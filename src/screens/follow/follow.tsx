import { useEffect, useState } from 'react'
import { redeemTicket } from '../../../contract/access/ticket.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { isUnreachable } from '../../link/failure.ts'
import { send } from '../../link/send.ts'
import { loginLink, returnPath } from '../../paths.ts'
import { navigate, setQuery, useQuery } from '../../state/location.ts'
import { applyNewSession } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { EmptyState } from '../../ui/placeholder.tsx'

const TEXT = {
  title: ['New address of the hub', '中控的新地址'],
  signIn: ['Sign in', '登录']
} as const

/** Title and text of each state. */
const STATES = {
  opening: [['Signing in at the new address', '正在新地址登录']],
  unreachable: [
    ['No connection to the hub', '与中控的连接已断开'],
    ['Retrying automatically', '正在自动重试']
  ],
  expired: [
    ['This link has expired', '此链接已失效'],
    [
      'It signs in once, within a short time after the change. Sign in with your password.',
      '该链接仅在更改后的短时间内有效，且只能登录一次。请使用密码登录。'
    ]
  ]
} as const satisfies Record<string, readonly [title: Translation, text?: Translation]>

/** Milliseconds between attempts to reach the hub. */
const RETRY_INTERVAL = 1000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Redeems a ticket; repeats that while the hub cannot be reached. @returns whether the session is open; undefined if
 * aborted
 */
async function redeem(ticket: string, signal: AbortSignal, onUnreachable: () => void): Promise<boolean | undefined> {
  while (!signal.aborted) {
    const response = await send(redeemTicket, { ticket })
    if (signal.aborted) return undefined
    if (response.result === SUCCESS) applyNewSession(response)
    if (!isUnreachable(response.result)) return response.result === SUCCESS
    onUnreachable()
    await pause(RETRY_INTERVAL)
  }
  return undefined
}

export function FollowScreen() {
  const query = useQuery()
  const [{ ticket, to }] = useState({ ticket: query.get('ticket') ?? '', to: returnPath(query.get('to')) })
  const [state, setState] = useState<keyof typeof STATES>('opening')
  useEffect(() => {
    // Without a ticket, for example after a reload, there is nothing to exchange.
    if (!ticket) return navigate(to, { replace: true })
    const abort = new AbortController()
    // The ticket stays neither in the address bar nor in the history.
    setQuery({ ticket: undefined })
    void redeem(ticket, abort.signal, () => setState('unreachable')).then((isOpen) => {
      if (isOpen === true) navigate(to, { replace: true })
      else if (isOpen === false) setState('expired')
    })
    return () => abort.abort()
  }, [ticket, to])
  const [title, text]: readonly [Translation, Translation?] = STATES[state]
  return (
    <main className="wall" role="alert">
      <h1 className="unseen">{t(TEXT.title)}</h1>
      <EmptyState icon="certificate" title={t(title)} text={text && t(text)}>
        {state === 'expired' && (
          <a className="button" href={`#${loginLink(to)}`}>
            {t(TEXT.signIn)}
          </a>
        )}
      </EmptyState>
    </main>
  )
}
