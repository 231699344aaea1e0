import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import type { Call } from '../../contract/call.ts'
import { LOG_EVENTS } from '../../contract/events.ts'
import { listDeclaredCalls } from '../../make/wire/declared-calls.ts'
import { generateWire } from '../../make/wire/document.ts'
import { generateRights } from '../../make/wire/rights.ts'
import { startHub } from '../kit/hub/hub.ts'
import { isCode, projectFiles, root, textOf } from './sources.ts'

const test = suite('wire')

const DOCUMENT = textOf('docs/wire.md')

/** Paths below `/api` that are not declared calls. */
const RAW_ROUTES = ['GET /api/socket']

/** Sections by level-2 heading. */
const SECTIONS = new Map(
  DOCUMENT.split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')).trim(), text])
)

const CODE_SPAN = /`([^`\n]+)`/g
const codeSpans = (text: string) => new Set([...text.matchAll(CODE_SPAN)].map(([, span = '']) => span))

/** The row of a call, split into cells. */
interface CallRow {
  call: string
  permission: string
  request: string
  section: string
}

const CALL_ROW = /^\| `((?:GET|POST) \/api\/[^`]+)` \|([^|]*)\|([^|]*)\|/gm

const ROWS: readonly CallRow[] = [...SECTIONS.values()].flatMap((section) =>
  [...section.matchAll(CALL_ROW)].map(([, call = '', permission = '', request = '']) => ({
    call,
    permission: permission.trim(),
    request,
    section
  }))
)

const nameOf = ({ method, path }: Pick<Call, 'method' | 'path'>) => `${method} /api${path}`
const declaredCalls = () => listDeclaredCalls().map(nameOf).sort()

/** All exports of the contract's modules, by name. */
async function contractExports(): Promise<Map<string, unknown>> {
  const modules = projectFiles().filter((path) => /^contract\/[\w/-]+\.ts$/.test(path))
  const loaded = await Promise.all(modules.map((path) => import(pathToFileURL(join(root, path)).href)))
  return new Map(loaded.flatMap((exports) => Object.entries(exports)))
}

/** Whether a row of a table has the number in its first cell, and all texts in the other cells. */
function hasRow(section: string, number: string, ...texts: string[]): boolean {
  const rows = (SECTIONS.get(section) ?? '').split('\n')
  return rows.some((row) => row.startsWith(`| ${number} |`) && texts.every((text) => codeSpans(row).has(text)))
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Names of the fields of a schema, and of the fields in them. */
function fieldNames(schema: Schema): { own: string[]; nested: string[] } {
  const own = Object.keys(schema.properties ?? {})
  const parts = Object.values(schema.properties ?? {}).map(fieldNames)
  const nested = parts.flatMap((part) => [...part.own, ...part.nested])
  for (const variant of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]) {
    const names = fieldNames(variant)
    own.push(...names.own)
    nested.push(...names.nested)
  }
  return { own, nested }
}

interface Operation {
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
}

/** Operations of the OpenAPI document of a running hub, by call. */
async function openApiOperations(): Promise<Map<string, Operation>> {
  const hub = await startHub()
  try {
    const client = await hub.signIn()
    const response = await client.raw('GET', '/api/openapi.json')
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
    return new Map(
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} /api${path}`, operation])
      )
    )
  } finally {
    await hub.close()
  }
}

test('the generated parts are those of the declarations', () => {
  assert.ok(generateWire(DOCUMENT) === DOCUMENT, 'docs/wire.md is stale: run `make wire` and commit it')
})

test('docs/rights.md is that of the declarations', () => {
  assert.ok(generateRights() === textOf('docs/rights.md'), 'docs/rights.md is stale: run `make wire` and commit it')
})

test('every declared call has one row', () => {
  assert.deepEqual(ROWS.map(({ call }) => call).sort(), declaredCalls())
})

test('every call that the document names is declared', () => {
  const declared = new Set([...declaredCalls(), ...RAW_ROUTES])
  const names = [...DOCUMENT.matchAll(/\b(?:GET|POST) \/api\/[\w./-]*/g)].map(([name]) => name)
  assert.deepEqual(
    names.filter((name) => !declared.has(name)),
    []
  )
})

test('the row of a call names the permission that it requires', async () => {
  const permissions = [...(await contractExports())].filter(([name]) =>
    /^[A-Z_]+_(VIEW|CONTROL|EDIT|MANAGER|SECURITY)$/.test(name)
  )
  const describeAccess = ({ access }: Call) =>
    typeof access === 'string'
      ? [access]
      : permissions.filter(([, bit]) => (access & (bit as number)) !== 0).map(([name]) => name)
  const documented = new Map(ROWS.map(({ call, permission }) => [call, permission.split(/ or |, /).sort()]))
  for (const call of listDeclaredCalls())
    assert.deepEqual(documented.get(nameOf(call)), describeAccess(call).sort(), nameOf(call))
})

test('the OpenAPI document has exactly the declared calls', async () => {
  assert.deepEqual([...(await openApiOperations()).keys()].sort(), declaredCalls())
})

test('the row of a call names its request fields, and its section the fields in them', async () => {
  const missing: string[] = []
  for (const [call, { parameters = [], requestBody }] of await openApiOperations()) {
    const row = ROWS.find((row) => row.call === call)
    const { own, nested } = fieldNames(requestBody?.content['application/json']?.schema ?? {})
    const inRow = codeSpans(row?.request ?? '')
    const inSection = codeSpans(row?.section ?? '')
    for (const name of [...own, ...parameters.map((parameter) => parameter.name)])
      if (!inRow.has(name)) missing.push(`${call}: ${name}`)
    for (const name of nested) if (!inSection.has(name)) missing.push(`${call}: ${name} of a field`)
  }
  assert.deepEqual([...new Set(missing)], [])
})

test('the table of result codes has every code with its number, key and constant', async () => {
  const { CODE_KEYS, ...constants } = await import('../../contract/codes.ts')
  const constantOf = new Map(Object.entries(constants).map(([name, code]) => [code as number, name]))
  assert.ok(constantOf.size > 30)
  const codes = new Set([...Object.keys(CODE_KEYS).map(Number), ...constantOf.keys()])
  const isMissing = (code: number) => {
    const constant = constantOf.get(code)
    return !hasRow('Result codes', String(code), CODE_KEYS[code] ?? '', ...(constant ? [constant] : []))
  }
  assert.deepEqual([...codes].filter(isMissing), [])
})

test('the table of permissions has every bit with its number and name', async () => {
  const exports = await contractExports()
  const bits = exports.get('PERMISSION_BITS') as readonly number[]
  assert.ok(bits.length > 10)
  const nameOfBit = (bit: number) =>
    [...exports].find(([name, value]) => value === bit && /_(VIEW|CONTROL|EDIT|MANAGER|SECURITY)$/.test(name))?.[0] ??
    ''
  assert.deepEqual(
    bits.filter((bit) => !hasRow('Permissions', `0x${bit.toString(16)}`, nameOfBit(bit))),
    []
  )
})

test('section Logs names every event', () => {
  const spans = codeSpans(SECTIONS.get('Logs') ?? '')
  assert.deepEqual(
    LOG_EVENTS.filter((event) => !spans.has(event)),
    []
  )
})

/** Tables of states and masks: name of the export, and the section. */
const STATE_TABLES: readonly [name: string, section: string, radix: 10 | 16][] = [
  ['REGISTRATION_STATE', 'Devices', 10],
  ['DEVICE_WARNING_BITS', 'Devices', 16],
  ['REFUSAL_STATE', 'Device link', 10],
  ['SOURCE_STATE', 'Channels', 10],
  ['CONNECTION_STATE', 'Channels', 10],
  ['DEVICE_UPDATE_STATE', 'Firmware', 10],
  ['UPDATE_STATE', 'Console updates', 16],
  ['SYSTEM_STATUS_BITS', 'Settings', 16],
  ['LICENSE_STATE', 'Settings', 10]
]

for (const [name, section, radix] of STATE_TABLES)
  test(`${name} is in section ${section} with its numbers`, async () => {
    const states = Object.entries((await contractExports()).get(name) as Record<string, number>)
    assert.ok(states.length > 0)
    const format = (state: number) => (radix === 16 && state > 0 ? `0x${state.toString(16)}` : String(state))
    assert.deepEqual(
      states.filter(([key, state]) => !hasRow(section, format(state), key)),
      []
    )
  })

/** Sections that sources cite, as in `docs/wire.md, "Devices"`, with or without the quotation marks. */
function citedSections(text: string): string[] {
  const joined = text.replaceAll(/\s*\n\s*(?:\/\/|\*)? ?/g, ' ')
  const citations = joined.matchAll(/docs\/wire\.md(?:, (?:"(?<quoted>[^"]+)"|(?<plain>[A-Z][a-z]*(?: [a-z]+)*)))?/g)
  return [...citations].map(({ groups }) => groups?.quoted ?? groups?.plain ?? '')
}

test('a citation is found across lines, with and without quotation marks', () => {
  assert.deepEqual(citedSections('// See docs/wire.md,\n// "Device link".'), ['Device link'])
  assert.deepEqual(citedSections('/* (docs/wire.md, Change feed) */'), ['Change feed'])
  assert.deepEqual(citedSections('/* docs/wire.md has it */'), [''])
})

test('every section that the sources cite exists', () => {
  const paths = projectFiles().filter((path) => isCode(path) && /^(contract|hub|src|engine|fleet)\//.test(path))
  const citations = paths.flatMap((path) => citedSections(textOf(path)).map((section) => ({ path, section })))
  assert.ok(citations.length > 20)
  assert.deepEqual(
    citations.filter(({ section }) => !SECTIONS.has(section)),
    []
  )
})

test.run()
