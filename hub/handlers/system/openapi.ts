// Generates the OpenAPI 3.1 description of the API from the declarations in `contract/`.

import { isTokenPermitted } from '../../../accounts/token-access.ts'
import * as permissions from '../../../contract/access/permissions.ts'
import { TOKEN_SCOPES } from '../../../contract/access/token.ts'
import type { CallSchema } from '../../../contract/call.schema.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { schemaOf } from '../../../contract/calls.schema.ts'
import { CODE_MEANINGS } from '../../../contract/code-meanings.ts'
import {
  CODE_KEYS,
  INVALID_ARG,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  UNKNOWN_ERROR
} from '../../../contract/codes.ts'
import { exampleRequest, exampleResponse, jsonSchemaOf } from '../../../contract/description.schema.ts'
import { Envelope as EnvelopeSchema } from '../../../contract/envelope.schema.ts'
import { describeApi } from '../../../contract/system.ts'

import { type Handler, handle } from '../../http/handler.ts'
import { PROBLEM_TYPE, problemOf, statusOfCode } from '../../http/problem-details.ts'

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

/** Codes that the hub returns before a handler runs, and why. */
function commonErrors({ access, reauthenticate }: Call, { request }: CallSchema): Partial<Record<number, string>> {
  return {
    ...(access === 'public'
      ? {}
      : { [NOT_LOGGED_IN]: 'no valid session or access token', [NOT_PERMITTED]: 'no permission' }),
    ...(fieldNames(request).length > 0 ? { [INVALID_ARG]: 'an invalid or missing field' } : {}),
    ...(reauthenticate ? { [REAUTHENTICATION_REQUIRED]: 'the session has to prove its password again' } : {}),
    [UNKNOWN_ERROR]: 'an internal error'
  }
}

/** Names of the fields; of a union those of its first variant. */
function fieldNames(schema: CallSchema['request']): string[] {
  const { properties, anyOf, oneOf } = jsonSchemaOf(schema, 'input')
  return Object.keys(properties ?? (anyOf ?? oneOf)?.[0]?.properties ?? {})
}

interface Fault {
  code: number
  /** Key of the code, such as `not-exist`. */
  key: string
  status: number
  why: string
}

/** All faults of a call, also those that every call has. */
function faultsOf(call: Call, schema: CallSchema): Fault[] {
  const errors = { ...commonErrors(call, schema), ...schema.errors }
  return Object.entries(errors).map(([number, why]) => {
    const code = Number(number)
    return {
      code,
      key: CODE_KEYS[code] ?? number,
      status: statusOfCode(code),
      why: why || (CODE_MEANINGS[code]?.meaning ?? '')
    }
  })
}

/** The first field of a request, for the example of a refused one. */
const envelopeOf = ({ code }: Fault, field: string | undefined): Envelope => ({
  result: code,
  ...(code === INVALID_ARG && field && { field, fault: 'invalid' })
})

const examplesOf = (faults: readonly Fault[], answerOf: (fault: Fault) => object) =>
  Object.fromEntries(faults.map((fault) => [fault.key, { summary: fault.why, value: answerOf(fault) }]))

/** What a call answers with HTTP status 200: success, and the faults for clients that do not ask for a status. */
function createAnswer(schema: CallSchema, faults: readonly Fault[], field: string | undefined): object {
  const { properties = {}, required = [] } = schema.response ? jsonSchemaOf(schema.response, 'output') : {}
  const json = {
    schema: {
      type: 'object',
      properties: { result: { $ref: '#/components/schemas/ResultCode' }, ...properties },
      required: ['result']
    },
    examples: {
      ...(!schema.content && { success: { value: exampleResponse(schema) } }),
      ...examplesOf(faults, (fault) => envelopeOf(fault, field))
    }
  }
  const content =
    schema.content === 'application/json'
      ? { 'application/json': { schema: { type: 'object' } } }
      : { ...(schema.content && { [schema.content]: {} }), 'application/json': json }
  const names = required.map((name) => `\`${name}\``).join(', ')
  return {
    description: `Success, or a fault: \`result\` is its code.${names && ` With 0 the answer has ${names}.`}`,
    content
  }
}

/** What a call answers to clients that ask for a status, by status. */
function createProblems(path: string, faults: readonly Fault[], field: string | undefined): Record<string, object> {
  return Object.fromEntries(
    [...Map.groupBy(faults, ({ status }) => status)].map(([status, group]) => {
      const problem = (fault: Fault) => problemOf(envelopeOf(fault, field), status, 'en', `/api${path}`)
      const schema = { $ref: '#/components/schemas/ProblemDetails' }
      const content = { [PROBLEM_TYPE]: { schema, examples: examplesOf(group, problem) } }
      return [status, { description: `For \`Accept: ${PROBLEM_TYPE}\`.`, content }]
    })
  )
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
  const declaration = schemaOf(call)
  if (!declaration) throw new Error(`${call.path} has no schema`)
  const schema = jsonSchemaOf(declaration.request, 'input')
  const hasQuery = call.method === 'GET' || call.body !== undefined
  const content = call.body
    ? BODIES[call.body]
    : { 'application/json': { schema, example: exampleRequest(declaration) } }
  const { properties = {}, required = [] } = schema
  const faults = faultsOf(call, declaration)
  const [field] = fieldNames(declaration.request)
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: declaration.summary,
    description: `For ${describeAccess(call)}.`,
    tags: [call.path.split('/')[1]],
    security: describeSecurity(call),
    'x-source': declaration.source,
    ...(hasQuery && {
      parameters: Object.entries(properties).map(([name, { description, ...type }]) => ({
        name,
        in: 'query',
        required: required.includes(name),
        ...(description && { description }),
        schema: type
      }))
    }),
    ...(call.method === 'POST' && { requestBody: { content } }),
    responses: { 200: createAnswer(declaration, faults, field), ...createProblems(call.path, faults, field) }
  }
}

const PROBLEM_DETAILS = {
  description: 'An error (RFC 9457): its own fields, and those of every answer with an error.',
  type: 'object',
  properties: {
    type: { type: 'string', description: 'Where the result code is described' },
    title: { type: 'string', description: 'The result code as a sentence in the language of the request' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'As `message`' },
    instance: { type: 'string', description: 'Path of the call' },
    ...jsonSchemaOf(EnvelopeSchema, 'output').properties
  },
  required: ['type', 'title', 'status', 'instance', 'result']
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
      schemas: {
        ResultCode: { type: 'integer', description: '0 is success; the others are in `x-result-codes`' },
        ProblemDetails: PROBLEM_DETAILS
      },
      'x-result-codes': Object.fromEntries(
        Object.entries(CODE_MEANINGS).map(([code, meaning]) => [code, { key: CODE_KEYS[Number(code)], ...meaning }])
      ),
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
