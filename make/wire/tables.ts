// The generated tables of docs/wire.md.
import type * as z from 'zod'
import * as permissions from '../../contract/access/permissions.ts'
import { hasAnyBit } from '../../contract/access/permissions.ts'
import type { CallSchema } from '../../contract/call.schema.ts'
import type { Call } from '../../contract/call.ts'
import { schemaOf } from '../../contract/calls.schema.ts'
import { CODE_MEANINGS } from '../../contract/code-meanings.ts'
import * as codes from '../../contract/codes.ts'
import { EXAMPLE_MAX, exampleRequest, exampleResponse } from '../../contract/description.schema.ts'
import { SETTING_RIGHTS, type SettingRights } from '../../contract/settings.ts'
import { type Field, fieldsOf, identityOf, objectIn, variantsOf } from './fields.ts'

/** Fields of lists, which have a section of their own. */
const LIST_FIELDS = ['start', 'total', 'list', 'rev', 'partial', 'gone', 'mark']

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
const span = (name: string) => `\`${name}\``
const mentions = (text: string, name: string) => text.includes(span(name))

/** Names of the permissions of which one is required, or the fixed class of callers. */
export function describeAccess({ access }: Pick<Call, 'access'>): string {
  if (typeof access === 'string') return access
  const names = permissions.PERMISSION_BITS.filter((bit) => hasAnyBit(access, bit)).map(
    (bit) => Object.entries(permissions).find(([, value]) => value === bit)?.[0] ?? ''
  )
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')
}

const briefly = ({ name, description }: Field) => (description ? `${span(name)} (${description})` : span(name))

/** Fields and a note. A note that names all fields stands for them. */
function describeParts(fields: readonly Field[], note: string): string {
  if (note && fields.every(({ name }) => mentions(note, name))) return note
  return [fields.map(briefly).join(', '), note].filter(Boolean).join('; ')
}

function describeResponse({ response, responseNote = '' }: CallSchema): string {
  const fields = response ? fieldsOf(response) : []
  const isList = LIST_FIELDS.slice(0, 3).every((name) => fields.some((field) => field.name === name))
  const others = isList ? fields.filter(({ name }) => !LIST_FIELDS.includes(name)) : fields
  if (!responseNote) return describeParts(others, '')
  const missing = others.filter(({ name }) => !mentions(responseNote, name))
  const isWhole = /\bsee\b|below|\bas `/.test(responseNote) || missing.length === 0 || /^[a-z]/.test(responseNote)
  return isWhole && missing.length > 0 && !isList
    ? responseNote
    : [responseNote, missing.map(briefly).join(', ')].filter(Boolean).join('; ')
}

function describeErrors({ errors = {}, errorsNote = '' }: CallSchema): string {
  const groups: { numbers: string[]; why: string }[] = []
  for (const [code, why] of Object.entries(errors)) {
    const last = groups.at(-1)
    if (last && last.why === why) last.numbers.push(code)
    else groups.push({ numbers: [code], why })
  }
  const parts = groups.map(({ numbers, why }) => [numbers.join(', '), why].filter(Boolean).join(' '))
  return [...parts, errorsNote].filter(Boolean).join('; ')
}

/** The rows of calls. */
export function callTable(calls: readonly Call[]): string {
  return table(
    ['Call', 'Permission', 'Request', 'Response', 'Errors', 'Source'],
    calls.map((call) => {
      const schema = schemaOf(call) as CallSchema
      const form = call.body === 'form' && !schema.requestNote ? 'form with the part `file`' : ''
      return [
        span(`${call.method} /api${call.path}`),
        describeAccess(call),
        describeParts(fieldsOf(schema.request), schema.requestNote ?? form),
        describeResponse(schema),
        describeErrors(schema),
        schema.source
      ]
    })
  )
}

/** A value as JSON on one line. Long values are cut. */
function asJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (text.length <= EXAMPLE_MAX) return text
  return JSON.stringify(value, (key, part) => {
    if (key === '' || typeof part !== 'object' || part === null) return part
    return Array.isArray(part) ? ['…'] : {}
  })
    .replaceAll('["…"]', '[…]')
    .replaceAll('{}', '{…}')
}

/** An example of each call. */
export function callExamples(calls: readonly Call[]): string {
  const lines = calls.map((call) => {
    const schema = schemaOf(call) as CallSchema
    const request = exampleRequest(schema)
    const isQuery = call.method === 'GET' || call.body !== undefined
    const query = new URLSearchParams(Object.entries(request)).toString()
    const url = `/api${call.path}${isQuery && query ? `?${query}` : ''}`
    const answer = schema.content ? schema.content : asJson(exampleResponse(schema))
    return `${call.method} ${url}${isQuery || Object.keys(request).length === 0 ? '' : ` ${asJson(request)}`}\n${answer}`
  })
  return ['```http', lines.join('\n\n'), '```'].join('\n')
}

/** The fields of an object that the description of a field does not name, and that no table of their own describes. */
function describeNested({ schema, description }: Field, documented: ReadonlySet<unknown>): string {
  const object = objectIn(schema)
  if (!object || variantsOf(object).every((variant) => documented.has(identityOf(variant)))) return ''
  const missing = fieldsOf(object).filter(({ name }) => !mentions(description, name))
  return missing.map(briefly).join(', ')
}

/** The fields of objects. Neighbours with one description share a row. */
export function fieldTable(head: string, schemas: readonly z.ZodType[], documented: ReadonlySet<unknown>): string {
  const rows: { names: string[]; meaning: string; source: string }[] = []
  const seen = new Set<string>()
  for (const field of schemas.flatMap(fieldsOf)) {
    if (seen.has(field.name)) continue
    seen.add(field.name)
    const nested = describeNested(field, documented)
    const meaning = [field.description, nested].filter(Boolean).join(': ')
    const source = field.source || 'own'
    const last = rows.at(-1)
    if (last && last.meaning === meaning && last.source === source) last.names.push(field.name)
    else rows.push({ names: [field.name], meaning, source })
  }
  return table(
    [head, 'Meaning', 'Source'],
    rows.map(({ names, meaning, source }) => [names.map(span).join(', '), meaning, source])
  )
}

/** Who may change the settings of the hub, and what that takes. */
export function rightsTable(): string {
  const rows: [string, SettingRights][] = Object.entries(SETTING_RIGHTS)
  return table(
    ['Setting', 'Who changes it', 'Password', 'Can interrupt'],
    rows.map(([name, { edit, reauthenticate, interrupts }]) => [
      span(name),
      describeAccess({ access: edit }),
      reauthenticate ? 'yes' : '',
      interrupts ? 'yes' : ''
    ])
  )
}

/** The result codes. */
export function codeTable(): string {
  const { CODE_KEYS, ...constants } = codes
  const constantOf = new Map(Object.entries(constants).map(([name, code]) => [code as number, name]))
  const numbers = Object.keys(CODE_MEANINGS).map(Number)
  // JavaScript lists negative keys last, as they were written.
  return table(
    ['Code', 'Key', 'Constant', 'Meaning on this hub', 'Status', 'Source'],
    numbers.map((code) => {
      const { meaning, status, source } = CODE_MEANINGS[code] ?? { meaning: '', status: 500, source: 'own' }
      const constant = constantOf.get(code)
      return [
        String(code),
        span(CODE_KEYS[code] ?? ''),
        constant ? span(constant) : '',
        meaning,
        String(status),
        source
      ]
    })
  )
}
