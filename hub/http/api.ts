// From a request below /api to its answer: find the call, let the gate decide, read the request, run the handler, write the log.
import type { Call } from '../../contract/call.ts'
import {
  DEVICE_ERROR,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  STATE_CHANGED,
  SUCCESS,
  UNKNOWN_ERROR,
  UNSUPPORTED
} from '../../contract/codes.ts'
import { LOG_FIELD } from '../../contract/log.ts'
import { GROUP_ADMIN } from '../../contract/permissions.ts'
import { refusalOf, requestShape } from '../../contract/requests.ts'
import type { Caller, Gate } from '../auth/gate.ts'
import { languageOf } from '../messages/language.ts'
import { operationName } from '../messages/operations.ts'
import { withMessage } from '../messages/response-messages.ts'
import type { Store } from '../store/store.ts'
import { type Answer, type Context, Refusal } from './handler.ts'
import { mayCall } from './origin.ts'

/** Bytes of a JSON request. The largest honest one, a thousand serials, has 40 KB. */
export const BODY_MAX = 1 << 20

/** Characters of a User-Agent header that are worth keeping. */
const AGENT_MAX = 128

/** Characters of a line's detail that is made of numbers. */
const DETAIL_MAX = 1000

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

  function write(context: Context, call: Call, code: number): void {
    const written = store.logs.addOperation({
      time: Date.now(),
      user: context.caller?.user.name ?? context.name ?? '',
      ip: context.address,
      event: call.path,
      detail: context.detail,
      code,
      objects: context.objects,
      nobody: !context.caller && code !== SUCCESS
    })
    if (written) context.after(() => store.changes.bump('log'))
  }

  /** Writes down that a call was refused. Calls that only read leave no line. */
  function refused(context: Context, { call, read }: Answer, code: number, field?: string): void {
    if (read) return
    // Of what is not there nothing but its number is known.
    context.detail ||= context.objects
      .map((object) => object.slice(object.indexOf(':') + 1))
      .join(', ')
      .slice(0, DETAIL_MAX)
    if (field) context.detail = `${context.detail} ${LOG_FIELD}${field}`.trim()
    context.after = (effect) => effect()
    store.database.transaction(() => write(context, call, code))
  }

  /** Runs what a kept change sets in motion. */
  function settle(call: Call, effects: readonly (() => void)[]): void {
    for (const effect of effects) {
      try {
        effect()
      } catch (error) {
        // The change is kept, and that is what was asked; the other effects of it must not be left out.
        console.error(`after ${call.path}:`, error)
      }
    }
  }

  async function run({ call, read, prepare, change }: Answer, context: Context, request: never): Promise<object> {
    if (read) return read(context, request)
    if (!change) throw new Error(`nothing answers ${call.path}`)
    const effects: (() => void)[] = []
    context.after = (effect) => effects.push(effect)
    const prepared = (await prepare?.(context, request)) as never
    if (prepare && context.caller) {
      // While that was prepared the session may have ended, or its user lost the right.
      const now = gate.session(context.caller.session)
      const denied = gate.check(call, now)
      if (denied !== SUCCESS) throw new Refusal(denied)
      context.caller = now
    }
    const reply = store.database.transaction(() => {
      const done = change(context, request, prepared)
      write(context, call, SUCCESS)
      return done
    })
    settle(call, effects)
    return reply
  }

  /** Who last changed what was not there, or not as the caller took it to be: as far as the caller may know of it. */
  function changedBy({ caller, objects, language }: Context, code: number) {
    if (!caller || (code !== NOT_EXIST && code !== STATE_CHANGED)) return undefined
    for (const object of objects.toReversed()) {
      const [kind, sn = ''] = object.split(':')
      const device = kind === 'device' ? store.devices.bySerial(sn) : undefined
      // Of a device that is gone nobody can tell any more who could see it.
      if (kind === 'device' && caller.user.type !== GROUP_ADMIN && !(device && gate.seesDevice(caller, device)))
        continue
      const by = store.logs.changedBy(object)
      if (by) return { ...by, what: operationName(language, by.event) }
    }
    return undefined
  }

  async function api(request: Request, peer: Peer, caller: Caller | undefined): Promise<Response> {
    const url = new URL(request.url)
    const found = table.get(`${request.method} ${url.pathname}`)
    if (!found) return paths.has(url.pathname) ? httpError(405, UNSUPPORTED) : httpError(404, UNSUPPORTED)
    const context: Context = {
      caller,
      address: peer.address,
      agent: (request.headers.get('user-agent') ?? '').replace(/\p{C}/gu, '').trim().slice(0, AGENT_MAX),
      language: languageOf(request.headers),
      secure: peer.secure,
      headers: new Headers(),
      detail: '',
      objects: [],
      after: (effect) => effect()
    }
    try {
      return await reply(found, context, request, url)
    } catch (error) {
      console.error(`${found.call.path}:`, error)
      try {
        refused(context, found, UNKNOWN_ERROR)
      } catch {
        // What could not be written may be just what went wrong.
      }
      return httpError(500, UNKNOWN_ERROR)
    }
  }

  async function reply(found: Answer, context: Context, request: Request, url: URL): Promise<Response> {
    const { caller } = context
    const host = request.headers.get('host') ?? url.host
    if (!mayCall(request.headers, host, !found.read && !caller?.byToken)) {
      refused(context, found, NOT_PERMITTED)
      return httpError(403, NOT_PERMITTED)
    }
    const denied = gate.check(found.call, caller)
    if (denied !== SUCCESS) {
      refused(context, found, denied)
      return jsonAnswer({ result: denied, ...(caller?.mustChangePassword && { 'must-change-password': true }) })
    }
    const { body } = found.call
    if (body) context.body = request
    const fields = body ? Object.fromEntries(url.searchParams) : await fieldsOf(request, url)
    if (fields instanceof Response) {
      refused(context, found, INVALID_ARG)
      return fields
    }
    const parsed = requestShape(found.call)?.safeParse(fields)
    if (!parsed?.success) {
      const [issue] = parsed?.error.issues ?? []
      const refusal = issue ? refusalOf(issue, fields) : {}
      refused(context, found, INVALID_ARG, refusal.field)
      return jsonAnswer({ result: INVALID_ARG, ...refusal })
    }
    try {
      const done = await run(found, context, parsed.data as never)
      if (done instanceof Response) return done
      return jsonAnswer(withMessage(context.language, { result: SUCCESS, ...done }), 200, context.headers)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, extra } = error
      // In the log a number has one meaning: what is a device's own stands in the line's detail.
      refused(context, found, extra.api === 'usapi' ? DEVICE_ERROR : code, extra.field)
      const by = changedBy(context, code)
      const answer = withMessage(context.language, { result: code, ...extra, ...(by && { by }) })
      return jsonAnswer(answer, 200, context.headers)
    }
  }

  return api
}
