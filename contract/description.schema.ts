// Describes schemas: JSON Schema for the OpenAPI document and the tables of the wire, and examples that are composed
// of those of the fields.
import * as z from 'zod'
import type { CallSchema } from './call.schema.ts'

/** JSON Schema with the metadata of the fields (`fields.schema.ts`). */
export interface JsonSchema extends z.core.JSONSchema.BaseSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  /** Mark of a field: where its name and meaning come from. */
  'x-source'?: string
}

/** @param io `input` for a request as a client sends it, `output` for a response */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
    override({ jsonSchema }) {
      // Every query parameter is text on the wire, so the schema only needs the range of a number.
      if (jsonSchema.type === 'integer') delete jsonSchema.anyOf
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.source) {
        jsonSchema['x-source'] = jsonSchema.source
        delete jsonSchema.source
      }
    }
  })
  return json as JsonSchema
}

/** Values of fields in examples, by their names. */
const NAMED_EXAMPLES: Readonly<Record<string, unknown>> = {
  name: 'Studio 1',
  sn: 'B313210600123',
  user: 'Admin',
  by: 'Admin',
  ip: '192.0.2.7',
  address: '192.0.2.7',
  addr: '192.0.2.7:9000',
  iface: 'eth0',
  'allow-ip': '10.0.0.0/8',
  'extra-ips': '192.0.2.6',
  'mcast-ip': '239.1.2.3',
  'mcast-sub-mask': '255.255.255.0',
  zone: 'Europe/Berlin',
  url: 'srt://192.0.2.7:9000',
  'preview-id': 'CHANNEL-100001',
  'firmware-ver': '1.2.345',
  'hardware-ver': 'A',
  version: '1.4.0'
}

/** Milliseconds since the epoch. */
const TIME = 1_795_846_013_071

function exampleOfText({ minLength = 0, pattern }: JsonSchema, name: string, description = ''): string {
  if (name in NAMED_EXAMPLES) return String(NAMED_EXAMPLES[name])
  if (pattern?.includes('[0-9a-f]{32}')) return 'e3afed0047b08059d0fada10f400c1e5'
  if (/sentence|in the language of the request/i.test(description)) return 'A sentence.'
  return minLength > 6 ? name.padEnd(minLength, 'x') : name
}

function exampleOfNumber({ minimum = 0 }: JsonSchema, name: string, description = ''): number {
  if (/(?<!milli)seconds since the epoch/i.test(description)) return Math.floor(TIME / 1000)
  if (/milliseconds since the epoch|^when /i.test(description)) return TIME
  return Math.max(typeof minimum === 'number' ? minimum : 0, name === 'id' || name.endsWith('-id') ? 100_001 : 1)
}

/** An object whose names are data: all of its names if they are known. */
function exampleOfMap({ propertyNames, additionalProperties }: JsonSchema): object {
  if (typeof additionalProperties !== 'object') return {}
  const names = (propertyNames as JsonSchema | undefined)?.enum ?? ['name']
  return Object.fromEntries(names.map((name) => [name, exampleOf(additionalProperties as JsonSchema, String(name))]))
}

/** Composes an example of a value. @param name of the field */
export function exampleOf(schema: JsonSchema, name = 'text'): unknown {
  if ('example' in schema) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return exampleOf(variants.find(({ type }) => type !== 'null') ?? {}, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, name)))
  if (schema.properties) {
    const { properties, required = [] } = schema
    const fields = Object.entries(properties)
      // A flag that can be absent says that something is unusual.
      .filter(([key, { type, const: only }]) => required.includes(key) || (type !== 'boolean' && only !== true))
      .map(([key, field]) => [key, exampleOf(field, key)] as const)
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  const type = [schema.type].flat()[0]
  if (type === 'array') {
    const item = schema.items && exampleOf(schema.items, name)
    return item === undefined ? [] : [item]
  }
  if (type === 'object') return exampleOfMap(schema)
  if (type === 'string') return exampleOfText(schema, name, schema.description)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return exampleOfNumber(schema, name, schema.description)
  return undefined
}

/** Characters of an example on one line. */
export const EXAMPLE_MAX = 200

/** The example of a request: the longest one that is short enough. */
export function exampleRequest({ examples }: CallSchema): object {
  const sorted = [...examples].sort((one, other) => JSON.stringify(other).length - JSON.stringify(one).length)
  const isTelling = (text: string) => text.length <= EXAMPLE_MAX && !/(.)\1{9}/.test(text)
  return sorted.find((example) => isTelling(JSON.stringify(example))) ?? examples[0] ?? {}
}

/** The example of a response. */
export function exampleResponse({ response, answer }: CallSchema): object {
  const fields = answer ?? (response ? exampleOf(jsonSchemaOf(response, 'output')) : {})
  return { result: 0, ...(fields as object) }
}
