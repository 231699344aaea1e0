// Every declared call with every kind of bad input: a result code or 4xx, never a 5xx, and nothing changes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { declaredCalls, requestShape } from '../../../contract/requests.ts'
import { logout, logoutByGet } from '../../../contract/session.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub.ts'

const test = suite('bad input')
let hub: TestHub
let admin: Client
test.before(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after(() => hub.close())

const NASTY: readonly unknown[] = [
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

/** Every field that any call takes. */
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

function state(): string {
  const { database } = hub.hub.store
  return ['user', 'user_group', 'node', 'device', 'input', 'output', 'channel', 'channel_output', 'setting']
    .map((table) => JSON.stringify(database.all(`SELECT * FROM ${table}`)))
    .join('\n')
}

const calls = declaredCalls().filter((call) => call !== logout && call !== logoutByGet)

async function refused(response: Response, what: string): Promise<void> {
  assert.ok(response.status < 500, `${what}: ${response.status}`)
  if (response.status === 200 && response.headers.get('content-type')?.includes('json')) {
    const { result } = (await response.json()) as { result: unknown }
    assert.equal(typeof result, 'number', what)
  } else await response.body?.cancel()
}

for (const call of calls) {
  test(`${call.method} ${call.path} survives bad fields`, async () => {
    const before = state()
    for (const value of NASTY) {
      // Each field alone, then all at once.
      const requests = [
        ...FIELDS.map((field) => ({ [field]: value })),
        Object.fromEntries(FIELDS.map((field) => [field, value]))
      ]
      for (const request of requests) {
        const valid = requestShape(call)?.safeParse(request).success
        if (valid) continue
        const query = new URLSearchParams(
          Object.entries(request).map(([name, each]) => [name, JSON.stringify(each)])
        ).toString()
        const response =
          call.method === 'GET'
            ? await admin.raw('GET', `/api${call.path}?${query}`)
            : await admin.raw('POST', `/api${call.path}`, {
                body: JSON.stringify(request),
                headers: { 'content-type': 'application/json' }
              })
        await refused(response, JSON.stringify(request).slice(0, 200))
      }
    }
    assert.equal(state(), before)
  })

  test(`${call.method} ${call.path} survives bad bodies`, async () => {
    const before = state()
    const path = `/api${call.path}`
    const json = { 'content-type': 'application/json' }
    for (const body of ['{', '[]', '1', 'null', '"x"', '{"a":'.repeat(5000), '\xff\xfe'])
      await refused(await admin.raw('POST', path, { body, headers: json }), body.slice(0, 20))
    const huge = await admin.raw('POST', path, { body: `{"id":"${'x'.repeat(10 << 20)}"}`, headers: json })
    // What takes files has no such bound, but does not take this for one.
    if (call.body) await refused(huge, '10 MB')
    else assert.ok(huge.status === 413 || huge.status === 405, `10 MB: ${huge.status}`)
    const form = await admin.raw('POST', path, {
      body: 'id=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
    if (call.body) await refused(form, 'a form')
    else assert.ok(form.status === 415 || form.status === 405, `form: ${form.status}`)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      assert.equal((await admin.raw(method, path)).status, 405, method)
    assert.equal(state(), before)
  })
}

test('a change from another site is refused, and an unknown call is 404', async () => {
  const from = (origin: string) =>
    admin.raw('POST', '/api/channel/add', {
      body: JSON.stringify({ name: 'X' }),
      headers: { 'content-type': 'application/json', origin }
    })
  assert.equal((await from('http://evil.example')).status, 403)
  assert.equal((await from('null')).status, 403)
  assert.equal((await admin.raw('GET', '/api/nothing')).status, 404)
  assert.equal(hub.hub.store.channels.all().length, 0)
})

test.run()
