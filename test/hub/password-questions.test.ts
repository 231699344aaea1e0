// Which requests ask an administrator for the password again, and which can take channels off air, compared with the
// hand-written table in `call-rights.ts`. `off-air-calls.test.ts` tests that each of them says which.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REAUTHENTICATION_REQUIRED } from '../../contract/codes.ts'
import { listDeclaredCalls } from '../../make/wire/declared-calls.ts'
import { startHub, type TestHub } from '../kit/hub/hub.ts'
import { CALL_RIGHTS, nameOfCall, rowOfRequest } from './call-rights.ts'
import { HARMLESS_REQUESTS, STORED_SETTINGS } from './every-call-requests.ts'

const test = suite('questions for the password')

/** The rows that take something. */
const rowsWith = (what: string) =>
  Object.entries(CALL_RIGHTS).flatMap(([row, [, , takes]]) => (takes?.includes(what) ? [row] : []))
const ROWS = rowsWith('password')
const isCall = (row: string) => row.split(' ').length === 2

let hub: TestHub
test.before.each(async () => {
  hub = await startHub()
  const { database, settings } = hub.parts.store
  database.transaction(() => {
    for (const [part, value] of Object.entries(STORED_SETTINGS)) settings.set(part as 'log', value as never)
  })
})
test.after.each(() => hub.close())

/**
 * The rows of the requests that ask an administrator for the password.
 * @param isRecent whether it was just proved
 */
async function askedRows(isRecent: boolean): Promise<string[]> {
  const asked = new Set<string>()
  let client = hub.clientAs()
  for (const call of listDeclaredCalls())
    for (const request of [{}, ...(HARMLESS_REQUESTS.get(call) ?? [])]) {
      const isGet = call.method === 'GET'
      const query = isGet ? new URLSearchParams(Object.entries(request)).toString() : ''
      if (!isRecent) hub.parts.store.database.run('UPDATE session SET authenticated = 1')
      const response = await client.raw(call.method, `/api${call.path}${query && `?${query}`}`, {
        ...(!isGet && { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } })
      })
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const { result }: { result?: number } = isJson ? await response.json() : {}
      if (!isJson) await response.body?.cancel()
      if (result === REAUTHENTICATION_REQUIRED) asked.add(rowOfRequest(call, request))
      if (/logout/.test(call.path)) client = hub.clientAs()
    }
  return [...asked].sort()
}

test('a session that proved its password long ago is asked for it by the requests of the table, and by no others', async () => {
  assert.deepEqual(await askedRows(false), ROWS.toSorted())
})

test('a session that has just proved it is asked by none', async () => {
  assert.deepEqual(await askedRows(true), [])
})

test('the calls of the table that ask for the password, and those that can take channels off air, are declared so', () => {
  const calls = listDeclaredCalls()
  const asking = calls.filter(({ reauthenticate }) => reauthenticate)
  assert.deepEqual(asking.map(nameOfCall).sort(), ROWS.filter(isCall).sort())
  const interrupting = calls.filter(({ interrupts }) => interrupts)
  assert.deepEqual(interrupting.map(nameOfCall).sort(), rowsWith('interrupts').filter(isCall).sort())
})

test.run()
