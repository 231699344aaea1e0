// What the declaration of a call consists of: the schemas of its request and response, and what the documents say
// about it.
import type * as z from 'zod'
import type { Translation } from './text/language.ts'

type Source = 'vendor' | 'family' | 'own'

/** Method of a call, and its path below `/api`: `GET /token/list`. */
export type CallKey = `${'GET' | 'POST'} /${string}`

export interface CallSchema {
  /** What the call does, in sentences. */
  summary: string
  /** Sentence of the call in the operation log. Calls that change nothing have none. */
  operation?: Translation
  /** The fields of the request. Unknown fields are removed; numbers in a query string are converted from text. */
  request: z.ZodType
  /** What the document says about the request as a whole. */
  requestNote?: string
  /** The fields of the response, besides those of every response (`Envelope`). Absent: there are no others. */
  response?: z.ZodType
  /** What the document says about the response as a whole. */
  responseNote?: string
  /** Media type of a response that is not JSON. */
  content?: string
  /** Result codes that the call itself returns, and why. */
  errors?: Readonly<Record<number, string>>
  /** What the document says about the errors as a whole. */
  errorsNote?: string
  /** Mark of the call, and what other marks apply to: 'vendor; own: `force`'. */
  source: Source | `${Source}; ${string}` | `${Source}: ${string}`
  /** Valid requests: the first one has the required fields only. */
  examples: readonly object[]
  /** An example of the response. Default: composed of the examples of its fields. */
  answer?: object
}

/** Declarations of calls. */
export type CallSchemas = Readonly<Record<CallKey, CallSchema>>
