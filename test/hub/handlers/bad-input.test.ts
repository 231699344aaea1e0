// Sends every kind of bad input to every declared call. Each response has a result code or status 4xx, never 5xx, and
// nothing changes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { logout, logoutByGet } from '../../../contract/access/session.ts'
import { schemaOf } from '../../../contract/calls.schema.ts'
import { listDeclaredCalls } from '../../../make/wire/declared-calls.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'

const test = suite('bad input')
let hub: TestHub
let admin: Client
test.before(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after(() => hub.close())

const BAD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  0.5,
  '',
  'NaN',
  '-1',
  '1e9',
  'x'.repeat(100_000),
  '\0',
  '../../etc/passwd',
  "'; DROP TABLE user; --",
  [],
  [null],
  [[]],
  {},
  { toString: 1 },
  { __proto__: null, id: 1 }
]

/** Field names that calls use. */
const FIELDS = [
  'id',
  'sn',
  'name',
  'pass',
  'passwd',
  'old-passwd',
  'config',
  'protocol',
  'outputs',
  'input',
  'enable',
  'add',
  'del',
  'type',
  'start',
  'count',
  'since',
  'sort',
  'order',
  'key',
  'status',
  'dir',
  'reg-state',
  'security',
  'expired-time',
  'force',
  'live',
  'history',
  'v',
  'module',
  'catalog',
  'is-favorite',
  'output-start',
  'output-count'
]

function dumpTables(): string {
  const { database } = hub.parts.store
  return ['user', 'user_group', 'node', 'device', 'input', 'output', 'channel', 'channel_output', 'setting']
    .map((table) => JSON.stringify(database.all(`SELECT * FROM ${table}`)))
    .join('\n')
}

const calls = listDeclaredCalls().filter((call) => call !== logout && call !== logoutByGet)

async function assertNoServerError(response: Response, context: string): Promise<void> {
  assert.ok(response.status < 500, `${context}: ${response.status}`)
  if (response.status === 200 && response.headers.get('content-type')?.includes('json')) {
    const { result } = (await response.json()) as { result: unknown }
    assert.equal(typeof result, 'number', context)
  } else await response.body?.cancel()
}

const queryOf = (request: object) =>
  new URLSearchParams(Object.entries(request).map(([name, each]) => [name, JSON.stringify(each)])).toString()

/** Longer than any body in JSON may be. */
const HUGE_BODY = new TextEncoder().encode(`{"id":"${'x'.repeat(10 << 20)}"}`)

for (const call of calls) {
  test(`${call.method} ${call.path} survives bad fields`, async () => {
    const before = dumpTables()
    for (const value of BAD_VALUES) {
      // Each field alone, then all of them.
      const requests = [
        ...FIELDS.map((field) => ({ [field]: value })),
        Object.fromEntries(FIELDS.map((field) => [field, value]))
      ]
      for (const request of requests) {
        const valid = schemaOf(call)?.request.safeParse(request).success
        if (valid) continue
        const body = JSON.stringify(request)
        const response =
          call.method === 'GET'
            ? await admin.raw('GET', `/api${call.path}?${queryOf(request)}`)
            : await admin.raw('POST', `/api${call.path}`, { body, headers: { 'content-type': 'application/json' } })
        await assertNoServerError(response, body.slice(0, 200))
      }
    }
    assert.equal(dumpTables(), before)
  })

  test(`${call.method} ${call.path} survives bad bodies`, async () => {
    const before = dumpTables()
    const path = `/api${call.path}`
    const json = { 'content-type': 'application/json' }
    for (const body of ['{', '[]', '1', 'null', '"x"', '{"a":'.repeat(5000), '\xff\xfe'])
      await assertNoServerError(await admin.raw('POST', path, { body, headers: json }), body.slice(0, 20))
    const huge = await admin.post(path, HUGE_BODY, json)
    // Calls for file uploads have no such limit, but refuse this body as a file.
    if (call.body) await assertNoServerError(huge, '10 MB')
    else assert.ok(huge.status === 413 || huge.status === 405, `10 MB: ${huge.status}`)
    const form = await admin.raw('POST', path, {
      body: 'id=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
    if (call.body) await assertNoServerError(form, 'a form')
    else assert.ok(form.status === 415 || form.status === 405, `form: ${form.status}`)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      assert.equal((await admin.raw(method, path)).status, 405, method)
    assert.equal(dumpTables(), before)
  })
}

test('a change from another site is refused, and an unknown call returns 404', async () => {
  const from = (origin: string) =>
    admin.raw('POST', '/api/channel/add', {
      body: JSON.stringify({ name: 'X' }),
      headers: { 'content-type': 'application/json', origin }
    })
  assert.equal((await from('http://evil.example')).status, 403)
  assert.equal((await from('null')).status, 403)
  assert.equal((await admin.raw('GET', '/api/nothing')).status, 404)
  assert.equal(hub.parts.store.channels.all().length, 0)
})

test.run()
