// Checks the answers of a hub against the schemas of their calls.
import { isDeepStrictEqual } from 'node:util'
import type { Call, Envelope } from '../../../contract/call.ts'
import { schemaOf } from '../../../contract/calls.schema.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { Envelope as EnvelopeSchema } from '../../../contract/envelope.schema.ts'

/** Paths of the values that differ: fields without a declaration, and values that were converted. */
function differences(declared: unknown, actual: unknown, path = ''): string[] {
  if (isDeepStrictEqual(declared, actual)) return []
  if (typeof actual !== 'object' || actual === null || typeof declared !== 'object' || declared === null) return [path]
  return Object.entries(actual).flatMap(([name, value]) =>
    differences((declared as Record<string, unknown>)[name], value, `${path}.${name}`)
  )
}

/** What is wrong with the answer to a call: fields that are missing, have another type, or are not declared. */
export function answerFaults(call: Call, answer: Envelope): string[] {
  const schema = schemaOf(call)
  if (!schema || schema.content || answer.result !== SUCCESS) return []
  const { response } = schema
  const own = Object.entries(answer).filter(([name]) => !(name in EnvelopeSchema.shape))
  const fields = Object.fromEntries(own)
  if (!response) return Object.keys(fields).map((name) => `${call.path} .${name}: not declared`)
  const parsed = response.safeParse(answer)
  if (!parsed.success)
    return parsed.error.issues.map((issue) => `${call.path} .${issue.path.join('.')}: ${issue.message}`)
  return differences(parsed.data, fields).map((path) => `${call.path} ${path}: not declared`)
}
