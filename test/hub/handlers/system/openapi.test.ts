import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { schemaOf } from '../../../../contract/calls.schema.ts'
import { NOT_LOGGED_IN } from '../../../../contract/codes.ts'
import { listDeclaredCalls } from '../../../../make/wire/declared-calls.ts'
import { startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('description')

interface Operation {
  description: string
  security: object[]
  parameters?: { name: string; required: boolean; schema: object }[]
  requestBody?: { content: { 'application/json': { schema: { required?: string[] } } } }
}

interface Description {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}

let hub: TestHub

test.before(async () => {
  hub = await startHub()
})
test.after(() => hub.close())

async function described(): Promise<Description> {
  return (await (await hub.clientAs().raw('GET', '/api/openapi.json')).json()) as Description
}

test('every call is described, with the callers who may make it', async () => {
  const { openapi, paths } = await described()
  assert.equal(openapi, '3.1.0')
  for (const { method, path, access } of listDeclaredCalls()) {
    const operation = paths[path]?.[method.toLowerCase()]
    assert.ok(operation, `${method} ${path}`)
    assert.match(operation.description, /^For .+\.$/)
    assert.equal(operation.security.length === 0, access === 'public', path)
  }
  assert.equal(paths['/device/accept']?.post?.description, 'For DEVICE_ADV_CONTROL.')
  assert.equal(paths['/device/list']?.post?.description, 'For DEVICE_VIEW or CHANNEL_VIEW.')
  assert.equal(paths['/usr/add']?.post?.description, 'For USER_CONTROL.')
  assert.equal(paths['/token/add']?.post?.description, 'For the Admin group.')
})

test('the security requirements of a call name the scopes of which a token needs one', async () => {
  const { paths } = await described()
  assert.deepEqual(paths['/device/list']?.get?.security, [{ token: ['read'] }, { token: ['devices'] }, { session: [] }])
  assert.deepEqual(paths['/usr/add']?.post?.security, [{ session: [] }])
  assert.deepEqual(paths['/session/list']?.get?.security, [{ session: [] }])
})

test('a query is described by its parameters, numbers with their range, and a body by its schema', async () => {
  const { paths } = await described()
  const parameters = paths['/log/list']?.get?.parameters ?? []
  const named = (name: string) => parameters.find((parameter) => parameter.name === name)
  assert.equal(named('type')?.required, true)
  assert.deepEqual(named('count')?.schema, { type: 'integer', minimum: 0, maximum: 10_000 })
  const body = paths['/channel/enable']?.post?.requestBody?.content['application/json'].schema
  assert.deepEqual(body?.required, ['id', 'enable'])
})

test('a body that is not JSON is described by its type', async () => {
  const { paths } = await described()
  const types = (path: string) => Object.keys(paths[path]?.post?.requestBody?.content ?? {})
  assert.deepEqual(types('/firmware/upload'), ['multipart/form-data'])
  assert.deepEqual(types('/firmware/upload/piece'), ['application/octet-stream'])
  const parameters = paths['/firmware/upload/piece']?.post?.parameters ?? []
  assert.deepEqual(
    parameters.map(({ name, required }) => [name, required]),
    [
      ['upload', true],
      ['offset', true]
    ]
  )
})

interface Answer {
  content: Record<string, { examples?: Record<string, { value: { result: number } }> }>
}

test('every answer and every fault has an example, and every fault a status', async () => {
  const { paths } = await described()
  const lacking: string[] = []
  for (const call of listDeclaredCalls()) {
    const { errors = {}, content } = schemaOf(call) ?? {}
    if (content === 'application/json') continue
    const operation = paths[call.path]?.[call.method.toLowerCase()] as unknown as { responses: Record<string, Answer> }
    const examples = Object.values(operation.responses[200]?.content['application/json']?.examples ?? {})
    const problems = Object.values(operation.responses).flatMap((answer) =>
      Object.values(answer.content['application/problem+json']?.examples ?? {})
    )
    const codes = examples.map(({ value }) => value.result)
    if (!content && !codes.includes(0)) lacking.push(`${call.path}: success`)
    for (const code of Object.keys(errors).map(Number)) {
      if (!codes.includes(code)) lacking.push(`${call.path}: ${code}`)
      if (!problems.some(({ value }) => value.result === code)) lacking.push(`${call.path}: status of ${code}`)
    }
  }
  assert.deepEqual(lacking, [])
})

test('the description needs a session', async () => {
  assert.deepEqual(await (await hub.client().raw('GET', '/api/openapi.json')).json(), { result: NOT_LOGGED_IN })
})

test.run()
