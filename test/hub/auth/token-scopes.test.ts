import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { scopesOfToken } from '../../../accounts/access-tokens.ts'
import { ALL_PERMISSIONS, DEVICE_VIEW, GROUP_ADMIN, SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { changePassword, getSession } from '../../../contract/access/session.ts'
import {
  type AddTokenRequest,
  addToken,
  deleteTokens,
  listTokens,
  NEVER_EXPIRES,
  TOKEN_SCOPES,
  type TokenScope
} from '../../../contract/access/token.ts'
import { addGroup, addUser, endSessions, listSessions, listUsers } from '../../../contract/access/user.ts'
import type { Envelope } from '../../../contract/call.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { getRevisions } from '../../../contract/change-feed.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, listDevices, setDeviceSecurity, setFavorite } from '../../../contract/device/device.ts'
import { clearLog, listLog } from '../../../contract/log.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { revertUpdate } from '../../../contract/update.ts'
import { openDatabase } from '../../../hub/database/database.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { tokens } from '../../../hub/store/tokens.ts'
import { openFeed } from '../../kit/hub/feed-listener.ts'
import { addSignedInUser, bearerHeader, type Client, md5 } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('token scopes')
hubForEach(test)

/** A client that authenticates with a new token. */
async function withToken(request: Partial<AddTokenRequest> = {}): Promise<Client & { id: number; token: string }> {
  const { id, token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, ...request })
  return Object.assign(hub.client(), { id, token })
}

test('a token of an administrator, with every scope, manages no users, groups, tokens, sessions or updates', async () => {
  const program = await withToken({ scopes: [...TOKEN_SCOPES] })
  const passwd = md5('another password')
  const replies: Envelope[] = [
    await program.send(addUser, { name: 'mallory', passwd, 'group-id': GROUP_ADMIN }),
    await program.send(changePassword, { name: 'Admin', passwd }),
    await program.send(addGroup, { name: 'Crew', permissions: DEVICE_VIEW }),
    await program.send(addToken, { 'expired-time': NEVER_EXPIRES }),
    await program.send(listTokens, {}),
    await program.send(deleteTokens, { id: program.id }),
    await program.send(listUsers, {}),
    await program.send(listSessions, {}),
    await program.send(endSessions, { id: 1 }),
    await program.send(setSettings, { 'pwd-rule': { length: 1 } }),
    await program.send(setDeviceSecurity, { sn: 'X', security: { 'is-inherit': 1 } }),
    await program.send(revertUpdate, {}),
    await program.send(clearLog, { type: 'operation' })
  ]
  assert.deepEqual([...new Set(replies.map(({ result }) => result))], [NOT_PERMITTED])
  assert.deepEqual(
    hub.parts.store.users.all().map(({ name }) => name),
    ['Admin']
  )
})

test('a token has only those permissions of its owner that its scopes include', async () => {
  const calls: [scope: TokenScope, send: (client: Client) => Promise<Envelope>][] = [
    ['read', (client) => client.send(listCatalogs, {})],
    ['channels', (client) => client.send(addChannel, { name: 'x', config: { 'play-key': 'x', 'push-key': 'x' } })],
    ['devices', (client) => client.send(acceptDevices, { sn: ['X'] })],
    ['settings', (client) => client.send(setSettings, { previews: { 'data-saver': false } })]
  ]
  for (const scope of TOKEN_SCOPES) {
    const client = await withToken({ scopes: [scope] })
    for (const [required, send] of calls)
      assert.equal((await send(client)).result === NOT_PERMITTED, required !== scope, `${scope} ${required}`)
  }
  addSignedInUser(hub, 'vera', SYSTEM_CONFIG_VIEW)
  const ofVera = await withToken({ owner: 'vera', scopes: [...TOKEN_SCOPES] })
  assert.equal((await ofVera.send(listDevices, {})).result, NOT_PERMITTED, 'a scope grants nothing')
  assert.equal((await ofVera.send(getSession, {})).user.permission, SYSTEM_CONFIG_VIEW)
})

test('a token without scopes in its request may only read; list and log have the scopes', async () => {
  const reader = await withToken({ name: 'Wall' })
  assert.equal((await reader.send(listDevices, {})).result, SUCCESS)
  assert.equal((await reader.send(setSettings, { 'expired-time': 30 })).result, NOT_PERMITTED)
  assert.equal((await reader.send(setFavorite, { sn: ['X'], favorite: true })).result, NOT_PERMITTED)
  await withToken({ scopes: ['metrics', 'channels'] })
  const { list } = await admin.send(listTokens, {})
  assert.deepEqual(
    list.map(({ scopes }) => scopes),
    [['channels', 'metrics'], ['read']]
  )
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.match(line?.detail ?? '', /… \(metrics, channels\)$/)
  for (const scopes of [[], ['everything'], ['read', '']] as TokenScope[][])
    assert.equal((await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes })).result, INVALID_ARG)
})

test('a token with the scope metrics alone reads the metrics, but makes no call and opens no change feed', async () => {
  const metrics = await withToken({ scopes: ['metrics'] })
  for (const call of [getSession, systemStatus, getRevisions])
    assert.equal((await metrics.send<object, object>(call, {})).result, NOT_PERMITTED, call.path)
  const { port } = await hub.listen(0, 0)
  await assert.rejects(openFeed(port, bearerHeader(metrics.token)), /\b401$/)
  ;(await openFeed(port, bearerHeader((await withToken({ scopes: ['channels'] })).token))).subscribe('channel')
})

test('metrics are for the Admin group, and for its tokens with the scope', async () => {
  const { gate } = hub.parts
  const mayRead = ({ token, cookie }: Client, address = '127.0.0.1') => {
    const caller = gate.caller(new Headers({ cookie, ...bearerHeader(token) }), address)
    assert.ok(caller)
    return gate.mayReadMetrics(caller)
  }
  const metrics = await withToken({ scopes: ['metrics'] })
  assert.equal(mayRead(metrics), true)
  assert.equal(mayRead(metrics, '192.0.2.7'), false, 'the owner has the default password')
  assert.equal(mayRead(await withToken({ scopes: ['read', 'channels', 'devices', 'settings'] })), false)
  assert.equal(mayRead(admin), true)
  addSignedInUser(hub, 'vera', ALL_PERMISSIONS)
  assert.equal(mayRead(await withToken({ owner: 'vera', scopes: ['metrics'] })), false, 'never more than its owner')
})

test('a token of an earlier version keeps all scopes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-tokens-'))
  const file = join(folder, 'headend.sqlite')
  const earlier = MIGRATIONS.findIndex((step) => /ALTER TABLE token ADD COLUMN scopes/.test(step))
  const connection = new DatabaseSync(file)
  for (const step of MIGRATIONS.slice(0, earlier)) connection.exec(step)
  connection.exec(`PRAGMA user_version=${earlier};
    INSERT INTO user_group (id, name, permission, type) VALUES (1, 'Admin', 4294967295, 1);
    INSERT INTO user (id, name, group_id, password) VALUES (1, 'Admin', 1, '');
    INSERT INTO token (hash, begin, name, user_id, created, expires) VALUES ('x', 'x', 'Playout', 1, 1, -1)`)
  connection.close()
  const database = openDatabase(file)
  const [row] = tokens(database).all()
  assert.deepEqual([row?.name, row && scopesOfToken(row)], ['Playout', [...TOKEN_SCOPES]])
  database.close()
  rmSync(folder, { recursive: true })
})

test.run()
