import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CODE_MEANINGS } from '../../../contract/code-meanings.ts'
import { CODE_KEYS, NOT_EXIST, NOT_LOGGED_IN, SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { wantsProblems } from '../../../hub/http/problem-details.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('problem details')
hubForEach(test)

const PROBLEM = 'application/problem+json'
const ACCEPT = { accept: PROBLEM }
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  admin.raw('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })

test('a client that asks for it gets an error with its HTTP status and the fields of RFC 9457', async () => {
  const response = await post('/api/catalog/rename', { id: 7, name: 'Hall' }, ACCEPT)
  assert.equal(response.status, 404)
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const { title, ...problem } = (await response.json()) as Record<string, unknown>
  assert.equal(typeof title, 'string')
  assert.deepEqual(problem, {
    type: `/api/openapi.json#/components/x-result-codes/${NOT_EXIST}`,
    status: 404,
    instance: '/api/catalog/rename',
    result: NOT_EXIST
  })
})

test('an invalid field is named as in other answers', async () => {
  const response = await post('/api/catalog/rename', { id: 7, name: '' }, ACCEPT)
  const { status, field, fault } = (await response.json()) as Record<string, unknown>
  assert.deepEqual([response.status, status, field, fault], [400, 400, 'name', 'required'])
})

test('all other clients get HTTP status 200 and the result alone', async () => {
  for (const accept of ['', 'application/json', '*/*', `${PROBLEM};q=0`]) {
    const response = await post('/api/catalog/rename', { id: 7, name: 'Hall' }, accept ? { accept } : {})
    assert.equal(response.status, 200)
    assert.equal(await response.text(), `{"result":${NOT_EXIST}}`)
  }
})

test('a success is the same for all clients', async () => {
  const response = await admin.raw('GET', '/api/session', { headers: ACCEPT })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(((await response.json()) as { result: number }).result, SUCCESS)
})

test('a request without a session, and an unknown path, have their own status', async () => {
  const stranger = await hub.client().raw('GET', '/api/device/list', { headers: ACCEPT })
  assert.equal(stranger.status, 401)
  assert.equal(((await stranger.json()) as { result: number }).result, NOT_LOGGED_IN)
  const unknown = await admin.raw('GET', '/api/nothing', { headers: ACCEPT })
  assert.equal(unknown.status, 404)
  assert.equal(((await unknown.json()) as { result: number }).result, UNSUPPORTED)
})

test('every result code has a status, and every error one from 400 on', () => {
  assert.deepEqual(Object.keys(CODE_MEANINGS).sort(), Object.keys(CODE_KEYS).sort())
  const errors = Object.entries(CODE_MEANINGS).filter(([code]) => Number(code) !== 0 && Number(code) !== 1)
  assert.deepEqual(
    errors.filter(([, { status }]) => status < 400 || status > 599),
    []
  )
})

test('the media type is found in a list, whatever its case and its other parameters', () => {
  for (const accept of [PROBLEM, `application/json, ${PROBLEM}`, 'Application/Problem+JSON;q=0.5'])
    assert.ok(wantsProblems(accept), accept)
  for (const accept of [null, '', '*/*', 'application/json', `${PROBLEM};q=0`, `${PROBLEM}; q=0.0`])
    assert.ok(!wantsProblems(accept), String(accept))
})

test.run()
