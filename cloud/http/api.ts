// Serves requests below /api: finds the handler, checks origin and permission, parses the request, and runs the handler
// in one transaction with its line of the log.
import { isPermittedBeforeSetup } from '../../accounts/restrictions.ts'
import { mustReauthenticate } from '../../accounts/session-times.ts'
import { isTokenPermitted } from '../../accounts/token-access.ts'
import { isPermitted } from '../../contract/access/permissions.ts'
import { BACKGROUND_HEADER, logout } from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import { cloudSchemaOf } from '../../contract/cloud/calls.schema.ts'
import { login } from '../../contract/cloud/calls.ts'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import {
  INVALID_ARG,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SUCCESS,
  TRY_AGAIN,
  UNKNOWN_ERROR,
  UNSUPPORTED
} from '../../contract/codes.ts'
import { describeIssues } from '../../contract/fields.schema.ts'
import { LOG_MORE } from '../../contract/log.ts'
import { networkPrefix } from '../../contract/network-prefix.ts'
import type { Language } from '../../contract/text/language.ts'
import { logger } from '../../process-log/logger.ts'
import { createRateLimit, type RateLimit } from '../../process-log/rate-limit.ts'
import { ANONYMOUS_RATE } from '../../web-server/anonymous-rate.ts'
import { BodyError } from '../../web-server/body.ts'
import { CallError } from '../../web-server/call-error.ts'
import { hashSecret, type RequestHeaders, readBearerToken, readSessionSecrets } from '../../web-server/credentials.ts'
import { isLocalRequest } from '../../web-server/host-header.ts'
import { requestLanguage } from '../../web-server/language.ts'
import { isCallAllowed } from '../../web-server/origin.ts'
import type { Peer } from '../../web-server/peer.ts'
import { jsonReply, type Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import { queryFields, readFields } from '../../web-server/request-fields.ts'
import { type Caller, readCaller, readCallerByToken, readSessionKey, type SessionKey } from '../auth/sessions.ts'
import { addLogEntry } from '../store/log.ts'
import { isUnavailable } from '../store/postgres.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { Context, Handler } from './handler.ts'
import { databaseRefusal, RememberedReplies } from './remembered-replies.ts'

/** Characters of the User-Agent header that are kept. */
const USER_AGENT_MAX = 128
/** Session cookies of a request that are tried. */
const COOKIES_MAX = 8

interface ApiOptions {
  store: Store
  handlers: readonly Handler[]
  /** The organisation of a sign-in that names none. */
  defaultOrganisation: string
  /** Whether the database answers, as far as the node knows. */
  hasDatabase(): boolean
  now: () => number
}

/** Milliseconds since its last answer after which a database is not asked if nodes hear nothing of it. */
const LOST_AFTER = 1000

const isSignOut = ({ path }: Call) => path === logout.path

/** What identifies the caller of a request. */
interface CallerKey extends SessionKey {
  /** It is an access token. */
  isToken?: boolean
}

class CallContext implements Context {
  caller: Caller | undefined
  readonly organisation: string
  readonly address: string
  readonly secure: boolean
  readonly cookies: string[] = []
  readonly headers = { append: (_name: 'set-cookie', value: string): void => void this.cookies.push(value) }
  userName = ''
  detail = ''
  readonly effects: (() => void)[] = []
  readonly #requestHeaders: RequestHeaders

  constructor(organisation: string, { headers }: HubRequest, { address, secure }: Peer) {
    this.organisation = organisation
    this.address = address
    this.secure = secure
    this.#requestHeaders = headers
  }

  get host(): string | null {
    return this.#requestHeaders.get('host')
  }

  get cookie(): string | null {
    return this.#requestHeaders.get('cookie')
  }

  get userAgent(): string {
    return (this.#requestHeaders.get('user-agent') ?? '').replace(/\p{C}/gu, '').trim().slice(0, USER_AGENT_MAX)
  }

  get language(): Language {
    return requestLanguage(this.#requestHeaders)
  }

  /** Whether the console makes the request by itself, so that it does not extend the session. */
  get isBackground(): boolean {
    return this.#requestHeaders.get(BACKGROUND_HEADER) !== null
  }

  get mustChangePassword(): boolean {
    return this.caller?.defaultPassword === true && !isLocalRequest(this.address, this.host)
  }

  get isRestricted(): boolean {
    return this.mustChangePassword || this.caller?.mustEnroll === true
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect)
  }
}

export class Api {
  readonly #options: ApiOptions
  readonly #handlers: ReadonlyMap<string, Handler>
  readonly #paths: ReadonlySet<string>
  readonly #anonymousRate: RateLimit
  readonly #remembered: RememberedReplies
  /** When the database has answered a call. */
  #answeredAt = 0

  constructor(options: ApiOptions) {
    this.#options = options
    this.#remembered = new RememberedReplies(options.now)
    this.#anonymousRate = createRateLimit(ANONYMOUS_RATE.each, ANONYMOUS_RATE.all, options.now)
    const entries = options.handlers.map(
      (handler) => [`${handler.call.method} /api${handler.call.path}`, handler] as const
    )
    this.#handlers = new Map(entries)
    this.#paths = new Set(options.handlers.map(({ call }) => `/api${call.path}`))
  }

  /** @param session the session that calls; by default that of the cookies */
  async handle(request: HubRequest, peer: Peer, session?: SessionKey): Promise<Reply> {
    const handler = this.#handlers.get(`${request.method} ${request.path}`)
    if (!handler) return jsonReply({ result: UNSUPPORTED }, this.#paths.has(request.path) ? 405 : 404)
    const { hasDatabase, now } = this.#options
    const isRead = handler.call.method === 'GET'
    // A query fails only after seconds if the database cannot be reached, so stored responses are sent without a query.
    const isLost = !hasDatabase() && performance.now() - this.#answeredAt > LOST_AFTER
    const known = isRead && isLost ? this.#remembered.find(request) : undefined
    if (known) return known
    try {
      const reply = await this.#respond(handler, request, peer, session)
      this.#answeredAt = performance.now()
      if (isRead && handler.call.access !== 'public') this.#remembered.add(request, reply)
      else if (isSignOut(handler.call)) this.#remembered.forget(request)
      return reply
    } catch (error) {
      if (error instanceof BodyError) return jsonReply({ result: INVALID_ARG }, error.status)
      if (isUnavailable(error)) {
        logger.warn('The database does not answer', { call: handler.call.path, reason: (error as Error).message })
        return (isRead && this.#remembered.find(request)) || databaseRefusal(isRead, now())
      }
      logger.error('Call failed', error, { call: handler.call.path })
      return jsonReply({ result: UNKNOWN_ERROR }, 500)
    }
  }

  async #respond(
    { call, ...handler }: Handler,
    request: HubRequest,
    peer: Peer,
    session: SessionKey | undefined
  ): Promise<Reply> {
    const isWrite = call.method === 'POST'
    if (!isCallAllowed(request.headers, request.headers.get('host') ?? '', isWrite))
      return jsonReply({ result: NOT_PERMITTED }, 403)
    const fields = isWrite ? await readFields(request, call) : queryFields(request.search)
    if (typeof fields === 'number') return jsonReply({ result: INVALID_ARG }, fields)
    const key = session ?? (await this.#chooseSession(request))
    const organisation = call.access === 'public' ? this.#organisationOf(fields) : key?.organisation
    if (organisation === undefined) return jsonReply({ result: NOT_LOGGED_IN })
    const context = new CallContext(organisation, request, peer)
    try {
      const answer = await this.#run({ call, ...handler }, context, fields, key)
      if (context.caller) peer.admit?.()
      for (const effect of context.effects) effect()
      return jsonReply({ result: SUCCESS, ...answer }, 200, context.cookies)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (isWrite) await this.#logRefusal(context, call, error.code)
      return jsonReply({ result: error.code, ...error.fields })
    }
  }

  /**
   * The access token or session of a request. A page at another port of this host can set a cookie of this name for
   * some paths, which then precedes ours, but not a valid one.
   */
  async #chooseSession({ headers }: HubRequest): Promise<CallerKey | undefined> {
    // A token takes precedence over cookies, even if it is invalid.
    const token = readBearerToken(headers.get('authorization'))
    if (token !== undefined) {
      const hash = hashSecret(token)
      const organisation = await this.#options.store.organisationOfToken(hash)
      return organisation === undefined ? undefined : { organisation, hash, isToken: true }
    }
    const secrets = readSessionSecrets(headers.get('cookie')).slice(0, COOKIES_MAX)
    const keys = secrets.flatMap((value) => readSessionKey(value) ?? [])
    if (keys.length <= 1) return keys[0]
    for (const key of keys) {
      const use = { now: this.#options.now(), address: '', extends: false }
      if (await this.#options.store.within(key.organisation, (scope) => readCaller(scope, key.hash, use))) return key
    }
    return undefined
  }

  #organisationOf(fields: object): string {
    const { organisation } = fields as { organisation?: unknown }
    const isName = typeof organisation === 'string' && ORGANISATION_NAME.test(organisation)
    return isName ? organisation : this.#options.defaultOrganisation
  }

  async #run(handler: Handler, context: CallContext, fields: object, key: CallerKey | undefined): Promise<object> {
    const { call, prepare, run } = handler
    const within = <Result>(work: (scope: Scope) => Promise<Result>) =>
      this.#options.store.within(context.organisation, async (scope) => {
        // The permission comes before the fields, so that a stranger does not learn how a call is made.
        if (call.access !== 'public') await this.#admit(scope, context, call, key)
        return work(scope)
      })
    const finish = async (scope: Scope, request: unknown, prepared?: unknown) => {
      const answer = await run(context, scope, request as never, prepared as never)
      const entry = { ...entryOf(context, call), time: this.#options.now(), result: SUCCESS }
      if (call.method === 'POST') await addLogEntry(scope, entry)
      return answer
    }
    if (!prepare) return within((scope) => finish(scope, parseFields(call, fields)))
    const request = await within(async () => parseFields(call, fields))
    const prepared = await prepare(context, request as never)
    return within((scope) => finish(scope, request, prepared))
  }

  /** @throws CallError if the call is not permitted */
  async #admit(scope: Scope, context: CallContext, call: Call, key: CallerKey | undefined): Promise<void> {
    const now = this.#options.now()
    const use = { now, address: context.address, extends: !context.isBackground }
    const read = key?.isToken ? readCallerByToken : readCaller
    const caller = key && (await read(scope, key.hash, use))
    if (!caller) throw new CallError(NOT_LOGGED_IN)
    context.caller = caller
    const { mustChangePassword } = context
    if (context.isRestricted && !isPermittedBeforeSetup(call, mustChangePassword))
      throw new CallError(NOT_PERMITTED, mustChangePassword ? { 'must-change-password': true } : {})
    if (caller.scopes && !isTokenPermitted(call, caller.scopes)) throw new CallError(NOT_PERMITTED)
    if (!isPermitted(call.access, caller.user)) throw new CallError(NOT_PERMITTED)
    if (call.reauthenticate && mustReauthenticate(caller.authenticatedAt, now))
      throw new CallError(REAUTHENTICATION_REQUIRED)
  }

  /** A refusal of an organisation that does not exist, or before anybody has signed in, has no line. */
  async #logRefusal(context: CallContext, call: Call, code: number): Promise<void> {
    const isAnonymous = context.caller === undefined
    if (isAnonymous && (call !== (login as Call) || code === TRY_AGAIN)) return
    const { store, now } = this.#options
    await store.within(context.organisation, async (scope) => {
      const exists = await scope.select('organisations').select('created').executeTakeFirst()
      const verdict = !exists
        ? 'drop'
        : isAnonymous
          ? this.#anonymousRate.take(networkPrefix(context.address))
          : 'write'
      if (verdict === 'drop') return
      if (verdict === 'last') context.detail = `${context.detail} ${LOG_MORE}`.trim()
      await addLogEntry(scope, { ...entryOf(context, call), time: now(), result: code })
    })
  }
}

const entryOf = ({ caller, userName, address, detail }: CallContext, call: Call) => ({
  user_name: caller?.user.name ?? userName,
  token: caller?.tokenName ?? '',
  address,
  event: call.path,
  detail
})

/** @throws CallError 7 */
function parseFields(call: Call, fields: object): unknown {
  const { data, error } = cloudSchemaOf(call)?.request.safeParse(fields) ?? {}
  if (data !== undefined) return data
  throw new CallError(INVALID_ARG, describeIssues(error?.issues ?? [], fields))
}
