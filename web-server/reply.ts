// Responses of the hub with a complete body. They are cheaper than those of `fetch`, which streams use.

export type ReplyHeaders = Record<string, string | readonly string[]>

export interface Reply {
  readonly status: number
  /** By lower-case names. */
  readonly headers: ReplyHeaders
  /** Null: the response has no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

const JSON_HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' }

/**
 * A JSON response that must not be cached.
 * @param cookies Set-Cookie headers
 */
export function jsonReply(body: object, status = 200, cookies?: readonly string[]): Reply {
  const headers = cookies?.length ? { ...JSON_HEADERS, 'set-cookie': cookies } : JSON_HEADERS
  return { status, headers, body: JSON.stringify(body) }
}

/** A plain text response. */
export function textReply(text: string, status: number, headers?: ReplyHeaders): Reply {
  return { status, headers: { 'content-type': 'text/plain;charset=utf-8', ...headers }, body: text }
}

/** Adds headers that the response does not have. */
export function withHeaders<Answer extends Reply | Response>(answer: Answer, added: Readonly<Record<string, string>>) {
  if (!(answer instanceof Response)) return { ...answer, headers: { ...added, ...answer.headers } }
  for (const [name, value] of Object.entries(added)) if (!answer.headers.has(name)) answer.headers.set(name, value)
  return answer
}

/** Converts a reply into a response of `fetch`. */
export function toResponse(answer: Reply | Response): Response {
  if (answer instanceof Response) return answer
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each)
  return new Response(answer.body, { status: answer.status, headers })
}
