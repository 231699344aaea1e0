// Errors as problem details (RFC 9457), for clients that ask for them: `Accept: application/problem+json`. All others
// get HTTP status 200 and the result code, as the vendor's documentation says.
import type { Envelope } from '../../contract/call.ts'
import { CODE_MEANINGS } from '../../contract/code-meanings.ts'
import { SUCCESS } from '../../contract/codes.ts'
import type { Reply } from '../../web-server/reply.ts'
import { codeText } from '../messages/codes.ts'
import type { Language } from '../messages/language.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Status of a code that is not one of the hub's own. */
const STATUS = { hub: 500, device: 502 } as const

/** Where the OpenAPI document describes a result code. */
export const PROBLEM_URI = '/api/openapi.json#/components/x-result-codes/'

/** Whether an Accept header names problem details. */
export function wantsProblems(accept: string | null): boolean {
  const types = (accept ?? '').toLowerCase().split(',')
  return types.some((each) => {
    const [type = '', ...parameters] = each.split(';').map((part) => part.trim())
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/** The HTTP status that goes with a result code. @param api the code is one of a device */
export function statusOfCode(code: number, api?: Envelope['api']): number {
  return api ? STATUS.device : (CODE_MEANINGS[code]?.status ?? STATUS.hub)
}

/**
 * The problem details of an error: its own fields, and those of RFC 9457.
 * @param instance path of the request
 */
export function problemOf(envelope: Envelope, status: number, language: Language, instance: string): object {
  const { result, message } = envelope
  const title = codeText(language, result)
  return {
    type: PROBLEM_URI + result,
    title,
    status,
    ...(message && { detail: message }),
    instance,
    ...envelope
  }
}

/** An error as problem details; a success as it is. */
export function withProblem(reply: Reply, language: Language, instance: string): Reply {
  const envelope = JSON.parse(String(reply.body)) as Envelope
  if (envelope.result === SUCCESS) return reply
  // The hub itself has refused the request with a status.
  const status = reply.status === 200 ? statusOfCode(envelope.result, envelope.api) : reply.status
  const headers = { ...reply.headers, 'content-type': `${PROBLEM_TYPE};charset=utf-8` }
  return { status, headers, body: JSON.stringify(problemOf(envelope, status, language, instance)) }
}
