// What the shapes of all requests are made of, and where they are found.
import * as z from 'zod'
import type { Call } from '../call.ts'
import { PORT_MAX } from '../limits.ts'
import type { Fault } from '../rules/rules.ts'

const shapes = new Map<Call, z.ZodType>()

export function shape<Request>(call: Call<Request, never> | Call<Request>, type: z.ZodType<Request>): void {
  shapes.set(call as Call, type)
}

/** The shape of a declared call's request. */
export function requestShape(call: Call): z.ZodType | undefined {
  return shapes.get(call)
}

/** Every call that has a request shape. */
export function declaredCalls(): Call[] {
  return [...shapes.keys()]
}

/** An issue that carries a fault. */
export function issueOf(fault: Fault) {
  return { code: 'custom', message: fault.name, params: { ...fault } } as const
}

/** Text under a rule of `rules.ts`. */
export function ruled(rule: (value: string) => Fault | undefined): z.ZodType<string> {
  // The rule first: of a text that is too long for all rules it says how long it may be.
  return z
    .string()
    .superRefine((value, context) => {
      const fault = rule(value)
      if (fault) context.addIssue(issueOf(fault))
    })
    .max(4096)
}

/** A whole number from `min` to `max`, whose fault names both. */
export function wholeNumber(min: number, max: number) {
  return z
    .int()
    .superRefine((value, context) => {
      if (value < min || value > max) context.addIssue(issueOf({ name: 'range', min, max }))
    })
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/**
 * What an answer says of an issue: the field, and the fault with its numbers where one is known. The shapes of zod know no faults; of those
 * only a field that is not there can be told.
 */
export function refusalOf(issue: z.core.$ZodIssue, request: unknown): { field?: string; fault?: string } {
  const field = issue.path.filter((part) => typeof part === 'string').join('.')
  const value = issue.path.reduce((at, part) => (at as Record<PropertyKey, unknown> | undefined)?.[part], request)
  const params = issue.code === 'custom' ? issue.params : undefined
  const { name: fault, ...numbers } = (params ?? (value === undefined ? { name: 'required' } : {})) as Partial<Fault>
  return { ...(field && { field }), ...(fault && { fault }), ...numbers }
}

export const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const ids = z.union([id, z.array(id).min(1).max(1000)])
export const md5 = z.string().regex(/^[0-9a-f]{32}$/)
export const serial = z.string().regex(/^[\w-]{1,64}$/)
export const serials = z.object({ sn: z.array(serial).min(1).max(1000) })
/** An unsigned 32-bit mask. */
export const mask = z.int().min(0).max(4294967295)
export const port = wholeNumber(1, PORT_MAX)
/** No control characters: a login of an output ends up in the arguments of a process. */
export const text = z
  .string()
  .max(256)
  .regex(/^\P{Cc}*$/u)

/** A whole number in a query. Empty text is not 0. */
export function queryNumber(min: number, max: number) {
  return z
    .union([
      z.int(),
      z
        .string()
        .regex(/^-?\d{1,16}$/)
        .transform(Number)
    ])
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max })
    .optional()
}

export const nothing = z.object({})
export const page = { start: queryNumber(0, 1e9), count: queryNumber(0, 10_000) }
export const order = z.enum(['ascending', 'descending']).optional()
export const since = queryNumber(0, Number.MAX_SAFE_INTEGER)
export const mark = z.string().max(64).optional()
