import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALREADY_EXISTS,
  INVALID_ARG,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  TOO_MANY
} from '../../../../contract/codes.ts'
import { listDevices } from '../../../../contract/device/device.ts'
import { TOKENS_MAX } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { DEVICE_VIEW } from '../../../../contract/permissions.ts'
import { whoAmI } from '../../../../contract/session.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { addToken, deleteTokens, listTokens, type NewToken, UNLIMITED } from '../../../../contract/token.ts'
import { hashOf } from '../../../../hub/auth/gate.ts'
import { type Client, join } from '../../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub-of-test.ts'

const test = suite('token')
hubForEach(test)

/** A client that speaks with a new token. */
async function withToken(request: Partial<NewToken> = {}): Promise<Client & { id: number; token: string }> {
  const { id, token } = await admin.send(addToken, { 'expired-time': UNLIMITED, ...request })
  return Object.assign(hub.client('192.0.2.7'), { id, token })
}

const rows = () => hub.hub.store.tokens.all()

test('a token is 64 letters and digits, another one each time, and speaks for its owner without a cookie', async () => {
  join(hub, 'vera', DEVICE_VIEW)
  const [one, two] = [await withToken({ owner: 'vera' }), await withToken({ owner: 'vera' })]
  for (const { token } of [one, two]) assert.match(token, /^[A-Za-z0-9]{64}$/)
  assert.notEqual(one.token, two.token)
  const reply = await one.send(whoAmI, {})
  assert.deepEqual([reply.result, reply.user.name, reply.user.permission], [0, 'vera', DEVICE_VIEW])
  assert.equal((await one.send(listDevices, {})).result, 0)
  assert.equal(one.cookie, '', 'no answer to a token gives a session')
})

test('all letters and digits come up alike', async () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 60; n++)
    for (const letter of (await withToken()).token) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // 62 of each are to be expected: off by 7 standard deviations once in a billion runs.
  for (const [letter, count] of counts) assert.ok(count > 6 && count < 118, `${letter} ${count}`)
})

test('it is shown once: kept is a hash, and neither list nor log nor a refusal holds more than its beginning', async () => {
  const { token } = await withToken({ name: 'Playout' })
  await admin.send(addToken, { 'expired-time': UNLIMITED, token })
  const [row] = rows()
  assert.equal(row?.hash, hashOf(token))
  const told = JSON.stringify([
    await admin.send(listTokens, {}),
    await admin.send(listLog, { type: 'operation' }),
    await admin.send(listLog, { type: 'system' }),
    hub.hub.store.database.all('SELECT * FROM token')
  ])
  assert.ok(told.includes('Playout'))
  assert.ok(told.includes(token.slice(0, 6)), 'enough to recognise it')
  assert.ok(!told.includes(token.slice(0, 7)) && !told.includes(token.slice(10)))
})

test('the list tells whose it is, until when, and when and from where it was used last', async () => {
  join(hub, 'vera', DEVICE_VIEW)
  const expires = Date.now() + 60_000
  await withToken()
  const client = await withToken({ name: 'Wall', owner: 'vera', 'expired-time': expires })
  const [fresh] = (await admin.send(listTokens, { count: 1 })).list
  assert.deepEqual([fresh?.name, fresh?.owner, fresh?.['expired-time']], ['Wall', 'vera', expires])
  assert.deepEqual([fresh?.['used-time'], fresh?.['used-ip']], [undefined, undefined])
  assert.ok(Date.now() - (fresh?.['create-time'] ?? 0) < 5000)
  await client.send(whoAmI, {})
  const { list, total } = await admin.send(listTokens, {})
  assert.deepEqual([total, list.length, list[1]?.['used-time']], [2, 2, undefined])
  assert.ok(Date.now() - (list[0]?.['used-time'] ?? 0) < 5000)
  assert.equal(list[0]?.['used-ip'], '192.0.2.7')
})

test('its last use is written every half minute at most', async () => {
  const client = await withToken()
  await client.send(whoAmI, {})
  const used = rows()[0]?.used ?? 0
  hub.hub.store.database.run('UPDATE token SET used = ?', used - 29_000)
  await client.send(whoAmI, {})
  assert.equal(rows()[0]?.used, used - 29_000)
  hub.hub.store.database.run('UPDATE token SET used = ?', used - 31_000)
  await client.send(whoAmI, {})
  assert.ok((rows()[0]?.used ?? 0) >= used)
})

test('revoked, expired, made up, or of an owner who is gone: 37', async () => {
  const answer = async (client: Client) => (await client.send(systemStatus, {})).result
  join(hub, 'carl', DEVICE_VIEW)
  const revoked = await withToken({ owner: 'carl' })
  assert.equal(await answer(revoked), 0)
  assert.equal((await admin.send(deleteTokens, { id: revoked.id })).result, 0)
  assert.equal(await answer(revoked), NOT_LOGGED_IN)

  const expired = await withToken({ owner: 'carl', 'expired-time': Date.now() + 3_600_000 })
  assert.equal(await answer(expired), 0)
  hub.hub.store.database.run('UPDATE token SET expires = ? WHERE id = ?', Date.now(), expired.id)
  assert.equal(await answer(expired), NOT_LOGGED_IN, 'at that very millisecond')

  join(hub, 'vera', DEVICE_VIEW)
  const orphan = await withToken({ owner: 'vera' })
  hub.hub.store.database.run('DELETE FROM user WHERE name = ?', 'vera')
  assert.equal(await answer(orphan), NOT_LOGGED_IN)
  assert.ok(!rows().some(({ id }) => id === orphan.id), 'it is gone with its owner')

  for (const token of ['', 'x', 'A'.repeat(63), 'A'.repeat(64), 'A'.repeat(65), `${'A'.repeat(63)}-`, rows()[0]?.hash])
    assert.equal(await answer(Object.assign(hub.client(), { token })), NOT_LOGGED_IN, token)
})

test('where a token is sent the cookie does not count, in whatever way the scheme is written', async () => {
  const { token } = await withToken({ owner: 'Admin' })
  const say = async (authorization: string) => {
    const response = await admin.raw('GET', '/api/session', { headers: { authorization } })
    return ((await response.json()) as { result: number }).result
  }
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
    assert.equal(await say(header), 0, header.slice(0, 10))
  for (const header of [
    'Bearer',
    'bearer x',
    `Bearer ${token}x`,
    `Bearer ${token} x`,
    `Bearer ${token}, Bearer ${token}`
  ])
    assert.equal(await say(header), NOT_LOGGED_IN, header.slice(0, 10))
  // What a front server asks for is none of the hub's business.
  assert.equal(await say('Basic dXNlcjpwYXNz'), 0)
  assert.equal(await say(`Bearers ${token}`), 0)
})

test('it carries the rights its owner has now, and those of the first password only', async () => {
  join(hub, 'vera', 0)
  const client = await withToken({ owner: 'vera' })
  assert.equal((await client.send(listDevices, {})).result, NOT_PERMITTED)
  hub.hub.store.database.run('UPDATE user_group SET permission = ? WHERE type = 8', DEVICE_VIEW)
  assert.equal((await client.send(listDevices, {})).result, 0)
  const { token } = await withToken({ owner: 'Admin' })
  const [near, far] = [hub.client(), hub.client('192.0.2.7')].map((one) => Object.assign(one, { token }))
  assert.equal((await near?.send(listDevices, {}))?.result, 0)
  assert.equal((await far?.send(listDevices, {}))?.result, NOT_PERMITTED)
  assert.equal((await far?.send(whoAmI, {}))?.['must-change-password'], true)
})

test('a new token needs an owner who exists, an end that is to come, and one that is not there yet', async () => {
  const add = (request: Partial<NewToken>) => admin.send(addToken, { 'expired-time': UNLIMITED, ...request })
  const told = async (request: Partial<NewToken>) => {
    const { result, field } = await add(request)
    return [result, field]
  }
  assert.deepEqual(await told({ owner: 'nobody' }), [NOT_EXIST, 'owner'])
  for (const end of [1, Date.now() - 1, Math.floor(Date.now() / 1000)])
    assert.deepEqual(await told({ 'expired-time': end }), [INVALID_ARG, 'expired-time'])
  for (const end of [0, -2, 0.5]) assert.equal((await add({ 'expired-time': end })).result, INVALID_ARG)
  const token = 'aB3'.repeat(21).concat('x')
  assert.equal((await add({ token })).token, token, 'one that was made elsewhere is taken as it is')
  assert.deepEqual(await told({ token }), [ALREADY_EXISTS, 'token'])
  for (const bad of ['', token.slice(1), `${token}x`, `${token.slice(1)}-`, `${token.slice(1)}é`])
    assert.deepEqual(await told({ token: bad }), [INVALID_ARG, 'token'], bad)
  assert.equal(rows().length, 1)
})

test('there are a hundred at most; of several to be revoked all are, or none', async () => {
  const ids: number[] = []
  for (let n = 0; n < TOKENS_MAX; n++) ids.push((await withToken()).id)
  const reply = await admin.send(addToken, { 'expired-time': UNLIMITED })
  assert.deepEqual([reply.result, reply.max], [TOO_MANY, 100])
  assert.equal((await admin.send(deleteTokens, { id: [ids[0] ?? 0, 999_999] })).result, NOT_EXIST)
  assert.equal(rows().length, 100)
  assert.equal((await admin.send(deleteTokens, { id: [...ids.slice(0, 10), ids[0] ?? 0] })).result, 0)
  assert.equal(rows().length, 90)
})

test('who looks at the users hears of tokens that come, are used, and go', async () => {
  const rev = () => hub.hub.store.changes.revs().user
  const steps = [rev()]
  const client = await withToken()
  steps.push(rev())
  await client.send(whoAmI, {})
  steps.push(rev())
  await admin.send(deleteTokens, { id: client.id })
  steps.push(rev())
  assert.equal(new Set(steps).size, 4)
})

test.run()
