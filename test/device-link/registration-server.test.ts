import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { HELLO_HEADER, LINK_PROTOCOL, REFUSAL_STATE } from '../../contract/device/link.ts'
import {
  createDeviceLinks,
  type DeviceLinks,
  type DeviceLinksOptions,
  HALF_OPEN
} from '../../hub/devices/link/links.ts'
import { connectLinkDevice, helloHeader, openLink } from '../kit/fleet/link-device.ts'
import { recordProcessLog } from '../kit/hub/process-log.ts'
import { helloOf } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('registration server')
let links: DeviceLinks | undefined
const sockets: Socket[] = []
test.after.each(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await links?.close()
  links = undefined
})

async function open(options: Partial<DeviceLinksOptions> = {}) {
  const events: string[] = []
  links = createDeviceLinks({
    register: () => ({ state: REGISTRATION_STATE.accepted }),
    onUp: (sn, address) => events.push(`up ${sn} ${address}`),
    onDown: (sn, reason) => events.push(`down ${sn}: ${reason}`),
    ...options
  })
  return { links, events, port: await links.listen(0, '127.0.0.1') }
}

/** A raw TCP connection. `text` is everything received so far. */
async function raw(port: number, first = '', localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => {})
  const connection = { socket, text: '', closed: false }
  socket.on('data', (chunk) => {
    connection.text += chunk.toString('latin1')
  })
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      connection.closed = true
    })
  await once(socket, 'connect')
  if (first) socket.write(first)
  return connection
}

const upgrade = (hello: string, headers = '') =>
  `GET /link HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n${HELLO_HEADER}: ${hello}\r\n${headers}\r\n`

test('an accepted or pending device is admitted and receives its state', async () => {
  const states = [REGISTRATION_STATE.accepted, REGISTRATION_STATE.pending]
  const registrations: unknown[] = []
  const { port, events } = await open({
    register(hello, address) {
      registrations.push([hello, address])
      return { state: states[registrations.length - 1] ?? 0 }
    }
  })
  const [a, b] = [
    await connectLinkDevice(port, helloOf(1)),
    await connectLinkDevice(port, helloOf(2, { code: '0165' }))
  ]
  assert.deepEqual([a.state, b.state], states)
  assert.deepEqual(registrations, [
    [helloOf(1), '127.0.0.1'],
    [helloOf(2, { code: '0165' }), '127.0.0.1']
  ])
  await until(() => events.length === 2, 'both are up')
  assert.deepEqual(events.sort(), [`up ${helloOf(1).sn} 127.0.0.1`, `up ${helloOf(2).sn} 127.0.0.1`])
})

test('a refusal contains the state, for each reason', async () => {
  const refusals = [
    REGISTRATION_STATE.rejected,
    REFUSAL_STATE.exists,
    REFUSAL_STATE.wrongCode,
    REFUSAL_STATE.illegalDevice
  ]
  let refuse = 0
  const { port, events, links } = await open({ register: () => ({ refuse }) })
  for (refuse of refusals) {
    const response = await openLink(port, { header: helloHeader(helloOf(1)) })
    assert.deepEqual(response, { status: 403, body: JSON.stringify({ state: refuse }) })
  }
  assert.deepEqual([events, links.count], [[], 0])
})

test('a missing, damaged or implausible hello is refused as an illegal device, without a call of `register`', async () => {
  let calls = 0
  const { port } = await open({
    register() {
      calls++
      return { state: REGISTRATION_STATE.accepted }
    }
  })
  const headers = [
    undefined,
    'garbage!',
    helloHeader({}),
    helloHeader({ ...helloOf(1), name: 'x'.repeat(65) }),
    helloHeader({ ...helloOf(1), module: 1 }),
    helloHeader({ ...helloOf(1), key: 7 }),
    'A'.repeat(4097)
  ]
  for (const header of headers)
    assert.deepEqual(await openLink(port, { header }), { status: 403, body: '{"state":107}' }, header)
  assert.equal(calls, 0)
})

test('a request with another path, protocol or method is refused', async () => {
  const { port } = await open()
  const header = helloHeader(helloOf(1))
  assert.partialDeepStrictEqual(await openLink(port, { header, path: '/' }), { status: 404 })
  assert.partialDeepStrictEqual(await openLink(port, { header, protocol: 'websocket' }), { status: 426 })
  const plain = await raw(port, 'GET /link HTTP/1.1\r\nHost: hub\r\n\r\n')
  await until(() => plain.closed || /^HTTP\/1.1 426 /.test(plain.text), 'an error status')
  const noise = await raw(port, '\x16\x03\x01\x00\xa5\x01\x00\x00')
  await until(() => noise.text.startsWith('HTTP/1.1 400 '), 'an error status')
})

test('a header of 20,000 bytes is refused', async () => {
  const { port } = await open()
  const oversized = await raw(port, upgrade('A'.repeat(20_000)))
  await until(() => /^HTTP\/1.1 431 /.test(oversized.text), 'an error status')
})

test('a client that sends data before it is admitted is refused', async () => {
  const { port } = await open()
  const eager = await raw(port, `${upgrade(helloHeader(helloOf(1)))}PRI * HTTP/2.0`)
  await until(() => eager.text.endsWith('{"state":107}'), 'it is refused')
})

test('a client that sends nothing, half a hello, or nothing after it is disconnected after the handshake timeout', async () => {
  const { port, events, links } = await open({ handshakeTimeout: 2000 })
  const header = helloHeader(helloOf(1))
  const silent = await raw(port)
  const half = await raw(port, upgrade(header).slice(0, 50))
  const dead = await raw(port, upgrade(header))
  const refusedConnection = await raw(port, upgrade('garbage!'))
  await until(() => dead.text.includes('101 Switching'), 'it is admitted')
  assert.equal(links.isOnline(helloOf(1).sn), false, 'admitted, but not proved to be a device')
  for (const connection of [silent, half, dead, refusedConnection])
    await until(() => connection.closed, 'it is disconnected')
  assert.deepEqual([events, links.count], [[], 0])
})

test('half-open connections are limited per address; connected devices do not count', async () => {
  const { port, links } = await open({ halfOpenMax: 8, halfOpenPerAddress: 3 })
  const device = await connectLinkDevice(port, helloOf(1))
  await until(() => links.count === 1, 'it is up')
  const connections = [await raw(port), await raw(port), await raw(port)]
  await raw(port)
  await until(() => connections[0]?.closed === true, 'the oldest is disconnected')
  assert.equal(connections.filter(({ closed }) => closed).length, 1)
  await connectLinkDevice(port, helloOf(2))
  await until(() => links.count === 2, 'another device is up')
  assert.equal(device.socket.destroyed, false)
})

test('half-open connections are also limited in total', async () => {
  const { port } = await open({ halfOpenMax: 2, halfOpenPerAddress: 3 })
  const connections = [await raw(port), await raw(port)]
  const third = await raw(port)
  await until(() => connections[0]?.closed === true, 'the oldest is disconnected')
  assert.deepEqual([connections[1]?.closed, third.closed], [false, false])
})

test('devices connect while strangers hold every connection that they can, from one address and from many', async () => {
  const { port, links } = await open()
  const { halfOpenMax, halfOpenPerAddress } = HALF_OPEN
  const strangers: Awaited<ReturnType<typeof raw>>[] = []
  const networks = 2 * Math.ceil(halfOpenMax / halfOpenPerAddress)
  for (let network = 1; network <= networks; network++)
    for (let n = 0; n < halfOpenPerAddress; n++) strangers.push(await raw(port, 'GET', `127.0.0.${network}`))
  const countOpen = () => strangers.filter(({ closed }) => !closed).length
  await until(() => countOpen() <= halfOpenMax, 'the oldest are disconnected')
  const [first, second] = [await connectLinkDevice(port, helloOf(1)), await connectLinkDevice(port, helloOf(2))]
  await until(() => links.count === 2, 'the devices are up')
  assert.deepEqual([first.socket.destroyed, second.socket.destroyed], [false, false])
  for (const { socket } of strangers) socket.destroy()
})

test('an error in `register` returns status 500, and later registrations work', async () => {
  await recordProcessLog(async () => {
    let isFailing = true
    const { port } = await open({
      register() {
        if (isFailing) throw new Error('disk full')
        return { state: REGISTRATION_STATE.pending }
      }
    })
    assert.partialDeepStrictEqual(await openLink(port, { header: helloHeader(helloOf(1)) }), { status: 500 })
    isFailing = false
    assert.equal((await connectLinkDevice(port, helloOf(1))).state, REGISTRATION_STATE.pending)
  })
})

test('closing disconnects half-open connections and devices, and frees the port', async () => {
  const { port, links, events } = await open()
  const halfOpen = await raw(port)
  const device = await connectLinkDevice(port, helloOf(1))
  await until(() => links.count === 1, 'it is up')
  await links.close()
  await until(() => halfOpen.closed, 'the half-open connection is closed')
  await device.closed
  assert.deepEqual(events.at(-1), `down ${helloOf(1).sn}: the hub is closing`)
  await assert.rejects(openLink(port, {}), { code: 'ECONNREFUSED' })
})

test('listening on a port in use is rejected', async () => {
  const { port } = await open()
  const other = createDeviceLinks({ register: () => ({ state: 0 }), onUp() {}, onDown() {} })
  await assert.rejects(other.listen(port, '127.0.0.1'), { code: 'EADDRINUSE' })
})

test.run()
