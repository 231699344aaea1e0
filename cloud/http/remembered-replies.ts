// Responses to reads while the database does not answer: the last response to the same caller, with its time. The node
// refuses changes meanwhile.
import { STALE_HEADER } from '../../contract/cloud/calls.ts'
import { NOT_LOGGED_IN, TRY_AGAIN, WRITE_FAILED } from '../../contract/codes.ts'
import { hashSecret, readBearerToken, readSessionSecrets } from '../../web-server/credentials.ts'
import { jsonReply, type Reply, withHeaders } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'

/** Milliseconds for which an answer counts: whether the session still exists cannot be asked. */
const REMEMBERED_FOR = 900_000
/** Callers, answers of each, and characters of one and of all. */
const CALLERS_MAX = 1000
const REPLIES_MAX = 50
const REPLY_MAX = 512 << 10
const TOTAL_MAX = 32 << 20

interface Remembered {
  reply: Reply
  size: number
  /** Milliseconds since the epoch, and on a clock that never jumps. */
  time: number
  at: number
}

/** Says that the database does not answer. */
export const databaseRefusal = (isRead: boolean, now: number): Reply =>
  withHeaders(isRead ? jsonReply({ result: TRY_AGAIN }, 503) : jsonReply({ result: WRITE_FAILED }), {
    [STALE_HEADER]: String(now)
  })

export class RememberedReplies {
  readonly #now: () => number
  /** By the credentials of the caller, and by path and query. The least recently used caller is first. */
  readonly #callers = new Map<string, Map<string, Remembered>>()
  #total = 0

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Stores the response to a read. A response `NOT_LOGGED_IN` removes all stored responses of the caller. */
  add(request: HubRequest, reply: Reply): void {
    const caller = callerOf(request)
    const { body } = reply
    if (caller === undefined || typeof body !== 'string' || reply.status !== 200) return
    if (body.startsWith(`{"result":${NOT_LOGGED_IN}`)) return void this.#forget(caller)
    if (!body.startsWith('{"result":0') || body.length > REPLY_MAX) return
    const replies = this.#callers.get(caller) ?? new Map<string, Remembered>()
    this.#callers.delete(caller)
    this.#callers.set(caller, replies)
    const target = targetOf(request)
    this.#remove(replies, target)
    const [oldest] = replies.keys()
    if (oldest !== undefined && replies.size >= REPLIES_MAX) this.#remove(replies, oldest)
    replies.set(target, { reply, size: body.length, time: this.#now(), at: performance.now() })
    this.#total += body.length
    for (const each of this.#callers.keys())
      if (this.#callers.size > CALLERS_MAX || this.#total > TOTAL_MAX) this.#forget(each)
      else break
  }

  /** The answer that was given before, with its time. */
  find(request: HubRequest): Reply | undefined {
    const known = this.#callers.get(callerOf(request) ?? '')?.get(targetOf(request))
    if (!known || performance.now() - known.at > REMEMBERED_FOR) return undefined
    return withHeaders(known.reply, { [STALE_HEADER]: String(known.time) })
  }

  /** The caller has signed out. */
  forget(request: HubRequest): void {
    const caller = callerOf(request)
    if (caller !== undefined) this.#forget(caller)
  }

  #forget(caller: string): void {
    const replies = this.#callers.get(caller)
    this.#callers.delete(caller)
    for (const target of [...(replies?.keys() ?? [])]) if (replies) this.#remove(replies, target)
  }

  #remove(replies: Map<string, Remembered>, target: string): void {
    this.#total -= replies.get(target)?.size ?? 0
    replies.delete(target)
  }
}

const targetOf = ({ path, search }: HubRequest) => path + search

/** The hash of what identifies the caller; undefined for a stranger. */
function callerOf({ headers }: HubRequest): string | undefined {
  const secrets = [readBearerToken(headers.get('authorization')) ?? readSessionSecrets(headers.get('cookie'))].flat()
  return secrets.length > 0 ? hashSecret(secrets.join(' ')) : undefined
}
