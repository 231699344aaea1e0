// Schemas of fields that several calls have, and the marks of a field's source.
import * as z from 'zod'
import { PORT_MAX } from './limits.ts'
import type { Fault } from './rules/rules.ts'

/** Metadata of a field that the vendor's documentation of its hub describes. @param exceptions such as `own: range` */
export const vendor = (description: string, exceptions = '') => sourced('vendor', description, exceptions)
/** Metadata of a field that the documentation of another product of the vendor describes. */
export const family = (description: string, exceptions = '') => sourced('family', description, exceptions)
/** Metadata of a field of this project. */
export const own = (description: string) => sourced('own', description, '')

function sourced(source: string, description: string, exceptions: string) {
  return { description, source: exceptions ? `${source}; ${exceptions}` : source }
}

/** A zod issue for a fault. */
export function faultIssue(fault: Fault) {
  return { code: 'custom', message: fault.name, params: { ...fault } } as const
}

/** Text that must satisfy a rule of `contract/rules`. */
export function textRule(rule: (value: string) => Fault | undefined): z.ZodType<string> {
  // The rule comes first, so that the fault of a text that is too long has the limit of the rule.
  return z
    .string()
    .superRefine((value, context) => {
      const fault = rule(value)
      if (fault) context.addIssue(faultIssue(fault))
    })
    .max(4096)
}

/** A whole number from `min` to `max`. The fault includes both. */
export function wholeNumber(min: number, max: number) {
  return z
    .int()
    .superRefine((value, context) => {
      if (value < min || value > max) context.addIssue(faultIssue({ name: 'range', min, max }))
    })
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/**
 * Converts a zod issue into the fields of a response (`Envelope`): the path of the field, and the fault with its
 * numbers. Issues of zod's own checks have no fault, except that a missing value is `required`.
 */
function describeIssue(issue: z.core.$ZodIssue, request: unknown): { field?: string; fault?: string } {
  const field = issue.path.filter((part) => typeof part === 'string').join('.')
  const value = issue.path.reduce(
    (current, part) => (current as Record<PropertyKey, unknown> | undefined)?.[part],
    request
  )
  const params = issue.code === 'custom' ? issue.params : undefined
  const { name: fault, ...numbers } = (params ?? (value === undefined ? { name: 'required' } : {})) as Partial<Fault>
  return { ...(field && { field }), ...(fault && { fault }), ...numbers }
}

/** Further invalid fields that a response names, at most. */
const ALSO_MAX = 20

/** The first issue of a request as fields of a response, and with `also` those of further fields. */
export function describeIssues([first, ...further]: readonly z.core.$ZodIssue[], request: unknown) {
  if (!first) return {}
  const described = describeIssue(first, request)
  const also = further
    .slice(0, ALSO_MAX)
    .map((issue) => describeIssue(issue, request))
    .filter(({ field }) => field !== undefined && field !== described.field)
  return { ...described, ...(also.length > 0 && { also }) }
}

export const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const ids = z.union([id, z.array(id).min(1).max(1000)])
/** Response of a call that moves objects to the trash. */
export const trashed = z.object({
  trash: z.array(z.int()).meta(own('Ids of the entries in the [trash](#trash)'))
})
export const md5 = z.string().regex(/^[0-9a-f]{32}$/)
/** A code of an authenticator app or a recovery code, with or without spaces and hyphens. */
export const secondFactorCode = z.string().regex(/^[\w -]{6,40}$/)
export const serial = z.string().regex(/^[\w-]{1,64}$/)
export const serials = z.object({ sn: z.array(serial).min(1).max(1000).describe('up to 1000 in an array') })
/** An unsigned 32-bit mask. */
export const mask = z.int().min(0).max(4294967295)
export const port = wholeNumber(1, PORT_MAX)
/** Text without control characters: the login of an output becomes an argument of a process. */
export const text = z
  .string()
  .max(256)
  .regex(/^\P{Cc}*$/u)

/** An optional whole number in a query string. Empty text is invalid, not 0. */
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

/** Milliseconds since the epoch. */
export const time = z.int().min(0)

/** A required id in a query string. */
export const queryId = queryNumber(0, Number.MAX_SAFE_INTEGER).unwrap()

export const emptyRequest = z.object({})
export const page = { start: queryNumber(0, 1e9), count: queryNumber(0, 10_000) }
export const order = z.enum(['ascending', 'descending']).optional()
export const since = queryNumber(0, Number.MAX_SAFE_INTEGER)
export const mark = z.string().max(64).optional()
/** Fields with which a list is requested as a delta. */
export const delta = { since, mark }

/** The response of a list call (`ListResponse`). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    start: z.int().meta({ ...vendor('Index of the first item'), example: 0 }),
    total: z.int().meta(vendor('Number of all matching items')),
    list: z.array(item).meta(vendor('The items of the page')),
    rev: z
      .int()
      .optional()
      .meta({ ...own('Revision of this response. Absent: the list has no deltas'), example: 1_795_846_013_071 }),
    partial: z.boolean().optional().meta(own('`true`: `list` has only the items that changed after `since`')),
    gone: z
      .array(z.union([z.int(), z.string()]))
      .optional()
      .meta({ ...own('Ids of items removed after `since`'), example: undefined }),
    mark: z
      .string()
      .optional()
      .meta({ ...own('Hash of the ids of the page and their order'), example: undefined })
  })
}
