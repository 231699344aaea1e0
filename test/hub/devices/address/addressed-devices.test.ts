// Presence of devices at addresses, tested through a complete hub.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { suite } from 'uvu'
import {
  AUTH_FAILED,
  CLIENT_NOT_EXIST,
  CONN_REFUSED,
  SUCCESS,
  TARGET_TIMEOUT,
  VERIFY_FAILED
} from '../../../../contract/codes.ts'
import { startRecording } from '../../../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../../../contract/device/address.ts'
import { queryDevice } from '../../../../contract/device/device.ts'
import { webPagePath } from '../../../../contract/device/web-page.ts'
import { startPortForward } from '../../../../contract/port-forward.ts'
import { listProblems } from '../../../../contract/problem.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { createSelfSignedCertificate } from '../../../../fleet/network/self-signed.ts'
import {
  addressedHubForEach,
  addressOf,
  createAddRequest,
  isOnline,
  startDevice
} from '../../../kit/fleet/addressed-devices.ts'
import { connectTo, readAll, startServer } from '../../../kit/fleet/tunnel.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('addressed devices')
addressedHubForEach(test)

test('a forwarded port reaches the device at its address, in both directions and to the end of each', async () => {
  const { sn } = await admin.send(addDevice, createAddRequest(await startDevice('encodeAio')))
  const target = await startServer((socket) => {
    socket.on('end', () => socket.end('bye')).on('data', (chunk) => socket.write(`got ${chunk}`))
  })
  const { result, forward } = await admin.send(startPortForward, { sn, 'remote-port': target.port })
  assert.equal(result, SUCCESS)
  const socket = await connectTo(forward['local-port'])
  socket.write('hello')
  assert.equal(String(await once(socket, 'data')), 'got hello')
  socket.end()
  assert.equal(String(await readAll(socket)), 'bye')
  await target.close()
  const refused = connect({ port: forward['local-port'], host: '127.0.0.1' }).on('error', () => {})
  await until(() => refused.resume().destroyed, 'a closed port of the device ends the connection')
  assert.ok(isOnline(sn))
})

test('a device that becomes offline has a reason, and is online again after a retry', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const { port } = simulatedDevice
  const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  await simulatedDevice.close()
  await until(() => !isOnline(sn), 'the device is offline')
  await until(() => hub.parts.addressedDevices.addressInfo(sn)?.trouble === CONN_REFUSED, 'the reason is set')
  assert.equal((await addressOf(sn))?.trouble, CONN_REFUSED)
  await startDevice('encodeAio', { port })
  await until(() => isOnline(sn), 'the device is online again')
  assert.equal((await addressOf(sn))?.trouble, undefined)
})

test('a device that stops responding becomes offline; one that responds with 50 MB or garbage stays online', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  simulatedDevice.override = (path) =>
    path.includes('get-status') ? { body: Buffer.alloc(50 << 20, 0x20) } : undefined
  const status = { method: 'GET', path: '/usapi?method=get-status', maxBody: 256 << 10 }
  await assert.rejects(hub.parts.links.request(sn, status, 2000), { code: TARGET_TIMEOUT })
  assert.ok(isOnline(sn))
  simulatedDevice.override = () => ({ body: '{"result":' })
  assert.equal((await admin.send(startRecording, { sn: [sn] })).result, TARGET_TIMEOUT)
  assert.ok(isOnline(sn))
  simulatedDevice.override = () => 'silence'
  await admin.send(startRecording, { sn: [sn] })
  await until(() => !isOnline(sn), 'the device is offline')
})

test('a device that is stopped becomes offline, and gets no login until it responds', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  const polls = () => simulatedDevice.requests.filter((line) => line.includes('get-status')).length
  await until(() => polls() > 2, 'it is polled')
  simulatedDevice.override = () => 'silence'
  const before = simulatedDevice.requests.length
  await until(() => !isOnline(sn), 'the device is offline')
  const silent = () => simulatedDevice.requests.slice(before)
  await until(() => silent().length > 2, 'the hub looks for it')
  assert.ok(!silent().some((line) => line.includes('login')))
  simulatedDevice.override = undefined
  await until(() => isOnline(sn), 'the device is online again')
})

test('while the port of a device is closed nothing is sent, and it is online again when the port opens', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const { port } = simulatedDevice
  const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  await simulatedDevice.close()
  await until(() => !isOnline(sn), 'the device is offline')
  const received: string[] = []
  // Closes each connection at once, as a device that starts.
  const starting = createServer((socket) => socket.on('data', (data) => received.push(String(data))).destroy())
  await new Promise<void>((resolve) => starting.listen(port, '127.0.0.1', resolve))
  await until(() => hub.parts.addressedDevices.addressInfo(sn)?.trouble !== CONN_REFUSED, 'it has been tried')
  assert.ok(!received.some((text) => text.includes('login')))
  await new Promise((resolve) => starting.close(resolve))
  await startDevice('encodeAio', { port })
  await until(() => isOnline(sn), 'the device is online again')
})

/** Waits for a problem with a reason. The channel of the device may have another one until the engine knows it. */
const problemWith = (reason: string) =>
  until(
    async () => (await admin.send(listProblems, {})).list.find((problem) => problem.reason === reason),
    `a problem with the reason ${reason}`
  )

test('a device whose password was changed says so everywhere, and gets no second login until a user enters the new one', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const other = await startDevice('encodeAio', { sn: 'B313210600124' })
  const { sn, id: input } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  const { sn: otherSn } = await admin.send(addDevice, createAddRequest(other))
  const { id } = await admin.send(addChannel, { name: 'Service' })
  assert.equal((await admin.send(setChannelInput, { id, input })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  const logins = () => simulatedDevice.requests.filter((line) => line.includes('login')).length
  const before = logins()
  simulatedDevice.password = 'changed'
  simulatedDevice.signOut()
  await until(() => !isOnline(sn), 'the device is offline')
  assert.equal((await addressOf(sn))?.trouble, AUTH_FAILED)
  hub.parts.startTime.shift(-60_000)
  const { health } = (await admin.send(queryDevice, { sn })).dev
  const problem = await problemWith('not-authorized')
  for (const found of [health, problem])
    assert.deepEqual([found?.reason, found?.['next-step']], ['not-authorized', 'check-credentials'])
  const reasonOfInput = () => hub.parts.engine.observe(id).input.reason
  await until(() => reasonOfInput() === 'device-login', 'the channel says why its input is offline')
  await other.close()
  await until(() => !isOnline(otherSn), 'another device is away')
  await startDevice('encodeAio', { port: other.port, sn: otherSn })
  await until(() => isOnline(otherSn), 'the hub has looked for devices meanwhile')
  assert.equal(logins() - before, 1)
  assert.equal((await admin.send(setDeviceAddress, { sn, password: 'changed' })).result, SUCCESS)
  assert.ok(isOnline(sn))
  await until(() => reasonOfInput() !== 'device-login', 'the channel uses it again')
})

test('another device at the same address is not accepted as the configured one', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const { port } = simulatedDevice
  const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  await simulatedDevice.close()
  await until(() => !isOnline(sn), 'the device is offline')
  await startDevice('encodeAio', { port, sn: 'B313210699999' })
  await until(() => hub.parts.addressedDevices.addressInfo(sn)?.trouble === CLIENT_NOT_EXIST, 'the reason is set')
  assert.ok(!isOnline(sn))
})

test('the first certificate is pinned: another one is refused before a request is sent, until the pinned one is cleared', async () => {
  const simulatedDevice = await startDevice('encodeAio', { certificate: createSelfSignedCertificate() })
  const { port } = simulatedDevice
  const { sn, id: input } = await admin.send(addDevice, createAddRequest(simulatedDevice, { https: true }))
  const pinned = (await addressOf(sn))?.['cert-sha256']
  assert.match(pinned ?? '', /^[0-9a-f]{64}$/)
  const { id } = await admin.send(addChannel, { name: 'Service' })
  assert.equal((await admin.send(setChannelInput, { id, input })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  await simulatedDevice.close()
  await until(() => !isOnline(sn), 'the device is offline')
  const other = await startDevice('encodeAio', { port, certificate: createSelfSignedCertificate() })
  await until(() => hub.parts.addressedDevices.addressInfo(sn)?.trouble === VERIFY_FAILED, 'the certificate is refused')
  assert.deepEqual(other.requests, [])
  const offered = (await addressOf(sn))?.['new-cert-sha256'] ?? ''
  assert.match(offered, /^[0-9a-f]{64}$/)
  assert.equal((await addressOf(sn))?.['cert-sha256'], pinned)
  assert.equal((await admin.send(startRecording, { sn: [sn] })).result, VERIFY_FAILED)
  hub.parts.startTime.shift(-60_000)
  const { health } = (await admin.send(queryDevice, { sn })).dev
  const problem = await problemWith('device-certificate')
  for (const found of [health, problem])
    assert.deepEqual([found?.reason, found?.['next-step']], ['device-certificate', undefined])
  const reasonOfInput = () => hub.parts.engine.observe(id).input.reason
  await until(() => reasonOfInput() === 'device-certificate', 'the channel says why its input is offline')
  const trust = async (cert: string) => (await admin.send(setDeviceAddress, { sn, 'cert-sha256': cert })).result
  assert.equal(await trust('0'.repeat(64)), VERIFY_FAILED, 'a certificate that the user has not seen is refused')
  assert.equal(await trust(offered), 0)
  await until(() => isOnline(sn), 'the device is online with its new certificate')
  assert.deepEqual(
    (({ 'cert-sha256': cert, trouble, 'new-cert-sha256': next }) => [cert, trouble, next])(
      (await addressOf(sn)) ?? ({} as never)
    ),
    [offered, undefined, undefined]
  )
  await other.close()
  await until(() => !isOnline(sn), 'the device is offline')
  await startDevice('encodeAio', { port, certificate: createSelfSignedCertificate() })
  await until(() => hub.parts.addressedDevices.addressInfo(sn)?.trouble === VERIFY_FAILED, 'a third one is refused')
  assert.equal((await admin.send(setDeviceAddress, { sn, password: other.password })).result, VERIFY_FAILED)
  assert.equal((await admin.send(setDeviceAddress, { sn, 'forget-cert': true })).result, 0)
  await until(() => isOnline(sn), 'the device is online again')
  assert.notEqual((await addressOf(sn))?.['cert-sha256'], pinned)
})

test('if the device drops the session, the request signs in again', async () => {
  const simulatedDevice = await startDevice('encodeAio')
  const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice))
  simulatedDevice.signOut()
  assert.equal((await admin.send(startRecording, { sn: [sn] })).result, 0)
  assert.ok(hub.parts.registry.isOnline(sn))
})

test('the web page of the device opens through the hub, with HTTPS only if the certificate is the pinned one', async () => {
  for (const certificate of [undefined, createSelfSignedCertificate()]) {
    const simulatedDevice = await startDevice('encodeAio', {
      certificate,
      sn: certificate ? 'B313210600124' : 'B313210600123'
    })
    const { sn } = await admin.send(addDevice, createAddRequest(simulatedDevice, { https: certificate !== undefined }))
    simulatedDevice.override = (path) => (path === '/status' ? { body: 'the page' } : undefined)
    const pageResponse = await admin.raw('GET', webPagePath(sn))
    assert.equal(pageResponse.status, 303)
    const { port } = new URL(pageResponse.headers.get('location') ?? '')
    const [cookie = ''] = pageResponse.headers.getSetCookie()[0]?.split(';') ?? []
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const page = await fetch(`http://127.0.0.1:${port}/status`, { headers })
    assert.deepEqual([page.status, await page.text()], [200, 'the page'])
    await simulatedDevice.close()
    await until(() => !isOnline(sn), 'the device is offline')
    assert.equal((await admin.raw('GET', webPagePath(sn))).status, 502)
  }
})

test.run()
