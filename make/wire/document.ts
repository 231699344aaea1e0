// Replaces the generated parts of docs/wire.md. A part stands between comments: its first one says what it has.
// - `<!-- calls: /catalog /device/list-with-catalog -->`: the calls whose paths begin so; of several parts, the longest
//   path counts
// - `<!-- fields: Catalog "Field of a group" -->`: the fields of schemas, and the head of their column
// - `<!-- codes -->`: the result codes
// - `<!-- rights -->`: who may change which setting of the hub
import type * as z from 'zod'
import type { Call } from '../../contract/call.ts'
import { CALL_SCHEMAS } from '../../contract/calls.schema.ts'
import { listDeclaredCalls, listSchemas, nameOfCall } from './declared-calls.ts'
import { identityOf, objectIn } from './fields.ts'
import { callExamples, callTable, codeTable, fieldTable, rightsTable } from './tables.ts'

const PART = /<!-- (?<kind>calls|fields|codes|rights)(?:: (?<what>[^>]*?))? -->\n(?<content>[\s\S]*?)<!-- end -->/g

const words = (what = '') =>
  what
    .replace(/"[^"]*"/, '')
    .split(/\s+/)
    .filter(Boolean)

/** Calls in the order of their declarations. */
function orderedCalls(): Call[] {
  const order = Object.keys(CALL_SCHEMAS)
  return listDeclaredCalls().sort((one, other) => order.indexOf(nameOfCall(one)) - order.indexOf(nameOfCall(other)))
}

/** The longest of the paths with which a path begins. */
function prefixOf(path: string, prefixes: readonly string[]): string | undefined {
  const fitting = prefixes.filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  return fitting.sort((one, other) => other.length - one.length)[0]
}

/** The schemas that a part names. @throws Error if there is none, or several that differ */
function schemasNamed(what: string | undefined, all: readonly { name: string; schema: z.ZodType; path: string }[]) {
  return words(what).map((word) => {
    const [name = '', path] = word.split(':').toReversed()
    const found = all.filter((each) => each.name === name && (!path || each.path.endsWith(`${path}.schema.ts`)))
    const [first] = found
    if (!first || found.some(({ schema }) => schema !== first.schema))
      throw new Error(`${found.length} schemas: ${word}`)
    return first.schema
  })
}

/** @throws Error if a call is in no part, or a part names a schema that does not exist */
export function generateWire(text: string): string {
  const parts = [...text.matchAll(PART)].map(({ groups = {} }) => groups)
  const prefixes = parts.filter(({ kind }) => kind === 'calls').flatMap(({ what }) => words(what))
  const calls = orderedCalls()
  const lost = calls.filter(({ path }) => !prefixOf(path, prefixes))
  if (lost.length > 0) throw new Error(`No part of docs/wire.md has the calls ${lost.map(nameOfCall).join(', ')}`)
  const schemas = listSchemas()
  const documented = new Set(
    parts
      .filter(({ kind }) => kind === 'fields')
      .flatMap(({ what }) => schemasNamed(what, schemas))
      .map((schema) => identityOf(objectIn(schema) ?? schema))
  )
  return text.replaceAll(PART, (...match) => {
    const { kind = '', what } = match.at(-1) as Record<string, string | undefined>
    const content = () => {
      if (kind === 'codes') return codeTable()
      if (kind === 'rights') return rightsTable()
      if (kind === 'fields')
        return fieldTable(/"([^"]*)"/.exec(what ?? '')?.[1] ?? 'Field', schemasNamed(what, schemas), documented)
      const own = calls.filter(({ path }) => words(what).includes(prefixOf(path, prefixes) ?? ''))
      return `${callTable(own)}\n\n${callExamples(own)}`
    }
    return `<!-- ${kind}${what ? `: ${what}` : ''} -->\n\n${content()}\n\n<!-- end -->`
  })
}
