import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { getSession } from '../../../../contract/access/session.ts'
import {
  type AddTokenRequest,
  addToken,
  deleteTokens,
  listTokens,
  NEVER_EXPIRES
} from '../../../../contract/access/token.ts'
import {
  ALREADY_EXISTS,
  INVALID_ARG,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY
} from '../../../../contract/codes.ts'
import { listDevices } from '../../../../contract/device/device.ts'
import { TOKENS_MAX } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { hashSecret } from '../../../../web-server/credentials.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('token')
hubForEach(test)

/** A client that authenticates with a new token. */
async function withToken(request: Partial<AddTokenRequest> = {}): Promise<Client & { id: number; token: string }> {
  const { id, token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, ...request })
  return Object.assign(hub.client('192.0.2.7'), { id, token })
}

const rows = () => hub.parts.store.tokens.all()

test('a token has 64 random letters and digits, and authenticates its owner without a cookie', async () => {
  addSignedInUser(hub, 'vera', DEVICE_VIEW)
  const [firstProgram, secondProgram] = [await withToken({ owner: 'vera' }), await withToken({ owner: 'vera' })]
  for (const { token } of [firstProgram, secondProgram]) assert.match(token, /^[A-Za-z0-9]{64}$/)
  assert.notEqual(firstProgram.token, secondProgram.token)
  const reply = await firstProgram.send(getSession, {})
  assert.deepEqual([reply.result, reply.user.name, reply.user.permission], [0, 'vera', DEVICE_VIEW])
  assert.equal((await firstProgram.send(listDevices, {})).result, SUCCESS)
  assert.equal(firstProgram.cookie, '', 'no response to a token creates a session')
})

test('all letters and digits are equally frequent', async () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 60; n++)
    for (const letter of (await withToken()).token) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // Each of the 62 characters has the same expected count. A deviation of 7 sigma occurs once in a billion runs.
  for (const [letter, count] of counts) assert.ok(count > 6 && count < 118, `${letter} ${count}`)
})

test('a token is returned once: only its hash is stored, and list, log and errors have only its start', async () => {
  const { token } = await withToken({ name: 'Playout' })
  await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, token })
  const [row] = rows()
  assert.equal(row?.hash, hashSecret(token))
  const visibleText = JSON.stringify([
    await admin.send(listTokens, {}),
    await admin.send(listLog, { type: 'operation' }),
    await admin.send(listLog, { type: 'system' }),
    hub.parts.store.database.all('SELECT * FROM token')
  ])
  assert.ok(visibleText.includes('Playout'))
  assert.ok(visibleText.includes(token.slice(0, 6)), 'enough to recognize it')
  assert.ok(!visibleText.includes(token.slice(0, 7)) && !visibleText.includes(token.slice(10)))
})

test('the list has owner, expiry, and time and address of the last use', async () => {
  addSignedInUser(hub, 'vera', DEVICE_VIEW)
  const expires = Date.now() + 60_000
  await withToken()
  const client = await withToken({ name: 'Wall', owner: 'vera', 'expired-time': expires })
  const [fresh] = (await admin.send(listTokens, { count: 1 })).list
  assert.deepEqual([fresh?.name, fresh?.owner, fresh?.['expired-time']], ['Wall', 'vera', expires])
  assert.deepEqual([fresh?.['used-time'], fresh?.['used-ip']], [undefined, undefined])
  assert.ok(Date.now() - (fresh?.['create-time'] ?? 0) < 5000)
  await client.send(getSession, {})
  const { list, total } = await admin.send(listTokens, {})
  assert.deepEqual([total, list.length, list[1]?.['used-time']], [2, 2, undefined])
  assert.ok(Date.now() - (list[0]?.['used-time'] ?? 0) < 5000)
  assert.equal(list[0]?.['used-ip'], '192.0.2.7')
})

test('the last use is written at most every 30 seconds', async () => {
  const client = await withToken()
  await client.send(getSession, {})
  const lastUse = rows()[0]?.used ?? 0
  hub.parts.store.database.run('UPDATE token SET used = ?', lastUse - 29_000)
  await client.send(getSession, {})
  assert.equal(rows()[0]?.used, lastUse - 29_000)
  hub.parts.store.database.run('UPDATE token SET used = ?', lastUse - 31_000)
  await client.send(getSession, {})
  assert.ok((rows()[0]?.used ?? 0) >= lastUse)
})

test('revoked, expired and invented tokens, and tokens of deleted users, get result 37', async () => {
  const resultOf = async (client: Client) => (await client.send(systemStatus, {})).result
  addSignedInUser(hub, 'carl', DEVICE_VIEW)
  const revokedToken = await withToken({ owner: 'carl' })
  assert.equal(await resultOf(revokedToken), 0)
  assert.equal((await admin.send(deleteTokens, { id: revokedToken.id })).result, SUCCESS)
  assert.equal(await resultOf(revokedToken), NOT_LOGGED_IN)

  const expired = await withToken({ owner: 'carl', 'expired-time': Date.now() + 3_600_000 })
  assert.equal(await resultOf(expired), 0)
  hub.parts.store.database.run('UPDATE token SET expires = ? WHERE id = ?', Date.now(), expired.id)
  assert.equal(await resultOf(expired), NOT_LOGGED_IN, 'at that very millisecond')

  addSignedInUser(hub, 'vera', DEVICE_VIEW)
  const ownerDeleted = await withToken({ owner: 'vera' })
  hub.parts.store.database.run('DELETE FROM user WHERE name = ?', 'vera')
  assert.equal(await resultOf(ownerDeleted), NOT_LOGGED_IN)
  assert.ok(!rows().some(({ id }) => id === ownerDeleted.id), 'the token is deleted with its owner')

  for (const token of ['', 'x', 'A'.repeat(63), 'A'.repeat(64), 'A'.repeat(65), `${'A'.repeat(63)}-`, rows()[0]?.hash])
    assert.equal(await resultOf(Object.assign(hub.client(), { token })), NOT_LOGGED_IN, token)
})

test('with a token in the request the cookie does not count, however the scheme is spelled', async () => {
  const { token } = await withToken({ owner: 'Admin' })
  const sendAuthorization = async (authorization: string) => {
    const response = await admin.raw('GET', '/api/session', { headers: { authorization } })
    return ((await response.json()) as { result: number }).result
  }
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
    assert.equal(await sendAuthorization(header), 0, header.slice(0, 10))
  for (const header of [
    'Bearer',
    'bearer x',
    `Bearer ${token}x`,
    `Bearer ${token} x`,
    `Bearer ${token}, Bearer ${token}`
  ])
    assert.equal(await sendAuthorization(header), NOT_LOGGED_IN, header.slice(0, 10))
  // Other schemes, such as those of a reverse proxy, do not concern the hub.
  assert.equal(await sendAuthorization('Basic dXNlcjpwYXNz'), 0)
  assert.equal(await sendAuthorization(`Bearers ${token}`), 0)
})

test('a token has the current permissions of its owner, and is limited while the default password is in use', async () => {
  addSignedInUser(hub, 'vera', 0)
  const client = await withToken({ owner: 'vera' })
  assert.equal((await client.send(listDevices, {})).result, NOT_PERMITTED)
  hub.parts.store.database.run('UPDATE user_group SET permission = ? WHERE type = 8', DEVICE_VIEW)
  assert.equal((await client.send(listDevices, {})).result, SUCCESS)
  const { token } = await withToken({ owner: 'Admin' })
  const [near, far] = [hub.client(), hub.client('192.0.2.7')].map((tokenClient) =>
    Object.assign(tokenClient, { token })
  )
  assert.equal((await near?.send(listDevices, {}))?.result, SUCCESS)
  assert.equal((await far?.send(listDevices, {}))?.result, NOT_PERMITTED)
  assert.equal((await far?.send(getSession, {}))?.['must-change-password'], true)
})

test('a new token needs an existing owner, an expiry in the future, and a value not in use', async () => {
  const add = (request: Partial<AddTokenRequest>) => admin.send(addToken, { 'expired-time': NEVER_EXPIRES, ...request })
  const getError = async (request: Partial<AddTokenRequest>) => {
    const { result, field } = await add(request)
    return [result, field]
  }
  assert.deepEqual(await getError({ owner: 'nobody' }), [NOT_EXIST, 'owner'])
  for (const end of [1, Date.now() - 1, Math.floor(Date.now() / 1000)])
    assert.deepEqual(await getError({ 'expired-time': end }), [INVALID_ARG, 'expired-time'])
  for (const end of [0, -2, 0.5]) assert.equal((await add({ 'expired-time': end })).result, INVALID_ARG)
  const token = 'aB3'.repeat(21).concat('x')
  assert.equal((await add({ token })).token, token, 'a token generated elsewhere is accepted')
  assert.deepEqual(await getError({ token }), [ALREADY_EXISTS, 'token'])
  for (const invalidToken of ['', token.slice(1), `${token}x`, `${token.slice(1)}-`, `${token.slice(1)}é`])
    assert.deepEqual(await getError({ token: invalidToken }), [INVALID_ARG, 'token'], invalidToken)
  assert.equal(rows().length, 1)
})

test('there are at most a hundred tokens; of several to be revoked all are, or none', async () => {
  const ids: number[] = []
  for (let n = 0; n < TOKENS_MAX; n++) ids.push((await withToken()).id)
  const reply = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES })
  assert.deepEqual([reply.result, reply.max], [TOO_MANY, 100])
  assert.equal((await admin.send(deleteTokens, { id: [ids[0] ?? 0, 999_999] })).result, NOT_EXIST)
  assert.equal(rows().length, 100)
  assert.equal((await admin.send(deleteTokens, { id: [...ids.slice(0, 10), ids[0] ?? 0] })).result, SUCCESS)
  assert.equal(rows().length, 90)
})

test('consoles that show the users are notified of new, used and revoked tokens', async () => {
  const rev = () => hub.parts.store.changes.revs().user
  const revisions = [rev()]
  const client = await withToken()
  revisions.push(rev())
  await client.send(getSession, {})
  revisions.push(rev())
  await admin.send(deleteTokens, { id: client.id })
  revisions.push(rev())
  assert.equal(new Set(revisions).size, 4)
})

test.run()
