import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createOrganisation } from '../../../cloud/auth/first-users.ts'
import { logout, reauthenticate } from '../../../contract/access/session.ts'
import { addToken, deleteTokens, NEVER_EXPIRES, type TokenScope } from '../../../contract/access/token.ts'
import { addUser } from '../../../contract/access/user.ts'
import type { Call } from '../../../contract/call.ts'
import { setCloudRegistration } from '../../../contract/cloud-registration.ts'
import { CLIENT_NOT_EXIST, INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { deleteDevices } from '../../../contract/device/device.ts'
import { addChannel, channelDashboard } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { CloudClient } from '../../kit/cloud/cloud.ts'
import { type OpenedHub, requestAs, withOpenedHub } from '../../kit/cloud/opened-hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('programs that call a hub with an access token of the cloud')

const issue = (user: CloudClient, scopes: TokenScope[]) =>
  user.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes })

/** The result of a call of a hub with a token. @param host of the cloud by default */
async function resultOf(
  { webPort, sn }: Pick<OpenedHub, 'webPort' | 'sn'>,
  token: string | undefined,
  call: Pick<Call, 'method' | 'path'>,
  fields: object = {},
  host = `localhost:${webPort}`
): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const { text } = await requestAs(webPort, host, `/socket/api${call.path}${sn && `?client-id=${sn}`}`, {
    ...{ method: call.method, headers },
    ...(call.method === 'POST' && { body: JSON.stringify(fields) })
  })
  return JSON.parse(text).result
}

test('a token calls a hub within its scopes, at the origin of the cloud and at that of the hub', () =>
  withOpenedHub(async (fixture) => {
    const { user, sn, webPort } = fixture
    const { token: reading } = await issue(user, ['read'])
    const { token: channels } = await issue(user, ['read', 'channels'])
    for (const host of [undefined, `${sn.toLowerCase()}.localhost:${webPort}`]) {
      const send = (token: string, call: Call<never, unknown>, fields?: object) =>
        resultOf(fixture, token, call, fields, host)
      assert.equal(await send(reading, systemStatus), SUCCESS)
      assert.equal(await send(reading, channelDashboard), SUCCESS)
      assert.equal(await send(reading, addChannel, { name: 'A' }), NOT_PERMITTED)
      assert.equal(await send(channels, addChannel, { name: host ? 'Origin of the hub' : 'Cloud' }), SUCCESS)
      assert.equal(await send(channels, deleteDevices, { sn: ['X'] }), NOT_PERMITTED)
    }
  }))

test('a token of an administrator is no administrator of a hub, and has no session', () =>
  withOpenedHub(async (fixture) => {
    const { token } = await issue(fixture.user, ['read', 'channels', 'devices', 'settings'])
    const send = (call: Call<never, unknown>, fields?: object) => resultOf(fixture, token, call, fields)
    assert.equal(await send(addUser, { name: 'Eve', passwd: 'x'.repeat(32), 'group-id': 1 }), NOT_PERMITTED)
    assert.equal(await send(setCloudRegistration, { enable: false }), NOT_PERMITTED)
    for (const call of [logout, reauthenticate] as Call<never, unknown>[]) assert.equal(await send(call), NOT_PERMITTED)
    const { webPort, sn } = fixture
    const headers = { authorization: `Bearer ${token}` }
    const page = await requestAs(webPort, `${sn.toLowerCase()}.localhost:${webPort}`, '/', { headers })
    assert.equal(JSON.parse(page.text).result, NOT_PERMITTED)
    assert.equal(await send(systemStatus), SUCCESS)
  }))

test('a request below /socket of the cloud without a token, or without a hub of its organisation, is refused', () =>
  withOpenedHub(async (fixture) => {
    const { user, cloud, webPort, sn } = fixture
    const { id, token } = await issue(user, ['read'])
    assert.equal(await resultOf(fixture, undefined, systemStatus), NOT_PERMITTED)
    assert.equal(await resultOf(fixture, 'x'.repeat(64), systemStatus), NOT_LOGGED_IN)
    assert.equal(await resultOf({ webPort, sn: '' }, token, systemStatus), INVALID_ARG)
    assert.equal(await resultOf({ webPort, sn: 'HUB-OTHER' }, token, systemStatus), CLIENT_NOT_EXIST)
    await createOrganisation(cloud.store, 'other', Date.now())
    const { token: foreign } = await issue(await cloud.signIn('Admin', 'Admin', 'other'), ['read'])
    assert.equal(await resultOf(fixture, foreign, systemStatus), CLIENT_NOT_EXIST)
    const ofHub = `${sn.toLowerCase()}.localhost:${webPort}`
    assert.equal(await resultOf(fixture, foreign, systemStatus, {}, ofHub), NOT_LOGGED_IN)
    await user.send(deleteTokens, { id })
    await until(async () => (await resultOf(fixture, token, systemStatus)) === NOT_LOGGED_IN, 'the token is revoked')
  }))

test('a token opens the change feed of a hub, which ends when the token is revoked', () =>
  withOpenedHub(async ({ user, webPort, sn }) => {
    const { id, token } = await issue(user, ['read'])
    const open = (headers: Record<string, string>) =>
      new WebSocket(`ws://127.0.0.1:${webPort}/socket/sub_socket?client-id=${sn}`, {
        headers: { host: `localhost:${webPort}`, ...headers }
      })
    const [error] = await once(open({}), 'error')
    assert.match(String(error), /401/)
    const socket = open({ authorization: `Bearer ${token}` })
    // Changes of the hub come beside the answer.
    const messages: string[] = []
    socket.on('message', (message) => messages.push(String(message)))
    await once(socket, 'open')
    socket.send(JSON.stringify({ turn: 1, path: systemStatus.path }))
    await until(
      () => messages.some((message) => message.includes('"result":0')),
      () => `answered: ${messages}`
    )
    const closed = once(socket, 'close')
    await user.send(deleteTokens, { id })
    await closed
  }))

test.run()
