import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { HELLO_HEADER } from '../../contract/device/link.ts'
import { DeviceLink, type LinkState } from '../../device-link/dial.ts'
import type { LinkTls } from '../../device-link/link-tls.ts'
import { createDeviceLinks, type DeviceLinks } from '../../hub/devices/link/links.ts'
import { helloOf } from '../kit/hub/register-devices.ts'
import { makePair } from '../kit/tls/certificates.ts'
import { until } from '../kit/until.ts'

const test = suite('encryption of device links')

const pair = makePair({ name: 'localhost', names: 'DNS:localhost,IP:127.0.0.1' })
const spki = new X509Certificate(pair.cert).publicKey.export({ type: 'spki', format: 'der' })
const PIN = createHash('sha256').update(spki).digest('base64')
const HALF_OPEN_MAX = 4

let links: DeviceLinks
let port: number
const up: [sn: string, isEncrypted: boolean][] = []
const devices: DeviceLink[] = []
const sockets: Socket[] = []
test.before.each(async () => {
  up.length = 0
  links = createDeviceLinks({
    identity: async () => pair,
    register: () => ({ state: REGISTRATION_STATE.accepted }),
    onUp: (sn, _address, isEncrypted) => up.push([sn, isEncrypted]),
    onDown() {},
    handshakeTimeout: 700,
    halfOpenMax: HALF_OPEN_MAX,
    halfOpenPerAddress: HALF_OPEN_MAX
  })
  port = await links.listen(0, '127.0.0.1')
})
test.after.each(async () => {
  for (const device of devices.splice(0)) device.stop()
  for (const socket of sockets.splice(0)) socket.destroy()
  await links.close()
})

/** Starts a device of the fleet. @returns the states of its link */
function startDevice(index: number, tls?: LinkTls): LinkState[] {
  const states: LinkState[] = []
  const device = new DeviceLink({
    chooseAddress: () => ({ host: '127.0.0.1', port }),
    tls,
    helloHeader: HELLO_HEADER,
    hello: () => helloOf(index),
    onSession: (session) => session.on('stream', (stream) => stream.respond({ ':status': 204 }, { endStream: true })),
    onStateChange: (state) => states.push(state)
  })
  devices.push(device)
  device.dial()
  return states
}

const serialOf = (index: number) => helloOf(index).sn
const isUp = (index: number) => up.some(([sn]) => sn === serialOf(index))

test('a device connects over TLS with the pin of the hub, and another one without TLS at the same port', async () => {
  startDevice(1, { pin: PIN })
  startDevice(2)
  await until(() => isUp(1) && isUp(2), 'both are online')
  assert.deepEqual(up.sort(), [
    [serialOf(1), true],
    [serialOf(2), false]
  ])
  // The links carry requests alike.
  for (const [sn] of up) await links.sendRegistrationState(sn, REGISTRATION_STATE.accepted)
})

test('a device does not send its hello to a hub with another key, or with a certificate without a trusted authority', async () => {
  const wrong = startDevice(3, { pin: createHash('sha256').update('other').digest('base64') })
  const unknown = startDevice(4, {})
  const hasRetried = (states: LinkState[]) => states.filter((state) => state === 'dialling').length > 2
  await until(() => hasRetried(wrong) && hasRetried(unknown), 'both have retried')
  assert.deepEqual(up, [])
  assert.ok(![...wrong, ...unknown].includes('up'))
})

async function openTls(options: object = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

test('TLS 1.2 and newer are spoken, and nothing older', async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
    assert.equal((await openTls({ minVersion: version, maxVersion: version })).getProtocol(), version)
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
  await assert.rejects(openTls(old), /alert|protocol|version/i)
})

test('connections over TLS have the limits of plain ones: number, duration, and nothing held without a handshake', async () => {
  const silent = connectTcp(port, '127.0.0.1')
  const broken = connectTcp(port, '127.0.0.1', () => broken.write(Buffer.from([0x16, 3, 1, 0xff, 0xff, 1, 2, 3])))
  const idle = await openTls()
  sockets.push(silent, broken)
  const closed = [silent, broken, idle].map((socket) => {
    socket.on('error', () => {})
    socket.resume()
    return once(socket, 'close')
  })
  await Promise.all(closed)
  // All of them are forgotten: a device can connect.
  startDevice(5, { pin: PIN })
  await until(() => isUp(5), 'the device is online')
})

test('the hub answers other requests over TLS as without it', async () => {
  const socket = await openTls()
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write('GET / HTTP/1.1\r\nHost: hub\r\n\r\n')
  await until(() => text.startsWith('HTTP/1.1 426'), 'the response')
})

test.run()
