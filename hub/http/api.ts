// Serves requests below /api: finds the handler, checks origin and permission, parses the request, runs the handler,
// and writes the operation log.

import { GROUP_ADMIN } from '../../contract/access/permissions.ts'
import { getSession } from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import { schemaOf } from '../../contract/calls.schema.ts'
import {
  INVALID_ARG,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  OFF_AIR,
  REAUTHENTICATION_REQUIRED,
  STATE_CHANGED,
  SUCCESS,
  UNKNOWN_ERROR,
  UNSUPPORTED
} from '../../contract/codes.ts'
import { describeIssues } from '../../contract/fields.schema.ts'
import { LOG_FIELD } from '../../contract/log.ts'
import { logger } from '../../process-log/logger.ts'
import { BodyError } from '../../web-server/body.ts'
import { readBearerToken } from '../../web-server/credentials.ts'
import { isCallAllowed } from '../../web-server/origin.ts'
import type { Peer } from '../../web-server/peer.ts'
import { jsonReply, type Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import { queryFields, readFields } from '../../web-server/request-fields.ts'
import { clearSessionCookies } from '../../web-server/session-cookies.ts'
import type { Caller, Gate } from '../auth/gate.ts'
import type { InterruptedChannel } from '../channels/off-air.ts'
import type { Language } from '../messages/language.ts'
import { logCode } from '../messages/log-entries.ts'
import { operationName } from '../messages/operations.ts'
import { addMessages } from '../messages/response-messages.ts'
import { FAULT_CODES, isEssential } from '../storage-fault/essential-calls.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'
import type { Store } from '../store/store.ts'
import type { TimelineRecorder } from '../timeline/timeline-recorder.ts'
import { CallContext } from './call-context.ts'
import {
  answerDryRun,
  type DryRun,
  DryRunEnd,
  endDryRun,
  isForceable,
  mergeInterrupted,
  type OffAirFinder,
  offAirFields,
  takeDryRun
} from './dry-run.ts'
import { CallError, type Context, type Handler } from './handler.ts'
import { wantsProblems, withProblem } from './problem-details.ts'

/** Maximum length, in characters, of a log detail that lists the ids of objects. */
const DETAIL_MAX = 1000

function httpError(status: number, result: number): Reply {
  return jsonReply({ result }, status)
}

/** Runs the effects of a committed change. */
async function runEffects(call: Call, effects: readonly (() => unknown)[]): Promise<void> {
  // The change is committed, so the call has succeeded, and the remaining effects must still run.
  const logFailure = (error: unknown) => logger.error('Effect of a call failed', error, { path: call.path })
  const pending: Promise<unknown>[] = []
  for (const effect of effects) {
    try {
      const result = effect()
      if (result instanceof Promise) pending.push(result.catch(logFailure))
    } catch (error) {
      logFailure(error)
    }
  }
  if (pending.length > 0) await Promise.all(pending)
}

/** @returns the error with which a call that changes something is refused now; undefined if it is possible */
export type RefuseChange = (call: Call, language: Language) => CallError | undefined

export interface ApiOptions {
  store: Store
  gate: Gate
  handlers: readonly Handler[]
  offAir: OffAirFinder
  timeline: Pick<TimelineRecorder, 'recordOperation'>
  /** Why a call that changes something is refused now; undefined if it is not. */
  refuseChange?: RefuseChange
}

/** Serves requests whose path starts with `/api`. */
class Api {
  readonly #store: Store
  readonly #gate: Gate
  readonly #refuseChange: RefuseChange
  readonly #offAir: OffAirFinder
  readonly #timeline: ApiOptions['timeline']
  /** Handlers by method and path, such as 'GET /api/session'. */
  readonly #handlers = new Map<string, Handler>()
  readonly #paths = new Set<string>()

  constructor({ store, gate, handlers, offAir, timeline, refuseChange = () => undefined }: ApiOptions) {
    this.#offAir = offAir
    this.#timeline = timeline
    this.#store = store
    this.#gate = gate
    this.#refuseChange = refuseChange
    for (const handler of handlers) {
      const key = `${handler.call.method} /api${handler.call.path}`
      if (this.#handlers.has(key)) throw new Error(`Two handlers are declared for ${key}`)
      this.#handlers.set(key, handler)
      this.#paths.add(`/api${handler.call.path}`)
    }
  }

  async handle(request: HubRequest, peer: Peer, caller: Caller | undefined): Promise<Reply | Response> {
    const context = new CallContext(request, peer, caller)
    const reply = await this.#handleCall(request, context)
    if (reply instanceof Response || !wantsProblems(request.headers.get('accept'))) return reply
    return withProblem(reply, context.language, request.path)
  }

  async #handleCall(request: HubRequest, context: CallContext): Promise<Reply | Response> {
    const { method, path } = request
    const handler = this.#handlers.get(`${method} ${path}`)
    if (!handler) return this.#paths.has(path) ? httpError(405, UNSUPPORTED) : httpError(404, UNSUPPORTED)
    try {
      return await this.#respond(handler, context, request)
    } catch (error) {
      return this.#respondWithFailure(handler, context, error)
    }
  }

  /** Checks and parses a request, then runs its handler. */
  async #respond(handler: Handler, context: CallContext, request: HubRequest): Promise<Reply | Response> {
    const { caller } = context
    const host = request.headers.get('host') ?? ''
    if (!isCallAllowed(request.headers, host, !handler.read && !caller?.byToken)) {
      this.#logFailure(context, handler, NOT_PERMITTED)
      return httpError(403, NOT_PERMITTED)
    }
    const denied = this.#gate.checkPermission(handler.call, caller)
    if (denied !== SUCCESS) {
      // The console asks for the password and repeats the call: nothing was refused for good.
      if (denied !== REAUTHENTICATION_REQUIRED) this.#logFailure(context, handler, denied)
      // Only in the response to one call, which a console makes at once when its session has ended: a late response to
      // any other one would delete the cookies of the sign-in after it. With a token the cookies did not count.
      const hasToken = readBearerToken(request.headers.get('authorization')) !== undefined
      if (denied === NOT_LOGGED_IN && handler.call === getSession && !hasToken)
        clearSessionCookies(context, request.headers.get('cookie'))
      const restrictions = {
        ...(caller?.mustChangePassword && { 'must-change-password': true }),
        ...(caller?.mustEnroll && { 'must-enroll': true })
      }
      return jsonReply({ result: denied, ...restrictions }, 200, context.headers.cookies)
    }
    const { body } = handler.call
    if (body) context.body = request
    const isInQuery = body !== undefined || request.method === 'GET'
    const fields = isInQuery ? queryFields(request.search) : await readFields(request, handler.call)
    if (typeof fields === 'number') {
      this.#logFailure(context, handler, INVALID_ARG)
      return httpError(fields, INVALID_ARG)
    }
    const parsed = schemaOf(handler.call)?.request.safeParse(fields)
    if (!parsed?.success) {
      const refusal = describeIssues(parsed?.error.issues ?? [], fields)
      this.#logFailure(context, handler, INVALID_ARG, refusal.field)
      return jsonReply({ result: INVALID_ARG, ...refusal })
    }
    try {
      const { request: asked, dryRun } = takeDryRun(handler.call, fields, parsed.data as object)
      const reply = dryRun
        ? await this.#runDry(handler, context, asked as never, dryRun)
        : await this.#run(handler, context, asked as never)
      if (reply instanceof Response) return reply
      return jsonReply(addMessages(context.language, { result: SUCCESS, ...reply }), 200, context.headers.cookies)
    } catch (error) {
      const fault = error instanceof CallError ? undefined : this.#store.database.noteStorageFault(error)
      if (fault) return this.#respondWithError(handler, context, new CallError(FAULT_CODES[fault]))
      if (!(error instanceof CallError)) throw error
      return this.#respondWithError(handler, context, error)
    }
  }

  #respondWithFailure(handler: Handler, context: CallContext, error: unknown): Reply {
    const refusedBody = error instanceof BodyError ? error : undefined
    // Clients abort requests all the time, so that is no error of the hub, and one short line.
    if (refusedBody) logger.info('Call refused', { call: handler.call.path, reason: refusedBody.message })
    else logger.error('Call failed', error, { call: handler.call.path })
    try {
      this.#logFailure(context, handler, refusedBody ? INVALID_ARG : UNKNOWN_ERROR)
    } catch {
      // The log may be the part that failed.
    }
    return refusedBody ? httpError(refusedBody.status, INVALID_ARG) : httpError(500, UNKNOWN_ERROR)
  }

  /**
   * Runs the handler and undoes its change, unless it was asked for and takes nothing off air. A refusal that `force`
   * overrides has the channels that the call then takes off air.
   */
  async #runDry(handler: Handler, context: CallContext, request: never, dryRun: DryRun): Promise<object> {
    // A refusal of a call that nobody has made is no line of the operation log.
    if (dryRun === 'always') context.isLogged = true
    const describe = ({ channels }: DryRunEnd) =>
      offAirFields({ store: this.#store, gate: this.#gate }, context.caller, channels)
    try {
      return await this.#run(handler, context, request, dryRun)
    } catch (error) {
      if (error instanceof DryRunEnd) return answerDryRun(dryRun, describe(error))
      if (!isForceable(error, request)) throw error
      const forced = { ...(request as object), force: true } as never
      const end = await this.#run(handler, context, forced, 'always').catch((end: unknown) => end)
      throw new CallError(error.code, { ...error.fields, ...(end instanceof DryRunEnd && describe(end)) })
    }
  }

  /**
   * Runs the handler. A change runs in one transaction with its line in the operation log.
   * @throws DryRunEnd at the end of a dry run
   */
  async #run(handler: Handler, context: CallContext, request: never, dryRun?: DryRun): Promise<object> {
    const { call, read, run, prepare, applyEffect } = handler
    if (read) return read(context, request)
    this.#requireChangeable(call, context)
    if (!isEssential(call)) this.#store.database.requireWritable()
    if (dryRun && handler.interruption?.isAlone?.(request)) {
      endDryRun(dryRun, this.#findInterrupted(handler, context, request))
      return this.#run(handler, context, request)
    }
    if (run) return run(context, request)
    const prepared = (await prepare?.(context, request)) as never
    // During `prepare` the replacement of the data may have begun.
    this.#requireChangeable(call, context)
    if (prepare && context.caller) {
      // During `prepare` the session may have ended, or its user may have lost the permission.
      const current = this.#gate.callerOfSession(context.caller.session)
      const denied = this.#gate.checkPermission(call, current)
      if (denied !== SUCCESS) throw new CallError(denied)
      context.caller = current
    }
    if (!applyEffect) return this.#change(handler, context, request, prepared, dryRun)
    if (dryRun) endDryRun(dryRun, this.#findInterrupted(handler, context, request, prepared))
    const applied = (await applyEffect(context, request, prepared)) as never
    this.#requireChangeable(call, context)
    return this.#change(handler, context, request, applied)
  }

  /** @throws CallError */
  #requireChangeable(call: Call, { language }: Context): void {
    const refusal = this.#refuseChange(call, language)
    if (refusal) throw refusal
  }

  /** Runs the change in a transaction. An essential one is repeated with the disk reserve if the disk is full. */
  async #change(
    handler: Handler,
    context: CallContext,
    request: never,
    prepared: never,
    dryRun?: DryRun
  ): Promise<object> {
    const { call, change, changeInMemory } = handler
    if (!change) throw new Error(`No handler is declared for ${call.path}`)
    let effects: (() => unknown)[] = []
    const { objects, detail } = context
    // A second attempt begins where the first one began.
    const reset = () => {
      effects = []
      context.headers.cookies.length = 0
      Object.assign(context, { objects: [...objects], detail })
    }
    context.afterCommit = (effect) => effects.push(effect)
    const attempt = () => {
      reset()
      const before = dryRun && this.#offAir.snapshot()
      const interrupted = dryRun ? this.#findInterrupted(handler, context, request, prepared) : []
      const result = change(context, request, prepared)
      if (dryRun && before) endDryRun(dryRun, mergeInterrupted(interrupted, this.#offAir.compare(before)))
      if (!context.isLogged) this.#logOperation(context, call, SUCCESS)
      this.#timeline.recordOperation({
        user: context.caller?.user.name ?? '',
        token: context.caller?.tokenName,
        path: call.path,
        objects: context.objects,
        detail: context.detail
      })
      return result
    }
    let reply: object
    try {
      reply = this.#store.database[isEssential(call) ? 'essentialTransaction' : 'transaction'](attempt)
    } catch (error) {
      if (!changeInMemory || !(error instanceof StorageFaultError)) throw error
      reset()
      reply = changeInMemory(context, request, prepared)
      this.#store.database.transactionOrLater(() => this.#logOperation(context, call, SUCCESS))
    }
    await runEffects(call, effects)
    return reply
  }

  /** What a call takes off air besides what its change of the store does. */
  #findInterrupted(
    { interruption }: Handler,
    context: CallContext,
    request: never,
    prepared?: unknown
  ): readonly InterruptedChannel[] {
    const found = interruption?.find(context, request, prepared)
    return found ? this.#offAir.find(found) : []
  }

  #respondWithError(handler: Handler, context: CallContext, { code, fields }: CallError): Reply {
    // As in `#respond`: the console asks whether the channels may go off air.
    if (code !== REAUTHENTICATION_REQUIRED && code !== OFF_AIR)
      this.#logFailure(context, handler, logCode(code, fields), fields.field)
    // A device's own code says nothing about objects of the hub.
    const by = fields.api || fields.reason ? undefined : this.#lastChange(context, code)
    const reply = addMessages(context.language, { result: code, ...fields, ...(by && { by }) })
    return jsonReply(reply, 200, context.headers.cookies)
  }

  #logOperation(context: Context, call: Call, code: number): void {
    const logged = this.#store.logs.addOperation({
      time: Date.now(),
      user: context.caller?.user.name ?? context.userName ?? '',
      token: context.caller?.tokenName,
      ip: context.address,
      event: call.path,
      detail: context.detail,
      code,
      objects: context.objects,
      anonymous: !context.caller && code !== SUCCESS
    })
    if (logged) context.afterCommit(() => this.#store.changes.markChanged('log'))
  }

  /** Logs a call that failed. Calls that only read are not logged. */
  #logFailure(context: Context, { call, read }: Handler, code: number, field?: string): void {
    if (read || context.isLogged) return
    // The names of objects that do not exist are not known, so the detail lists their ids.
    context.detail ||= context.objects
      .map((object) => object.slice(object.indexOf(':') + 1))
      .join(', ')
      .slice(0, DETAIL_MAX)
    if (field) context.detail = `${context.detail} ${LOG_FIELD}${field}`.trim()
    context.afterCommit = (effect) => effect()
    this.#store.database.transactionOrLater(() => this.#logOperation(context, call, code))
  }

  /**
   * The last logged change of an object that the call did not find, or found in another state than its caller expected.
   * Undefined for other result codes, and for objects that the caller may not see.
   */
  #lastChange({ caller, objects, language }: Context, code: number) {
    if (!caller || (code !== NOT_EXIST && code !== STATE_CHANGED)) return undefined
    const { devices, logs } = this.#store
    for (const object of objects.toReversed()) {
      const [kind, sn = ''] = object.split(':')
      const device = kind === 'device' ? devices.bySerial(sn) : undefined
      // The visibility of a deleted device is no longer known, so only administrators learn who deleted it.
      if (kind === 'device' && caller.user.type !== GROUP_ADMIN && !(device && this.#gate.canSeeDevice(caller, device)))
        continue
      // The visibility of a recording is that of its channel, which a deleted one does not name any more.
      if (kind === 'recording' && caller.user.type !== GROUP_ADMIN) continue
      if (kind === 'channel' && !this.#gate.canSeeChannel(caller, Number(sn))) continue
      if ((kind === 'input' || kind === 'output') && !this.#gate.sourcesVisibleTo(caller)(Number(sn))) continue
      const by = logs.changedBy(object)
      if (by) return { ...by, what: operationName(language, by.event) }
    }
    return undefined
  }
}

/**
 * Creates the function that serves requests whose path starts with `/api`.
 * @throws Error if two handlers are declared for one call
 */
export function createApi(options: ApiOptions) {
  const api = new Api(options)
  return (request: HubRequest, peer: Peer, caller: Caller | undefined): Promise<Reply | Response> =>
    api.handle(request, peer, caller)
}
