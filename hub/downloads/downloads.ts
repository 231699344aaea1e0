// Downloads by ticket: the kinds of files, the tickets, and the downloads that run.

import type { Call } from '../../contract/call.ts'
import { NOT_EXIST, REAUTHENTICATION_REQUIRED, SUCCESS, TRY_AGAIN, UNSUPPORTED } from '../../contract/codes.ts'
import {
  DOWNLOADS_MAX,
  type DownloadKind,
  type DownloadOptions,
  type DownloadRequest,
  type DownloadTicket,
  downloadFile
} from '../../contract/file/download.ts'
import type { Caller, Gate } from '../auth/gate.ts'
import { CallError } from '../http/handler.ts'
import type { Language } from '../messages/language.ts'
import type { RangeHeaders } from './byte-range.ts'
import { attachment } from './content-disposition.ts'
import { type DownloadFile, fileResponse } from './file-response.ts'
import { type StoppableStream, stoppableStream } from './stoppable-stream.ts'
import { DownloadTickets, type Grant, TICKET_LIFETIME } from './tickets.ts'

/** For whom a file is made. */
export interface Requester {
  caller: Caller
  language: Language
}

/** How the hub provides one kind of file. */
export interface FileProvider<Options> {
  /**
   * The call whose declaration says who may have the file. `reauthenticate` counts when the ticket is issued. A call
   * that answers with the same file is this one, so that neither way asks for less than the other.
   */
  call: Pick<Call, 'access' | 'reauthenticate'>
  /** The file for the operation log, without secrets. */
  describe(options: Options): string
  /** Checks a request for a ticket. @throws CallError if there is no such file, or the requester may not have it */
  check?(requester: Requester, options: Options): void | Promise<void>
  /** Opens the file, for each download again. @throws CallError as `check` */
  open(requester: Requester, options: Options): DownloadFile | Promise<DownloadFile>
}

interface RequestedFile {
  request: DownloadRequest
  language: Language
}

interface RunningDownload {
  grant: Grant<RequestedFile>
  stop: StoppableStream['stop']
}

export class Downloads {
  readonly #gate: Pick<Gate, 'callerOfSession' | 'checkPermission'>
  readonly #tickets: DownloadTickets<RequestedFile>
  readonly #providers = new Map<DownloadKind, FileProvider<DownloadRequest>>()
  readonly #running = new Set<RunningDownload>()

  /** @param now milliseconds of a monotonic clock */
  constructor(gate: Pick<Gate, 'callerOfSession' | 'checkPermission'>, now?: () => number) {
    this.#gate = gate
    this.#tickets = new DownloadTickets(now)
  }

  register<Kind extends DownloadKind>(kind: Kind, provider: FileProvider<DownloadOptions[Kind]>): void {
    this.#providers.set(kind, provider as unknown as FileProvider<DownloadRequest>)
  }

  describe(request: DownloadRequest): string {
    return this.#providers.get(request.kind)?.describe(request) ?? request.kind
  }

  /** @throws CallError 31 or 1100 if the requester may not have the file, and those of the kind */
  async issue(requester: Requester, request: DownloadRequest): Promise<DownloadTicket> {
    const { caller, language } = requester
    const provider = this.#providers.get(request.kind)
    if (!provider) throw new CallError(UNSUPPORTED)
    const denied = this.#gate.checkPermission(provider.call as Call, caller)
    if (denied !== SUCCESS) throw new CallError(denied)
    await provider.check?.(requester, request)
    const { session, user } = caller
    const ticket = this.#tickets.issue({ session, userId: user.id, file: { request, language } })
    return { ticket, url: `/api${downloadFile.path}?ticket=${ticket}`, 'expires-s': TICKET_LIFETIME / 1000 }
  }

  /**
   * The response with the file of a ticket, or with the reason why there is none.
   * @param presented the caller whose cookie or token the request has; a ticket of another user is refused
   */
  async serve(secret: string, range: RangeHeaders, presented: Caller | undefined): Promise<Response> {
    const grant = this.#tickets.find(secret)
    const caller = grant && this.#permittedCaller(grant)
    if (!grant || !caller || (presented && presented.user.id !== grant.userId)) return refusal(404, NOT_EXIST)
    const own = [...this.#running].filter((running) => running.grant.userId === grant.userId)
    if (own.length >= DOWNLOADS_MAX) return refusal(429, TRY_AGAIN)
    const running: RunningDownload = { grant, stop() {} }
    const end = () => void this.#running.delete(running)
    this.#running.add(running)
    try {
      const { request, language } = grant.file
      const file = await this.#providerOf(request).open({ caller, language }, request)
      // Until here the download could not be stopped.
      if (!this.#permittedCaller(grant)) throw new CallError(NOT_EXIST)
      const response = fileResponse(file, range)
      if (!response.body) end()
      if (!response.body) return response
      const { stream, stop } = stoppableStream(response.body, end)
      running.stop = stop
      return new Response(stream, response)
    } catch (error) {
      end()
      if (error instanceof CallError) return refusal(404, error.code)
      throw error
    }
  }

  /** Ends the tickets and the downloads of sessions and tokens that have ended or lost the permission. */
  recheckAccess(): void {
    const hasEnded = (grant: Grant<RequestedFile>) => !this.#permittedCaller(grant)
    this.#tickets.removeWhere(hasEnded)
    for (const { grant, stop } of this.#running) if (hasEnded(grant)) stop()
  }

  close(): void {
    for (const { stop } of this.#running) stop()
  }

  #permittedCaller({ session, userId, file }: Grant<RequestedFile>): Caller | undefined {
    const caller = this.#gate.callerOfSession(session)
    if (caller?.user.id !== userId) return undefined
    const denied = this.#gate.checkPermission(this.#providerOf(file.request).call as Call, caller)
    return denied === SUCCESS || denied === REAUTHENTICATION_REQUIRED ? caller : undefined
  }

  #providerOf({ kind }: DownloadRequest): FileProvider<DownloadRequest> {
    const provider = this.#providers.get(kind)
    if (!provider) throw new Error(`Nothing provides files of the kind ${kind}`)
    return provider
  }
}

/** An attachment, so that a browser stays on the page that has the link. */
function refusal(status: number, result: number): Response {
  return new Response(JSON.stringify({ result }), {
    status,
    headers: {
      'content-type': 'application/json;charset=utf-8',
      'content-disposition': attachment('error.json'),
      'cache-control': 'no-store'
    }
  })
}
