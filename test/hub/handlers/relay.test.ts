import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { addToken, deleteTokens, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import {
  CLIENT_NOT_EXIST,
  CLIENT_OFFLINE,
  DEVICE_BUSY,
  DEVICE_ERROR,
  INTERRUPTED,
  INVALID_ARG,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TARGET_TIMEOUT,
  UNKNOWN_ERROR,
  UNSUPPORTED
} from '../../../contract/codes.ts'
import { relayedMethods } from '../../../contract/device/api-definitions.ts'
import { acceptDevices, rejectDevices } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { LANGUAGE_COOKIE } from '../../../contract/text/language.ts'
import { type CallHandler, connectLinkDevice, type DeviceCall, type LinkDevice } from '../../kit/fleet/link-device.ts'
import { addSignedInUser, addUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('relay')
const { sn } = helloOf(1)
let device: LinkDevice
let serve: CallHandler
test.after.each(async () => {
  await device.end()
})
hubForEach(test)
test.before.each(async () => {
  serve = () => ({ result: SUCCESS })
  registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { linkPort } = await hub.listen(0, 0)
  device = await connectLinkDevice(linkPort, helloOf(1), (call, stream) => serve(call, stream))
  await until(() => hub.parts.links.isOnline(sn), 'the device is online')
})

/** The relayed calls, without the hub's own calls to the device. */
const relayedCalls = (): DeviceCall[] =>
  device.calls.filter(({ path }) => !path.startsWith('/link/') && path !== '/usapi?method=get-status')

const usapi = (query: string, serial = sn) => `/socket/usapi?${query}&sc-client-id=${serial}`

async function resultOf(client: Client, path: string, init?: Parameters<Client['raw']>[2], method = 'GET') {
  return (await (await client.raw(method, path, init)).json()) as { result: number; field?: string }
}

const lines = async () =>
  (await admin.send(listLog, { type: 'operation' })).list
    .filter(({ event }) => event === '/socket')
    .map(({ user, ip, detail, code }) => [user, ip, detail, code])

test('a call reaches the device without the serial number that addressed it, and the reply is the device’s own', async () => {
  serve = () => ({ result: SUCCESS, 'live-status': { 'cur-bps': 7 } })
  const response = await admin.raw('GET', usapi('method=get-info&x=1'))
  assert.equal(response.headers.get('content-type'), 'application/json;charset=utf-8')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual(await response.json(), { result: SUCCESS, 'live-status': { 'cur-bps': 7 } })
  assert.deepEqual(relayedCalls(), [{ method: 'GET', path: '/usapi?method=get-info&x=1', body: '' }])
})

test('the serial number can also be in client-id', async () => {
  assert.equal((await resultOf(admin, `/socket/usapi?method=get-info&client-id=${sn}`)).result, SUCCESS)
  assert.deepEqual(relayedCalls(), [{ method: 'GET', path: '/usapi?method=get-info', body: '' }])
  assert.equal((await resultOf(admin, '/socket/usapi?method=get-info&client-id=B999')).result, CLIENT_NOT_EXIST)
})

test('newer devices are called by POST below /api, with the fields as JSON', async () => {
  serve = () => ({ status: 0 })
  const post = (method: string, body?: string) =>
    resultOf(admin, `/socket/api${method}?sc-client-id=${sn}&x=1`, { body }, 'POST')
  await post('/system/set-device-name', '{"name":"Hall 2","name":"Hall 3"}')
  await post('/reboot')
  assert.deepEqual(relayedCalls(), [
    { method: 'POST', path: '/api/system/set-device-name', body: '{"name":"Hall 3"}' },
    { method: 'POST', path: '/api/reboot', body: '{}' }
  ])
})

test('a call of the hub that names a device goes to that device, and means the hub without one', async () => {
  serve = () => ({ status: 0 })
  const path = '/api/system/set-device-name'
  const init = { body: '{"name":"Hall 3"}', headers: { 'content-type': 'application/json' } }
  const send = (query: string) => resultOf(admin, `${path}${query}`, init, 'POST')
  await send(`?sc-client-id=${sn}`)
  assert.deepEqual(relayedCalls(), [{ method: 'POST', path, body: '{"name":"Hall 3"}' }])
  assert.equal(hub.parts.store.settings.get('device-name'), '')
  assert.equal((await send('?sc-client-id=B999')).result, CLIENT_NOT_EXIST)
  assert.equal((await send('?sc-client-id=')).result, CLIENT_NOT_EXIST)
  assert.equal((await send('?x=sc-client-id')).result, SUCCESS)
  assert.equal(hub.parts.store.settings.get('device-name'), 'Hall 3')
  assert.equal(relayedCalls().length, 1)
})

test('spaces and plus signs in a name reach devices that do not decode + as a space', async () => {
  for (const query of ['name=Main%20Hall%2B', 'name=Main+Hall%2B'])
    assert.equal((await resultOf(admin, usapi(`method=set-name&${query}`))).result, SUCCESS)
  assert.deepEqual(
    relayedCalls().map(({ path }) => path),
    Array(2).fill('/usapi?method=set-name&name=Main%20Hall%2B')
  )
})

test('methods that the contract does not declare are refused', async () => {
  for (const method of [
    'export-settings',
    'set-passwd',
    '',
    'constructor',
    '__proto__',
    'toString',
    'Reboot',
    'reboot '
  ])
    assert.equal((await resultOf(admin, usapi(`method=${method}`))).result, NOT_PERMITTED, method)
  assert.equal((await resultOf(admin, `/socket/usapi?sc-client-id=${sn}`)).result, NOT_PERMITTED)
  for (const path of ['/system/reboot', '/reboot/', '/login', '//reboot', '/%72eboot'])
    assert.equal(
      (await resultOf(admin, `/socket/api${path}?sc-client-id=${sn}`, {}, 'POST')).result,
      NOT_PERMITTED,
      path
    )
  for (const path of ['/socket/', '/socket/sc-remote/x', '/socket/link/push', '/socket/toString', '/socket/usapi%2fx'])
    assert.equal((await admin.raw('GET', path)).status, 404, path)
  assert.deepEqual(relayedCalls(), [])
})

test('each generation accepts only its own HTTP method', async () => {
  for (const [method, path] of [
    ['POST', usapi('method=reboot')],
    ['PUT', usapi('method=reboot')],
    ['HEAD', usapi('method=reboot')],
    ['GET', `/socket/api/reboot?sc-client-id=${sn}`]
  ] as const) {
    const response = await admin.raw(method, path)
    assert.equal(response.status, 405, `${method} ${path}`)
    if (method !== 'HEAD') assert.deepEqual(await response.json(), { result: UNSUPPORTED })
  }
  assert.deepEqual(relayedCalls(), [])
})

test('each method needs its permission: to view or to control', async () => {
  const clients = [
    ['nobody', hub.client(), 0],
    ['viewer', await addUser(hub, 'vera', DEVICE_VIEW), DEVICE_VIEW],
    ['controller', await addUser(hub, 'carl', DEVICE_CONTROL), DEVICE_CONTROL]
  ] as const
  for (const [description, client, rights] of clients)
    for (const prefix of ['usapi', 'mwapi', 'api'])
      for (const [method, needed] of Object.entries(relayedMethods(prefix) ?? {})) {
        const path = prefix === 'api' ? `api${method}?` : `${prefix}?method=${method}&`
        const http = prefix === 'api' ? 'POST' : 'GET'
        const { result } = await resultOf(client, `/socket/${path}sc-client-id=${sn}`, {}, http)
        const expected = rights === 0 ? NOT_LOGGED_IN : rights === needed ? 0 : NOT_PERMITTED
        assert.equal(result, expected, `${description} ${path}`)
      }
})

test('if the query has two methods, only the checked value is forwarded', async () => {
  const viewer = await addUser(hub, 'vera', DEVICE_VIEW)
  assert.equal((await resultOf(viewer, usapi('method=ping&method=reboot'))).result, SUCCESS)
  assert.equal((await resultOf(viewer, usapi('method=reboot&method=ping'))).result, NOT_PERMITTED)
  assert.equal((await resultOf(admin, usapi('method=set-name&name=Hall&name=%00'))).result, SUCCESS)
  assert.deepEqual(
    relayedCalls().map(({ path }) => path),
    ['/usapi?method=ping', '/usapi?method=set-name&name=Hall']
  )
})

test('a name must follow the rule for names', async () => {
  for (const name of ['', ' x', 'x'.repeat(65), 'a/b', 'a\nb']) {
    const reply = await resultOf(admin, usapi(`method=set-name&name=${encodeURIComponent(name)}`))
    assert.deepEqual([reply.result, reply.field], [INVALID_ARG, 'name'], JSON.stringify(name))
  }
  const path = `/socket/api/system/set-device-name?sc-client-id=${sn}`
  for (const body of ['{"name":"a/b"}', '{"name":7}', '{"name":null}', '[]', '7', '{', '\0'])
    assert.equal((await resultOf(admin, path, { body }, 'POST')).result, INVALID_ARG, body)
  assert.equal((await admin.raw('POST', path, { body: `{"x":"${'x'.repeat(1 << 20)}"}` })).status, 413)
  assert.deepEqual(relayedCalls(), [])
})

test('unknown, pending and hidden devices do not exist; a device without a link is offline', async () => {
  const [, other = ''] = registerDevices(hub, 2)
  assert.equal((await resultOf(admin, usapi('method=ping', 'nothing'))).result, CLIENT_NOT_EXIST)
  assert.equal((await resultOf(admin, '/socket/usapi?method=ping')).result, CLIENT_NOT_EXIST)
  assert.equal((await resultOf(admin, usapi('method=ping', other))).result, CLIENT_NOT_EXIST, 'pending')
  await admin.send(rejectDevices, { sn: [other] })
  assert.equal((await resultOf(admin, usapi('method=ping', other))).result, CLIENT_NOT_EXIST, 'rejected')
  const viewer = await addUser(hub, 'vera', DEVICE_VIEW)
  assert.equal((await resultOf(viewer, usapi('method=ping'))).result, SUCCESS)
  hub.parts.store.database.run('UPDATE device SET is_inherit = 0, group_mask = 1, usr_mask = 0')
  assert.equal((await resultOf(viewer, usapi('method=ping'))).result, CLIENT_NOT_EXIST)
  await device.end()
  await until(() => !hub.parts.links.isOnline(sn), 'the device is offline')
  assert.equal((await resultOf(admin, usapi('method=ping'))).result, CLIENT_OFFLINE)
})

test('a truncated response is result 10004, and a link lost during a call is 10007', async () => {
  serve = (_call, stream) => void stream.close(2)
  assert.equal((await resultOf(admin, usapi('method=ping'))).result, TARGET_TIMEOUT)
  serve = ({ path }) => {
    if (path.includes('ping')) void device.end()
    return undefined
  }
  assert.equal((await resultOf(admin, usapi('method=ping'))).result, CLIENT_OFFLINE)
})

test('a device’s HTTP status is passed on, also for responses without a body', async () => {
  for (const status of [200, 204, 205, 304, 404, 500]) {
    serve = (_call, stream) => {
      stream.respond({ ':status': status, location: 'http://evil.example/', 'set-cookie': 'mwcloud-sid=x' })
      stream.end()
    }
    const response = await admin.raw('GET', usapi('method=ping'))
    assert.equal(response.status, status)
    assert.deepEqual([response.headers.get('location'), response.headers.getSetCookie()], [null, []])
  }
})

test('changes of a device are logged with the device’s own code; reads are not logged', async () => {
  serve = ({ path }) => ({ result: path.includes('reboot') ? 1 : 0, status: DEVICE_BUSY })
  await resultOf(admin, usapi('method=get-status'))
  await resultOf(admin, usapi('method=set-name&name=Hall%202'))
  await resultOf(admin, usapi('method=reboot'))
  await resultOf(admin, `/socket/api/reboot?sc-client-id=${sn}`, {}, 'POST')
  serve = (_call, stream) => {
    stream.respond({ ':status': 500 })
    stream.end('oops')
  }
  await resultOf(admin, usapi('method=start-rec')).catch(() => {})
  serve = (_call, stream) => void stream.close(2)
  await resultOf(admin, usapi('method=stop-rec'))
  assert.deepEqual(await lines(), [
    ['Admin', '127.0.0.1', `${sn} stop-rec`, TARGET_TIMEOUT],
    ['Admin', '127.0.0.1', `${sn} start-rec`, UNKNOWN_ERROR],
    ['Admin', '127.0.0.1', `${sn} /reboot`, DEVICE_BUSY],
    ['Admin', '127.0.0.1', `${sn} reboot`, 1],
    ['Admin', '127.0.0.1', `${sn} set-name Hall 2`, 0]
  ])
})

test('pages of other origins cannot relay calls, not even by GET', async () => {
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:8080' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' }
  ]
  for (const headers of foreign)
    assert.equal((await admin.raw('GET', usapi('method=reboot'), { headers })).status, 403, JSON.stringify(headers))
  assert.deepEqual(relayedCalls(), [])
  const own: Record<string, string>[] = [{ origin: 'http://localhost' }, { 'sec-fetch-site': 'same-origin' }]
  for (const headers of own) assert.equal((await resultOf(admin, usapi('method=ping'), { headers })).result, SUCCESS)
})

test('a token relays the requests that its owner may send, logged under the owner’s name, until it is revoked', async () => {
  addSignedInUser(hub, 'carl', DEVICE_CONTROL)
  const token = await admin.send(addToken, { owner: 'carl', 'expired-time': NEVER_EXPIRES, scopes: ['devices'] })
  const client = Object.assign(hub.client('192.0.2.7'), { token: token.token })
  assert.equal((await resultOf(client, usapi('method=reboot'))).result, SUCCESS)
  assert.equal((await resultOf(client, usapi('method=get-status'))).result, NOT_PERMITTED)
  assert.deepEqual((await lines()).at(-1), ['carl', '192.0.2.7', `${sn} reboot`, 0])
  await admin.send(deleteTokens, { id: token.id })
  assert.equal((await resultOf(client, usapi('method=reboot'))).result, NOT_LOGGED_IN)
})

test('with the default password nothing is relayed from another machine', async () => {
  const remoteClient = await hub.signIn('Admin', 'Admin', '192.0.2.7')
  assert.equal((await resultOf(remoteClient, usapi('method=ping'))).result, NOT_PERMITTED)
})

test('a device’s result code is explained in the language of the caller; without a code nothing is added', async () => {
  serve = () => ({ result: -35, message: '<b>', x: 1 })
  const getMessage = async (language: string) => {
    const headers = { cookie: `${admin.cookie}; ${LANGUAGE_COOKIE}=${language}` }
    return (await admin.raw('GET', usapi('method=start-rec'), { headers })).json()
  }
  assert.deepEqual(await getMessage('en'), { result: -35, message: 'No signal\nCheck the input.', x: 1 })
  assert.deepEqual(await getMessage('zh'), { result: -35, message: '无信号\n请检查输入。', x: 1 })
  serve = () => ({ result: SUCCESS })
  assert.deepEqual(await getMessage('zh'), { result: SUCCESS })
})

test('a usapi result code with another meaning in the hub is logged as the device’s code', async () => {
  serve = () => ({ result: INTERRUPTED })
  assert.equal((await resultOf(admin, usapi('method=start-rec'))).result, INTERRUPTED)
  assert.deepEqual(await lines(), [['Admin', '127.0.0.1', `${sn} start-rec usapi 3`, DEVICE_ERROR]])
})

test.run()
