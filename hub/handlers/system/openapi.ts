// The description of the API for programs (OpenAPI 3.1), made from the declarations that the hub itself answers by.
import * as z from 'zod'
import type { Call } from '../../../contract/call.ts'
import * as permissions from '../../../contract/permissions.ts'
import { declaredCalls, requestShape } from '../../../contract/requests.ts'
import { describeApi } from '../../../contract/system.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer } from '../../http/handler.ts'

/** Names of the rights, by bit. */
const RIGHTS = new Map(
  permissions.PERMISSION_BITS.map((bit) => [
    bit,
    Object.entries(permissions).find(([, value]) => value === bit)?.[0] ?? ''
  ])
)

/** Who may, in words: the first three as declared, else the rights of which one is enough. */
function whoMay({ who }: Call): string {
  if (typeof who === 'string') return { public: 'anyone', session: 'any signed-in user', admin: 'the Admin group' }[who]
  const names = [...RIGHTS].filter(([bit]) => permissions.holds(who, bit)).map(([, name]) => name)
  return names.join(' or ')
}

type Schema = z.core.JSONSchema.BaseSchema

function schemaOf(call: Call): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(requestShape(call) ?? z.object({}), {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Numbers in a query are text on the wire, which is how every parameter there is written: their range is what matters.
      if (jsonSchema.type === 'integer') delete jsonSchema.anyOf
    }
  })
  return schema
}

const ENVELOPE = {
  description: 'A result code; 0 is success. With another one expect nothing else.',
  content: {
    'application/json': {
      schema: { type: 'object', properties: { result: { type: 'integer' } }, required: ['result'] }
    }
  }
}

/** Bodies that are no JSON. */
const BODIES = {
  form: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
    }
  },
  bytes: { 'application/octet-stream': {} }
}

function operation(call: Call): object {
  const schema = schemaOf(call)
  const queried = call.method === 'GET' || call.body !== undefined
  const content = call.body ? BODIES[call.body] : { 'application/json': { schema } }
  const { properties = {}, required = [] } = schema
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    description: `For ${whoMay(call)}.`,
    tags: [call.path.split('/')[1]],
    security: call.who === 'public' ? [] : [{ token: [] }, { session: [] }],
    ...(queried && {
      parameters: Object.entries(properties).map(([name, type]) => ({
        name,
        in: 'query',
        required: required.includes(name),
        schema: type
      }))
    }),
    ...(call.method === 'POST' && { requestBody: { content } }),
    responses: { 200: ENVELOPE }
  }
}

/** @param version of the hub */
export function apiDescription(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const call of declaredCalls()) {
    const path = paths[call.path] ?? {}
    path[call.method.toLowerCase()] = operation(call)
    paths[call.path] = path
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Headend hub', version },
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An access token.' },
        session: { type: 'apiKey', in: 'cookie', name: 'mwcloud-sid' }
      }
    },
    paths
  }
}

export function descriptionAnswers({ version }: Hub): Answer[] {
  // It stays the same as long as the hub runs, and is made when it is first asked for.
  let description: object | undefined
  return [
    answer(describeApi, () => {
      description ??= apiDescription(version)
      return Response.json(description, { headers: { 'cache-control': 'no-store' } })
    })
  ]
}
