import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_VIEW
} from '../../../contract/access/permissions.ts'
import { logout } from '../../../contract/access/session.ts'
import { NOT_EXIST, NOT_PERMITTED, PORT_OCCUPIED, SUCCESS, TOO_MANY, WRONG_STATE } from '../../../contract/codes.ts'
import { acceptDevices, deleteDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import {
  FORWARDS_MAX,
  listPortForwards,
  type PortForward,
  startPortForward,
  stopPortForward
} from '../../../contract/port-forward.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { connectLinkDevice, type LinkDevice } from '../../kit/fleet/link-device.ts'
import { connectTo, readAll, serveTunnels, startServer, type TestServer } from '../../kit/fleet/tunnel.ts'
import { addSignedInUser } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('port forwarding')
const [{ sn }, { sn: other }] = [helloOf(1), helloOf(2)]
let ports: { port: number; linkPort: number }
let device: LinkDevice
let target: TestServer

test.after.each(async () => {
  await device.end()
  await target?.close()
})
hubForEach(test)
test.before.each(async () => {
  registerDevices(hub, 3)
  await admin.send(acceptDevices, { sn: [sn, other] })
  ports = await hub.listen(0, 0)
  await connectDevice()
})

async function connectDevice(): Promise<void> {
  device = await connectLinkDevice(ports.linkPort, helloOf(1), serveTunnels)
  await until(() => hub.parts.links.isOnline(sn), 'the device is online')
}

/** Starts a forward to a port of the device that serves each connection with `serve`. */
async function startForward(serve: (socket: Socket) => void, client = admin): Promise<PortForward> {
  target = await startServer(serve)
  const { result, forward } = await client.send(startPortForward, { sn, 'remote-port': target.port })
  assert.equal(result, SUCCESS)
  return forward
}

const echo = (socket: Socket) => void socket.pipe(socket)
const forwards = async (client = admin) => (await client.send(listPortForwards, {})).list
const closed = (socket: Socket) => until(() => socket.resume().destroyed, 'the connection is closed')

/** Resolves once a connection to the port is accepted and then closed. */
const connectRefused = (port: number) => closed(connect({ port, host: '127.0.0.1' }).on('error', () => {}))

test('bytes pass to the device’s port and back, and are counted', async () => {
  const forward = await startForward(echo)
  const before = hub.parts.store.changes.revs().portforward
  const socket = await connectTo(forward['local-port'])
  socket.write('hello')
  assert.equal(String(await once(socket, 'data')), 'hello')
  const [listedForward] = await forwards()
  assert.ok(listedForward)
  const { id, since, ...rest } = listedForward
  assert.deepEqual(rest, {
    ...{ sn, name: 'Hall 1', 'local-port': forward['local-port'], 'remote-port': target.port, state: 1 },
    ...{ 'bytes-in': 5, 'bytes-out': 5, connections: 1, user: 'Admin' }
  })
  assert.equal(id, forward.id)
  assert.ok(Math.abs(Date.now() - since) < 5000)
  await until(() => hub.parts.store.changes.revs().portforward > before, 'the consoles are notified')
  socket.end()
  await closed(socket)
  await until(() => hub.parts.portForwards.list()[0]?.connections === 0, 'all connections are closed')
  await until(() => target.sockets.length === 0, 'the connection is closed at the device')
})

test('the end of one direction does not end the other', async () => {
  const forward = await startForward(async (socket) => {
    const all = await readAll(socket)
    socket.end(`you said ${all}`)
  })
  const sender = await connectTo(forward['local-port'])
  sender.end('first')
  assert.equal(await readAll(sender), 'you said first')
  await target.close()

  const receivedText: string[] = []
  const second = await startForward(async (socket) => {
    socket.end('bye')
    receivedText.push(await readAll(socket))
  })
  const receiver = await connectTo(second['local-port'])
  assert.equal(await readAll(receiver), 'bye')
  receiver.end('late')
  await until(() => receivedText.length === 1, 'data after the end was received')
  assert.deepEqual(receivedText, ['late'])
  await until(
    () => hub.parts.portForwards.list().every(({ connections }) => connections === 0),
    'all connections are closed'
  )
})

test('a reset connection is reset on the other side', async () => {
  const forward = await startForward((socket) => {
    socket.once('data', () => socket.resetAndDestroy())
  })
  const socket = await connectTo(forward['local-port'])
  const error = once(socket, 'error').catch((thrown) => [thrown])
  socket.resume().write('x')
  assert.equal((await error)[0].code, 'ECONNRESET')
  const newConnection = await connectTo(forward['local-port'])
  await until(() => target.sockets.length === 1, 'the data has arrived')
  let closedBy = ''
  target.sockets[0]?.on('error', (thrown: NodeJS.ErrnoException) => {
    closedBy = thrown.code ?? ''
  })
  target.sockets[0]?.resume()
  newConnection.resetAndDestroy()
  await until(() => closedBy === 'ECONNRESET', 'the other side is closed')
})

test('a hundred megabytes pass in each direction, with little data buffered at any time', async () => {
  const size = 100 << 20
  // A repeating pattern, so that missing or reordered data is detected.
  const pattern = Buffer.from(Array.from({ length: 1 << 16 }, (_, index) => (index * 31) & 255))
  const hasPattern = (chunk: Buffer, at: number) => {
    const from = at % pattern.length
    const twoPatterns = Buffer.concat([pattern, pattern])
    for (let offset = 0; offset < chunk.length; offset += pattern.length) {
      const part = chunk.subarray(offset, offset + pattern.length)
      if (!part.equals(twoPatterns.subarray(from, from + part.length))) return false
    }
    return true
  }
  let wrongBytes = 0
  let maxInFlightBytes = 0
  function send(socket: Socket, arrived: () => number): void {
    let sentBytes = 0
    const write = () => {
      while (sentBytes < size) {
        sentBytes += pattern.length
        maxInFlightBytes = Math.max(maxInFlightBytes, sentBytes - arrived())
        if (!socket.write(pattern)) return void socket.once('drain', write)
      }
      socket.end()
    }
    write()
  }
  let [receivedByDevice, receivedByClient] = [0, 0]
  const forward = await startForward((socket) => {
    socket.on('data', (chunk) => {
      if (!hasPattern(chunk, receivedByDevice)) wrongBytes++
      receivedByDevice += chunk.length
    })
    send(socket, () => receivedByClient)
  })
  const socket = await connectTo(forward['local-port'])
  socket.on('data', (chunk) => {
    if (!hasPattern(chunk, receivedByClient)) wrongBytes++
    receivedByClient += chunk.length
  })
  send(socket, () => receivedByDevice)
  await until(() => receivedByClient >= size && receivedByDevice >= size, 'all bytes have arrived')
  assert.deepEqual([receivedByClient, receivedByDevice, wrongBytes], [size, size, 0])
  // The socket buffers of three connections on one machine, and one window of the hub.
  assert.ok(maxInFlightBytes < 32 << 20, `${maxInFlightBytes >> 20} MB`)
  await closed(socket)
})

test('a stalled reader stalls only its own sender', async () => {
  let sentBytes = 0
  const forward = await startForward((socket) => {
    const write = () => {
      do sentBytes += 65_536
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)))
    }
    socket.on('drain', write)
    write()
  })
  const stalledReader = await connectTo(forward['local-port'])
  let last = -1
  await until(() => {
    const isStalled = last === sentBytes && sentBytes > 65_536
    last = sentBytes
    return isStalled && hub.parts.portForwards.list()[0]?.connections === 1
  }, 'sending has stopped')
  const bytesOut = hub.parts.portForwards.list()[0]?.bytesOut ?? 0
  assert.ok(bytesOut < 16 << 20, `${bytesOut}`)
  const fastReader = await connectTo(forward['local-port'])
  let receivedBytes = 0
  fastReader.on('data', (chunk) => {
    receivedBytes += chunk.length
  })
  await until(() => receivedBytes > 20 << 20, 'the other connection runs')
  fastReader.destroy()
  stalledReader.destroy()
  await until(() => target.sockets.length === 0, 'both connections are closed at the device')
})

test('the console’s cookies do not reach the device', async () => {
  let received = ''
  const forward = await startForward((socket) => {
    socket.on('data', (chunk) => {
      received += chunk
    })
  })
  const socket = await connectTo(forward['local-port'])
  const secret = admin.cookie.split('=')[1] ?? ''
  socket.write(`GET / HTTP/1.1\r\nHost: hub\r\nCookie: lang=en; mwcloud-sid=${secret.slice(0, 20)}`)
  await until(() => received.includes('mwcloud-sid='), 'the first half has arrived')
  socket.write(`${secret.slice(20)}\r\n\r\n`)
  await until(() => received.endsWith('\r\n\r\n'), 'the data has arrived')
  assert.ok(!received.includes(secret.slice(0, 5)) && !received.includes(secret.slice(-5)), received)
  assert.ok(received.includes('lang=en'))
})

test('an occupied port is refused, and its user is named', async () => {
  const forward = await startForward(echo)
  const bind = 7654
  const config = { mode: 'listener' as const, 'bind-port': bind }
  assert.equal((await admin.send(addOutput, { name: 'Out', protocol: SRT, config })).result, SUCCESS)
  for (const port of [ports.port, ports.linkPort, target.port, forward['local-port'], bind]) {
    const refusal = await admin.send(startPortForward, { sn, 'local-port': port, 'remote-port': 80 })
    assert.deepEqual([refusal.result, refusal.field, refusal.port], [PORT_OCCUPIED, 'local-port', port])
  }
  assert.equal((await forwards()).length, 1)
  const occupied = { ...config, 'bind-port': forward['local-port'] }
  const output = await admin.send(addOutput, { name: 'Out 2', protocol: SRT, config: occupied })
  assert.deepEqual([output.result, output.port], [PORT_OCCUPIED, forward['local-port']])
  await admin.send(stopPortForward, { id: forward.id })
  assert.equal((await admin.send(addOutput, { name: 'Out 2', protocol: SRT, config: occupied })).result, SUCCESS)
})

test('a released port can be requested by its number', async () => {
  const { 'local-port': port, id } = await startForward(echo)
  await admin.send(stopPortForward, { id })
  const reply = await admin.send(startPortForward, { sn, 'local-port': port, 'remote-port': target.port })
  assert.deepEqual([reply.result, reply.forward['local-port']], [0, port])
  const socket = await connectTo(port)
  socket.write('x')
  assert.equal(String(await once(socket, 'data')), 'x')
  assert.equal((await admin.send(stopPortForward, { sn, 'local-port': port })).result, SUCCESS)
  await closed(socket)
  await assert.rejects(connectTo(port), /ECONNREFUSED/)
  assert.equal((await admin.send(stopPortForward, { sn, 'local-port': port })).result, NOT_EXIST)
})

test('while the device is offline the forward is idle and refuses connections; it resumes with the device', async () => {
  const { 'local-port': port } = await startForward(echo)
  const socket = await connectTo(port)
  await until(() => target.sockets.length === 1, 'the data has arrived')
  await device.end()
  await closed(socket)
  await until(() => !hub.parts.registry.isOnline(sn), 'the device is offline')
  assert.equal((await forwards())[0]?.state, 0)
  await connectRefused(port)
  await connectDevice()
  assert.equal((await forwards())[0]?.state, 1)
  const lateConnection = await connectTo(port)
  lateConnection.write('x')
  assert.equal(String(await once(lateConnection, 'data')), 'x')
})

test('if nothing listens on the device, a connection is closed at once, and the port stays open', async () => {
  const forward = await startForward(echo)
  await target.close()
  await connectRefused(forward['local-port'])
  await until(() => hub.parts.portForwards.list()[0]?.connections === 0, 'no connection is counted')
})

test('a forward ends when the device is deleted', async () => {
  const { 'local-port': port } = await startForward(echo)
  const socket = await connectTo(port)
  await admin.send(deleteDevices, { sn: [sn] })
  await closed(socket)
  await assert.rejects(connectTo(port), /ECONNREFUSED/)
  assert.deepEqual(await forwards(), [])
})

test('a forward ends when its user’s session ends, or the user loses the permission or the device', async () => {
  const mask = DEVICE_VIEW | DEVICE_CONTROL | DEVICE_ADV_CONTROL
  const user = addSignedInUser(hub, 'Vera', mask)
  const { group_id: group = 0 } = hub.parts.store.users.byName('Vera') ?? {}
  const ends: [string, () => unknown][] = [
    [
      'right',
      () => hub.parts.store.database.run('UPDATE user_group SET permission = ? WHERE id = ?', DEVICE_VIEW, group)
    ],
    [
      'sight',
      () => admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
    ],
    ['session', () => user.send(logout, {})]
  ]
  for (const [cause, end] of ends) {
    const { 'local-port': port } = await startForward(echo, user)
    const socket = await connectTo(port)
    await end()
    // The hub is not notified of this change, because it is made in the database.
    hub.parts.sessionsEnded()
    await closed(socket)
    await assert.rejects(connectTo(port), /ECONNREFUSED/, cause)
    assert.deepEqual(await forwards(), [], cause)
    await target.close()
    hub.parts.store.database.run('UPDATE user_group SET permission = ? WHERE id = ?', mask, group)
    await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 1 } })
  }
})

test('callers without access to the device or without the permission can neither start, list nor stop a forward', async () => {
  const forward = await startForward(echo)
  const controlOnly = addSignedInUser(hub, 'Lesser', DEVICE_VIEW | DEVICE_CONTROL)
  const withoutVisibility = addSignedInUser(hub, 'Blind', ALL_PERMISSIONS)
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  for (const [client, result] of [
    [controlOnly, NOT_PERMITTED],
    [withoutVisibility, NOT_EXIST]
  ] as const) {
    assert.equal((await client.send(startPortForward, { sn, 'remote-port': 80 })).result, result)
    assert.equal((await client.send(stopPortForward, { id: forward.id })).result, result)
    assert.equal((await client.send(stopPortForward, { sn, 'local-port': forward['local-port'] })).result, result)
  }
  assert.equal((await controlOnly.send(listPortForwards, {})).result, NOT_PERMITTED)
  assert.deepEqual(await forwards(withoutVisibility), [])
  assert.equal((await forwards()).length, 1)
})

test('unknown and pending devices, invalid ports, and too many forwards are refused, and no port is opened', async () => {
  const start = async (wish: object) => (await admin.send(startPortForward, wish as never)).result
  assert.equal(await start({ sn: 'unknown', 'remote-port': 80 }), NOT_EXIST)
  assert.equal(await start({ sn: helloOf(3).sn, 'remote-port': 80 }), WRONG_STATE)
  for (const invalidRequest of [
    {},
    { 'remote-port': 0 },
    { 'remote-port': 65_536 },
    { 'remote-port': '80' },
    { 'remote-port': 80.5 },
    { 'remote-port': 80, 'local-port': -1 },
    { 'remote-port': 80, 'local-port': 65_536 }
  ])
    assert.equal(await start({ sn, ...invalidRequest }), 7, JSON.stringify(invalidRequest))
  assert.deepEqual([await forwards(), hub.parts.portForwards.listeningPorts()], [[], []])
  for (let count = 0; count < FORWARDS_MAX; count++) assert.equal(await start({ sn: other, 'remote-port': 1 }), 0)
  assert.equal(await start({ sn: other, 'remote-port': 1 }), TOO_MANY)
})

test('the operation log has who opened and closed which port of which device', async () => {
  const { 'local-port': port, id } = await startForward(echo)
  await admin.send(stopPortForward, { id })
  const { list } = await admin.send(listLog, { type: 'operation' })
  const lines = list.filter(({ event }) => event.startsWith('/portforward'))
  assert.deepEqual(
    lines.map(({ event, detail, code }) => [event, detail, code]),
    ['stop', 'start'].map((verb) => [`/portforward/${verb}`, `${sn} ${port} → ${target.port}`, 0])
  )
})

test.run()
