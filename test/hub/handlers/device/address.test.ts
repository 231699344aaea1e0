import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import {
  AUTH_FAILED,
  BAD_ADDRESS,
  CLIENT_NOT_EXIST,
  CONN_REFUSED,
  INVALID_ARG,
  INVALID_DATA,
  LICENSE_LIMIT,
  NAME_EXISTS,
  NO_RESPONSE,
  NOT_EXIST,
  SUCCESS,
  UNSUPPORTED
} from '../../../../contract/codes.ts'
import { rebootDevices, renameDevice } from '../../../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../../../contract/device/address.ts'
import { acceptDevices, deleteDevices, listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../../contract/device/link.ts'
import { exportLog, listLog } from '../../../../contract/log.ts'
import { DIR_INPUT, DIR_NONE, DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { THIRD_PARTY_ADAPTERS } from '../../../../hub/devices/address/third-party/adapters.ts'
import {
  addressedHubForEach,
  addressOf,
  createAddRequest,
  isOnline,
  SHORT_TIMEOUTS,
  startDevice
} from '../../../kit/fleet/addressed-devices.ts'
import { startHttpDevice } from '../../../kit/fleet/http-device.ts'
import { addSignedInUser, startHub } from '../../../kit/hub/hub.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('devices at addresses')
addressedHubForEach(test)

test('a device of each generation is logged in to, identified, and managed like one that connects itself', async () => {
  for (const [model, sn, name, dir] of [
    ['encodeAio', 'B313210600123', 'Ultra Encode AIO', DIR_INPUT],
    ['ndiToHdmi', 'Z410210600124', 'Pro Convert NDI to HDMI', DIR_OUTPUT],
    ['directorMini', 'A511210600125', 'Director Mini', DIR_NONE]
  ] as const) {
    const device = await startDevice(model, { sn })
    const reply = await admin.send(addDevice, createAddRequest(device))
    assert.deepEqual([reply.result, reply.sn], [0, sn], JSON.stringify(device.requests))
    const { dev } = await admin.send(queryDevice, { sn })
    assert.deepEqual([dev['module-name'], dev['reg-state'], dev.dir], [name, 101, dir])
    assert.equal(dev.module, device.appliance.entry.model.family)
    assert.equal(dev['firmware-ver'], device.appliance.firmware())
    assert.ok(dev['online-date'] > 0)
    assert.equal(dev['connect-ip'], '127.0.0.1')
    await until(() => hub.parts.registry.liveState(sn)?.observation !== undefined, 'the device was called')
    assert.equal((await admin.send(renameDevice, { sn, name: 'Box 7' })).result, SUCCESS)
    assert.equal(device.appliance.name(), 'Box 7')
    assert.equal((await admin.send(listDevices, { key: sn })).list[0]?.name, 'Box 7')
    assert.equal((await admin.send(rebootDevices, { sn: [sn] })).result, SUCCESS)
  }
})

test('no device is added beyond the limit of the licence', async () => {
  const { settings } = hub.parts.store
  settings.set('license-limits', { ...settings.get('license-limits'), 'max-dev-count': 1 })
  const [first, second] = [await startDevice('encodeAio'), await startDevice('ndiToHdmi', { sn: 'Z410210600124' })]
  assert.equal((await admin.send(addDevice, createAddRequest(first))).result, SUCCESS)
  const refused = await admin.send(addDevice, createAddRequest(second))
  assert.deepEqual([refused.result, refused.of, refused.max, refused.used], [LICENSE_LIMIT, 'max-dev-count', 1, 1])
  assert.equal((await admin.send(listDevices, {})).total, 1)
})

test('a device that cannot be reached or refuses the login is not added, and the reason is returned', async () => {
  const device = await startDevice('encodeAio')
  const web = await startDevice('encodeAio')
  web.override = () => ({ body: '<html>It works!</html>' })
  const unresponsive = await startDevice('encodeAio')
  unresponsive.override = () => 'silence'
  const redirecting = await startDevice('encodeAio')
  redirecting.override = () => ({ status: 302, headers: { location: `http://127.0.0.1:${device.port}/` }, body: '' })
  const closed = await startHttpDevice('encodeAio')
  await closed.close()
  for (const [request, code] of [
    [createAddRequest(device, { password: 'wrong' }), AUTH_FAILED],
    [createAddRequest(closed), CONN_REFUSED],
    [createAddRequest(web), INVALID_DATA],
    [createAddRequest(redirecting), INVALID_DATA],
    [createAddRequest(unresponsive), NO_RESPONSE],
    [createAddRequest(device, { https: true }), NO_RESPONSE]
  ] as const)
    assert.equal((await admin.send(addDevice, request)).result, code, JSON.stringify(request))
  assert.equal(hub.parts.store.devices.all().length, 0)
  assert.equal(hub.parts.addressedDevices.count(), 0)
})

test('no password is sent to a device of another generation', async () => {
  const device = await startDevice('ndiToHdmi')
  await admin.send(addDevice, createAddRequest(device))
  assert.ok(!device.requests.some((line) => line.includes('/usapi') && line.includes('pass=')))
  assert.ok(device.requests.some((line) => line.startsWith('GET /mwapi?method=login')))
})

test('a target that is no known device receives no login, also if it responds with JSON', async () => {
  const target = await startDevice('encodeAio')
  for (const body of [
    '<html>It works!</html>',
    '{"status":404,"error":"Not Found"}',
    '{"result":-1}',
    '{"status":200}',
    '[]',
    '37'
  ]) {
    target.override = () => ({ body })
    assert.equal((await admin.send(addDevice, createAddRequest(target))).result, INVALID_DATA, body)
  }
  const asked = 3 + THIRD_PARTY_ADAPTERS.length
  assert.equal(target.requests.length, asked * 6, 'one request for each generation, and each kind of camera and server')
  assert.deepEqual(
    target.requests.filter((line) => /login|pass/.test(line)),
    []
  )
})

test('forbidden addresses, and the hub’s own, are refused with the field', async () => {
  const { port, linkPort } = await hub.listen(0, 0)
  const login = { user: 'Admin', password: 'x' }
  for (const address of ['169.254.169.254', '169.254.0.1', '224.0.0.1', '255.255.255.255', 'ff02::1', 'fd00:ec2::254'])
    assert.deepEqual(
      (({ result, field }) => [result, field])(await admin.send(addDevice, { address, ...login })),
      [BAD_ADDRESS, 'address'],
      address
    )
  for (const hubPort of [port, linkPort])
    assert.equal((await admin.send(addDevice, { address: 'localhost', port: hubPort, ...login })).result, BAD_ADDRESS)
  for (const address of [
    '0.0.0.0',
    '::',
    'fe80::1',
    '[::1]',
    '::ffff:7f00:1',
    '127.1',
    '2130706433',
    'a b',
    'http://x',
    '127.0.0.1/x'
  ])
    assert.equal((await admin.send(addDevice, { address, ...login })).result, INVALID_ARG, address)
})

test('on a hub that listens on the network, loopback addresses are refused', async () => {
  const publicHub = await startHub({ host: '0.0.0.0' })
  try {
    const device = await startDevice('encodeAio')
    assert.equal((await publicHub.clientAs().send(addDevice, createAddRequest(device))).result, BAD_ADDRESS)
    assert.equal(device.connections, 0)
  } finally {
    await publicHub.close()
  }
})

test('a serial number that exists is refused, and a link cannot take it over', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const device = await startDevice('encodeAio', { sn })
  assert.equal((await admin.send(addDevice, createAddRequest(device))).result, NAME_EXISTS)
  await admin.send(deleteDevices, { sn: [sn] })
  assert.equal((await admin.send(addDevice, createAddRequest(device))).result, SUCCESS)
  assert.deepEqual(hub.parts.registry.register(helloOf(1), '192.0.2.9'), { refuse: REFUSAL_STATE.exists })
})

test('changing an address needs the password, and the same device at the new address', async () => {
  const device = await startDevice('encodeAio')
  const { sn } = await admin.send(addDevice, createAddRequest(device))
  const other = await startDevice('encodeAio')
  const otherDevice = await startDevice('encodeAio', { sn: 'B313210699999' })
  const requestCount = other.requests.length
  const withoutPassword = await admin.send(setDeviceAddress, { sn, port: other.port })
  assert.deepEqual(
    [withoutPassword.result, withoutPassword.field, withoutPassword.fault],
    [INVALID_ARG, 'password', 'required']
  )
  assert.equal(other.requests.length, requestCount)
  assert.equal((await admin.send(setDeviceAddress, { sn, user: 'eve' })).field, 'password')
  const { password } = device
  assert.equal((await admin.send(setDeviceAddress, { sn, port: otherDevice.port, password })).result, CLIENT_NOT_EXIST)
  assert.equal((await addressOf(sn))?.port, device.port)
  assert.equal((await admin.send(setDeviceAddress, { sn, port: other.port, password })).result, SUCCESS)
  assert.equal((await addressOf(sn))?.port, other.port)
  await until(() => isOnline(sn), 'it exists')
  const [linked = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [linked] })
  assert.equal((await admin.send(setDeviceAddress, { sn: linked, password })).result, UNSUPPORTED)
})

test('deleting a device ends the connection to it', async () => {
  const device = await startDevice('encodeAio')
  const { sn } = await admin.send(addDevice, createAddRequest(device))
  assert.equal((await admin.send(deleteDevices, { sn: [sn] })).result, SUCCESS)
  await until(() => !isOnline(sn) && hub.parts.addressedDevices.count() === 0, 'it is removed')
  assert.equal((await admin.send(queryDevice, { sn })).result, NOT_EXIST)
  assert.deepEqual(hub.parts.store.deviceAddresses.ids(), [])
})

test('the login is in no response, log or file; the key has a file of its own; both survive a restart', async () => {
  const data = mkdtempSync(joinPath(tmpdir(), 'addressed-'))
  const device = await startDevice('encodeAio')
  device.user = 'Adm1n-of-box'
  let restartableHub = await startHub({ data, addressed: SHORT_TIMEOUTS })
  try {
    const client = restartableHub.clientAs()
    const { sn } = await client.send(addDevice, createAddRequest(device))
    await client.send(addDevice, createAddRequest(device))
    await client.send(setDeviceAddress, { sn, password: 'S3cret-of-nothing' })
    const viewer = addSignedInUser(restartableHub, 'vera', DEVICE_VIEW)
    assert.equal((await viewer.send(queryDevice, { sn })).dev.at, undefined)
    const responses = [
      await client.send(queryDevice, { sn }),
      await client.send(listDevices, {}),
      ...(await Promise.all(
        (['operation', 'system', 'device'] as const).map((type) => client.send(listLog, { type, count: 100 }))
      )),
      await (await client.raw('GET', `/api${exportLog.path}?type=operation&format=json`)).text()
    ]
    const text = JSON.stringify(responses)
    assert.ok(text.includes(`http://127.0.0.1:${device.port}`))
    for (const secret of ['S3cret', 'Adm1n-of-box']) assert.ok(!text.includes(secret), secret)
    await restartableHub.close()
    assert.equal(statSync(joinPath(data, 'device.key')).mode & 0o777, 0o600)
    for (const file of readdirSync(data, { recursive: true, withFileTypes: true }))
      if (file.isFile()) {
        const bytes = readFileSync(joinPath(file.parentPath, file.name)).toString('latin1')
        for (const secret of ['S3cret', 'Adm1n-of-box']) assert.ok(!bytes.includes(secret), `${file.name}: ${secret}`)
      }
    restartableHub = await startHub({ data, addressed: SHORT_TIMEOUTS })
    await until(() => restartableHub.parts.registry.isOnline(sn), 'the device is online again')
  } finally {
    await restartableHub.close()
    rmSync(data, { recursive: true })
  }
})

test.run()
