import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { suite } from 'uvu'
import {
  AUTH_FAILED,
  BAD_ADDRESS,
  CLIENT_NOT_EXIST,
  CONN_REFUSED,
  INVALID_ARG,
  INVALID_DATA,
  NAME_EXISTS,
  NO_RESPONSE,
  NOT_EXIST,
  UNSUPPORTED
} from '../../../../contract/codes.ts'
import { rebootDevices, renameDevice } from '../../../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../../../contract/device/address.ts'
import { acceptDevices, deleteDevices, listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { REFUSAL } from '../../../../contract/device/link.ts'
import { exportLog, listLog } from '../../../../contract/log.ts'
import { DEVICE_VIEW } from '../../../../contract/permissions.ts'
import { addressedForEach, atOf, box, FAST, isOnline, requestFor } from '../../../kit/addressed.ts'
import { helloOf, register } from '../../../kit/device.ts'
import { startHttpDevice } from '../../../kit/http-device.ts'
import { join, startHub } from '../../../kit/hub.ts'
import { admin, hub } from '../../../kit/hub-of-test.ts'
import { until } from '../../../kit/until.ts'

const test = suite('devices at addresses')
addressedForEach(test)

test('a device of each generation is signed in to, recognised, and managed like one that dials in', async () => {
  for (const [model, sn, name] of [
    ['encodeAio', 'B313210600123', 'Ultra Encode AIO'],
    ['ndiToHdmi', 'Z410210600124', 'Pro Convert NDI to HDMI'],
    ['directorMini', 'A511210600125', 'Director Mini']
  ] as const) {
    const one = await box(model, { sn })
    const added = await admin.send(addDevice, requestFor(one))
    assert.deepEqual([added.result, added.sn], [0, sn], JSON.stringify(one.asked))
    const { dev } = await admin.send(queryDevice, { sn })
    assert.deepEqual([dev['module-name'], dev['reg-state'], dev.dir], [name, 101, 0])
    assert.equal(dev.module, one.appliance.entry.model.family)
    assert.equal(dev['firmware-ver'], one.appliance.firmware())
    assert.ok(dev['online-date'] > 0)
    assert.equal(dev['connect-ip'], '127.0.0.1')
    await until(() => hub.hub.registry.live(sn)?.observed !== undefined, 'it was asked')
    assert.equal((await admin.send(renameDevice, { sn, name: 'Box 7' })).result, 0)
    assert.equal(one.appliance.name(), 'Box 7')
    assert.equal((await admin.send(listDevices, { key: sn })).list[0]?.name, 'Box 7')
    assert.equal((await admin.send(rebootDevices, { sn: [sn] })).result, 0)
  }
})

test('what cannot be reached or does not take the login is refused with the reason, and nothing is kept', async () => {
  const one = await box('encodeAio')
  const web = await box('encodeAio')
  web.instead = () => ({ body: '<html>It works!</html>' })
  const still = await box('encodeAio')
  still.instead = () => 'silence'
  const moved = await box('encodeAio')
  moved.instead = () => ({ status: 302, headers: { location: `http://127.0.0.1:${one.port}/` }, body: '' })
  const closed = await startHttpDevice('encodeAio')
  await closed.close()
  for (const [request, code] of [
    [requestFor(one, { password: 'wrong' }), AUTH_FAILED],
    [requestFor(closed), CONN_REFUSED],
    [requestFor(web), INVALID_DATA],
    [requestFor(moved), INVALID_DATA],
    [requestFor(still), NO_RESPONSE],
    [requestFor(one, { https: true }), NO_RESPONSE]
  ] as const)
    assert.equal((await admin.send(addDevice, request)).result, code, JSON.stringify(request))
  assert.equal(hub.hub.store.devices.all().length, 0)
  assert.equal(hub.hub.addressed.count(), 0)
})

test('no password goes to what speaks another generation', async () => {
  const one = await box('ndiToHdmi')
  await admin.send(addDevice, requestFor(one))
  assert.ok(!one.asked.some((line) => line.includes('/usapi') && line.includes('pass=')))
  assert.ok(one.asked.some((line) => line.startsWith('GET /mwapi?method=login')))
})

test('addresses of no device are refused at the field, and so is the hub itself', async () => {
  const { port, linkPort } = await hub.listen(0, 0)
  const login = { user: 'Admin', password: 'x' }
  for (const address of ['169.254.169.254', '169.254.0.1', '224.0.0.1', '255.255.255.255'])
    assert.deepEqual(
      (({ result, field }) => [result, field])(await admin.send(addDevice, { address, ...login })),
      [BAD_ADDRESS, 'address'],
      address
    )
  for (const own of [port, linkPort])
    assert.equal((await admin.send(addDevice, { address: 'localhost', port: own, ...login })).result, BAD_ADDRESS)
  for (const address of ['0.0.0.0', '::1', '127.1', '2130706433', 'a b', 'http://x', '127.0.0.1/x'])
    assert.equal((await admin.send(addDevice, { address, ...login })).result, INVALID_ARG, address)
})

test('on a hub that others reach, this machine is no address of a device', async () => {
  const open = await startHub({ host: '0.0.0.0' })
  try {
    const one = await box('encodeAio')
    assert.equal((await open.enter().send(addDevice, requestFor(one))).result, BAD_ADDRESS)
    assert.equal(one.connections, 0)
  } finally {
    await open.close()
  }
})

test('a serial that is known already is refused, and cannot be taken over by a link either', async () => {
  const [sn = ''] = register(hub, 1)
  const one = await box('encodeAio', { sn })
  assert.equal((await admin.send(addDevice, requestFor(one))).result, NAME_EXISTS)
  await admin.send(deleteDevices, { sn: [sn] })
  assert.equal((await admin.send(addDevice, requestFor(one))).result, 0)
  assert.deepEqual(hub.hub.registry.hello(helloOf(1), '192.0.2.9'), { refuse: REFUSAL.exists })
})

test('an address is changed only with a password, and only to where the same device is', async () => {
  const one = await box('encodeAio')
  const { sn } = await admin.send(addDevice, requestFor(one))
  const other = await box('encodeAio')
  const stranger = await box('encodeAio', { sn: 'B313210699999' })
  const asked = other.asked.length
  const bare = await admin.send(setDeviceAddress, { sn, port: other.port })
  assert.deepEqual([bare.result, bare.field, bare.fault], [INVALID_ARG, 'password', 'required'])
  assert.equal(other.asked.length, asked)
  assert.equal((await admin.send(setDeviceAddress, { sn, user: 'eve' })).field, 'password')
  const { password } = one
  assert.equal((await admin.send(setDeviceAddress, { sn, port: stranger.port, password })).result, CLIENT_NOT_EXIST)
  assert.equal((await atOf(sn))?.port, one.port)
  assert.equal((await admin.send(setDeviceAddress, { sn, port: other.port, password })).result, 0)
  assert.equal((await atOf(sn))?.port, other.port)
  await until(() => isOnline(sn), 'it is there')
  const [linked = ''] = register(hub, 1)
  await admin.send(acceptDevices, { sn: [linked] })
  assert.equal((await admin.send(setDeviceAddress, { sn: linked, password })).result, UNSUPPORTED)
})

test('who deletes it is done with it', async () => {
  const one = await box('encodeAio')
  const { sn } = await admin.send(addDevice, requestFor(one))
  assert.equal((await admin.send(deleteDevices, { sn: [sn] })).result, 0)
  await until(() => !isOnline(sn) && hub.hub.addressed.count() === 0, 'it is gone')
  assert.equal((await admin.send(queryDevice, { sn })).result, NOT_EXIST)
  assert.deepEqual(hub.hub.store.deviceAddresses.ids(), [])
})

test('the login comes out nowhere: no answer, no log, no file; the key is a file of its own; a restart keeps it', async () => {
  const data = mkdtempSync(joinPath(tmpdir(), 'addressed-'))
  const one = await box('encodeAio')
  one.user = 'Adm1n-of-box'
  let own = await startHub({ data, addressed: FAST })
  try {
    const client = own.enter()
    const { sn } = await client.send(addDevice, requestFor(one))
    await client.send(addDevice, requestFor(one))
    await client.send(setDeviceAddress, { sn, password: 'S3cret-of-nothing' })
    const viewer = join(own, 'vera', DEVICE_VIEW)
    assert.equal((await viewer.send(queryDevice, { sn })).dev.at, undefined)
    const said = [
      await client.send(queryDevice, { sn }),
      await client.send(listDevices, {}),
      ...(await Promise.all(
        (['operation', 'system', 'device'] as const).map((type) => client.send(listLog, { type, count: 100 }))
      )),
      await (await client.raw('GET', `/api${exportLog.path}?type=operation&format=json`)).text()
    ]
    const text = JSON.stringify(said)
    assert.ok(text.includes(`http://127.0.0.1:${one.port}`))
    for (const secret of ['S3cret', 'Adm1n-of-box']) assert.ok(!text.includes(secret), secret)
    await own.close()
    assert.equal(statSync(joinPath(data, 'device.key')).mode & 0o777, 0o600)
    for (const file of readdirSync(data, { recursive: true, withFileTypes: true }))
      if (file.isFile()) {
        const bytes = readFileSync(joinPath(file.parentPath, file.name)).toString('latin1')
        for (const secret of ['S3cret', 'Adm1n-of-box']) assert.ok(!bytes.includes(secret), `${file.name}: ${secret}`)
      }
    own = await startHub({ data, addressed: FAST })
    await until(() => own.hub.registry.online(sn), 'it is reached again')
  } finally {
    await own.close()
    rmSync(data, { recursive: true })
  }
})

test.run()
