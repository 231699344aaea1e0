// Client of the hub's API for the demo set-up.
import { createHash } from 'node:crypto'
import { login } from '../contract/access/session.ts'
import type { Call, Envelope } from '../contract/call.ts'
import { SUCCESS } from '../contract/codes.ts'
import { REQUEST_TIMEOUT } from '../contract/limits.ts'

/** Milliseconds between attempts to sign in while no hub responds. */
const RETRY_INTERVAL = 300

/** The hub responded in an unexpected way. */
export class UnexpectedResponseError extends Error {}
/** The hub does not respond. */
export class UnreachableError extends Error {}

/** Creates a client that keeps the session cookies. */
export function createHubClient(hubUrl: string, signal: AbortSignal) {
  const cookies = new Map<string, string>()
  return async function send<Request, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope> {
    const get = call.method === 'GET'
    const query = get ? `?${new URLSearchParams(request as Record<string, string>)}` : ''
    let response: Response
    try {
      response = await fetch(`${hubUrl}/api${call.path}${query}`, {
        method: call.method,
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(!get && { 'content-type': 'application/json;charset=utf-8' })
        },
        ...(!get && { body: JSON.stringify(request) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)])
      })
    } catch {
      throw new UnreachableError(`no hub responds at ${hubUrl}`)
    }
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    const reply = (await response.json().catch(() => undefined)) as (Reply & Envelope) | undefined
    if (typeof reply?.result !== 'number')
      throw new UnexpectedResponseError(`${call.path} returned HTTP ${response.status}`)
    return reply
  }
}

export type Send = ReturnType<typeof createHubClient>

/** Sends a request that has to succeed. @throws UnexpectedResponseError */
export async function sendChecked<Request, Reply>(
  send: Send,
  call: Call<Request, Reply>,
  request: Request
): Promise<Reply> {
  const reply = await send(call, request)
  if (reply.result !== SUCCESS) throw new UnexpectedResponseError(`${call.path} returned ${reply.result}`)
  return reply
}

/** Signs in as the first user. Waits until the hub responds, for at most `timeout` milliseconds. */
export async function signIn(send: Send, signal: AbortSignal, timeout: number): Promise<void> {
  const pass = createHash('md5').update('Admin').digest('hex')
  const startedAt = Date.now()
  for (;;) {
    try {
      const { result } = await send(login, { id: 'Admin', pass })
      if (result !== SUCCESS) throw new UnexpectedResponseError(`the default password is no longer valid (${result})`)
      return
    } catch (error) {
      if (!(error instanceof UnreachableError) || signal.aborted || Date.now() - startedAt > timeout) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL))
  }
}
