// Generates the OpenAPI 3.1 description of the API from the declarations in `contract/`.
import * as permissions from '../../../contract/access/permissions.ts'
import { TOKEN_SCOPES } from '../../../contract/access/token.ts'
import type { Call } from '../../../contract/call.ts'
import { schemaOf } from '../../../contract/calls.schema.ts'
import { jsonSchemaOf } from '../../../contract/description.schema.ts'
import { emptyRequest } from '../../../contract/fields.schema.ts'
import { describeApi } from '../../../contract/system.ts'
import { isTokenPermitted } from '../../auth/token-access.ts'

import { type Handler, handle } from '../../http/handler.ts'

/** Names of the permissions, by bit. */
const PERMISSION_NAMES = new Map(
  permissions.PERMISSION_BITS.map((bit) => [
    bit,
    Object.entries(permissions).find(([, value]) => value === bit)?.[0] ?? ''
  ])
)

/** The callers who may make a call, in words: a fixed class of callers, or the permissions of which one is required. */
function describeAccess({ access }: Call): string {
  if (typeof access === 'string')
    return { public: 'anyone', session: 'any signed-in user', admin: 'the Admin group' }[access]
  const names = [...PERMISSION_NAMES].filter(([bit]) => permissions.hasAnyBit(access, bit)).map(([, name]) => name)
  return names.join(' or ')
}

/** The security requirements of a call: with a token, one of its scopes. */
function describeSecurity(call: Call): object[] {
  if (call.access === 'public') return []
  const scopes = TOKEN_SCOPES.filter((scope) => isTokenPermitted(call, [scope]))
  return [...scopes.map((scope) => ({ token: [scope] })), { session: [] }]
}

const ENVELOPE = {
  description: 'A result code; 0 is success. With another one expect nothing else.',
  content: {
    'application/json': {
      schema: { type: 'object', properties: { result: { type: 'integer' } }, required: ['result'] }
    }
  }
}

/** Request bodies that are not JSON. */
const BODIES = {
  form: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
    }
  },
  bytes: { 'application/octet-stream': {} }
}

/** The OpenAPI operation of a call. */
function createOperation(call: Call): object {
  const schema = jsonSchemaOf(schemaOf(call)?.request ?? emptyRequest, 'input')
  const hasQuery = call.method === 'GET' || call.body !== undefined
  const content = call.body ? BODIES[call.body] : { 'application/json': { schema } }
  const { properties = {}, required = [] } = schema
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    description: `For ${describeAccess(call)}.`,
    tags: [call.path.split('/')[1]],
    security: describeSecurity(call),
    ...(hasQuery && {
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

/** @param version version of the hub */
function createApiDescription(version: string, calls: readonly Call[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const call of calls) {
    const path = paths[call.path] ?? {}
    path[call.method.toLowerCase()] = createOperation(call)
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

/** @param others handlers of all other calls */
export function openApiHandlers({ version }: { version: string }, others: readonly Handler[]): Handler[] {
  // Generated with the first request, and then kept.
  let description: object | undefined
  return [
    handle(describeApi, () => {
      description ??= createApiDescription(version, [...others.map(({ call }) => call), describeApi])
      return Response.json(description, { headers: { 'cache-control': 'no-store' } })
    })
  ]
}
