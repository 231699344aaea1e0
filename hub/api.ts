// From a request below /api to its answer: find the call, let the gate decide, read the request, run the handler, write the log.
import type { Call } from '../contract/call.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS, UNKNOWN_ERROR, UNSUPPORTED } from '../contract/codes.ts'
import { requestShape } from '../contract/requests.ts'
import { type Answer, type Context, Refusal } from './answer.ts'
import type { Caller, Gate } from './gate.ts'
import type { Store } from './store/store.ts'

/** Bytes of a JSON request. The largest honest one, a thousand serials, has 40 KB. */
export const BODY_MAX = 1 << 20

/** What the server knows of a connection. */
export interface Peer {
  address: string
  secure: boolean
}

const JSON_HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' }

export function jsonAnswer(body: object, status = 200, headers?: Headers): Response {
  const all = new Headers(headers)
  for (const [name, value] of Object.entries(JSON_HEADERS)) all.set(name, value)
  return new Response(JSON.stringify(body), { status, headers: all })
}

function httpError(status: number, result: number): Response {
  return jsonAnswer({ result }, status)
}

/** The body's text, or undefined when it is larger than `max` bytes. Stops reading there. */
export async function bodyText(request: Request, max: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > max) return undefined
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > max) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The request's fields, or the Response that refuses it. */
async function fieldsOf(request: Request, url: URL): Promise<object | Response> {
  if (request.method === 'GET') return Object.fromEntries(url.searchParams)
  const text = await bodyText(request, BODY_MAX)
  if (text === undefined) return httpError(413, INVALID_ARG)
  // An empty body is fine for calls that take nothing (logout). Anything else must say that it is JSON, which a form
  // of another site cannot.
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return httpError(415, INVALID_ARG)
  try {
    const fields = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields
  } catch {}
  return jsonAnswer({ result: INVALID_ARG })
}

/** Whether a change comes from a page of this hub. Absent headers are no browser's: cookies of a browser never come without. */
export function sameOrigin(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return URL.canParse(origin) && new URL(origin).host === (request.headers.get('host') ?? url.host)
  const site = request.headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** Answers requests whose path starts with `/api`. */
export function createApi(store: Store, gate: Gate, answers: readonly Answer[]) {
  const table = new Map<string, Answer>()
  const paths = new Set<string>()
  for (const answer of answers) {
    const key = `${answer.call.method} /api${answer.call.path}`
    if (table.has(key)) throw new Error(`two answers for ${key}`)
    table.set(key, answer)
    paths.add(`/api${answer.call.path}`)
  }

  function log(context: Context, call: Call, code: number): void {
    store.logs.addOperation({
      time: Date.now(),
      user: context.caller?.user.name ?? context.name ?? '',
      ip: context.address,
      event: call.path,
      detail: context.detail,
      code
    })
  }

  async function run({ call, read, prepare, change }: Answer, context: Context, request: never): Promise<object> {
    if (read) return read(context, request)
    if (!change) throw new Error(`nothing answers ${call.path}`)
    const effects: (() => void)[] = []
    context.after = (effect) => effects.push(effect)
    try {
      const prepared = (await prepare?.(context, request)) as never
      const reply = store.database.transaction(() => {
        const done = change(context, request, prepared)
        log(context, call, SUCCESS)
        return done
      })
      store.changes.bump('log')
      for (const effect of effects) {
        try {
          effect()
        } catch (error) {
          // The change is kept, and that is what was asked; the other effects of it must not be left out.
          console.error(`after ${call.path}:`, error)
        }
      }
      return reply
    } catch (error) {
      if (error instanceof Refusal && !error.silent) {
        log(context, call, error.code)
        store.changes.bump('log')
      }
      throw error
    }
  }

  return async function api(request: Request, peer: Peer, caller: Caller | undefined): Promise<Response> {
    const url = new URL(request.url)
    const found = table.get(`${request.method} ${url.pathname}`)
    if (!found) return paths.has(url.pathname) ? httpError(405, UNSUPPORTED) : httpError(404, UNSUPPORTED)
    if (!sameOrigin(request, url)) return httpError(403, NOT_PERMITTED)
    const refused = gate.check(found.call, caller)
    if (refused !== SUCCESS)
      return jsonAnswer({ result: refused, ...(caller?.mustChangePassword && { 'must-change-password': true }) })
    const fields = await fieldsOf(request, url)
    if (fields instanceof Response) return fields
    const parsed = requestShape(found.call)?.safeParse(fields)
    if (!parsed?.success) {
      const [issue] = parsed?.error.issues ?? []
      const field = issue?.path.filter((part) => typeof part === 'string').join('.')
      return jsonAnswer({
        result: INVALID_ARG,
        ...(field && { field }),
        ...(issue?.code === 'custom' && { fault: issue.message })
      })
    }
    const context: Context = {
      caller,
      address: peer.address,
      secure: peer.secure,
      headers: new Headers(),
      detail: '',
      after: (effect) => effect()
    }
    try {
      const reply = await run(found, context, parsed.data as never)
      if (reply instanceof Response) return reply
      return jsonAnswer({ result: SUCCESS, ...reply }, 200, context.headers)
    } catch (error) {
      if (error instanceof Refusal) return jsonAnswer({ result: error.code, ...error.extra }, 200, context.headers)
      console.error(`${found.call.path}:`, error)
      return httpError(500, UNKNOWN_ERROR)
    }
  }
}
