import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { NOT_EXIST, NOT_PERMITTED, PORT_OCCUPIED, TOO_MANY, WRONG_STATE } from '../../../contract/codes.ts'
import { acceptDevices, deleteDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { ALL_PERMISSIONS, DEVICE_ADV_CONTROL, DEVICE_CONTROL, DEVICE_VIEW } from '../../../contract/permissions.ts'
import {
  FORWARDS_MAX,
  listPortForwards,
  type PortForward,
  startPortForward,
  stopPortForward
} from '../../../contract/port-forward.ts'
import { logout } from '../../../contract/session.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { helloOf, register } from '../../kit/device.ts'
import { join } from '../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub-of-test.ts'
import { dial, type LinkDevice } from '../../kit/link-device.ts'
import { connectTo, listenFor, readAll, serveTunnels, type Target } from '../../kit/tunnel.ts'
import { until } from '../../kit/until.ts'

const test = suite('port forwarding')
const [{ sn }, { sn: other }] = [helloOf(1), helloOf(2)]
let ports: { port: number; linkPort: number }
let device: LinkDevice
let target: Target

test.after.each(async () => {
  await device.end()
  await target?.close()
})
hubForEach(test)
test.before.each(async () => {
  register(hub, 3)
  await admin.send(acceptDevices, { sn: [sn, other] })
  ports = await hub.listen(0, 0)
  await plugIn()
})

async function plugIn(): Promise<void> {
  device = await dial(ports.linkPort, helloOf(1), serveTunnels)
  await until(() => hub.hub.links.online(sn), 'it is online')
}

/** A port of the device that does this with each connection, forwarded. */
async function forwardTo(serve: (socket: Socket) => void, client = admin): Promise<PortForward> {
  target = await listenFor(serve)
  const { result, forward } = await client.send(startPortForward, { sn, 'remote-port': target.port })
  assert.equal(result, 0)
  return forward
}

const echo = (socket: Socket) => void socket.pipe(socket)
const forwards = async (client = admin) => (await client.send(listPortForwards, {})).list
const closed = (socket: Socket) => until(() => socket.resume().destroyed, 'it is closed')

/** Connects where a connection is accepted and cut. */
const turnedAway = (port: number) => closed(connect({ port, host: '127.0.0.1' }).on('error', () => {}))

test('bytes go to the device’s port and come back, counted', async () => {
  const forward = await forwardTo(echo)
  const before = hub.hub.store.changes.revs().portforward
  const socket = await connectTo(forward['local-port'])
  socket.write('hello')
  assert.equal(String(await once(socket, 'data')), 'hello')
  const [shown] = await forwards()
  assert.ok(shown)
  const { id, since, ...rest } = shown
  assert.deepEqual(rest, {
    ...{ sn, name: 'Hall 1', 'local-port': forward['local-port'], 'remote-port': target.port, state: 1 },
    ...{ 'bytes-in': 5, 'bytes-out': 5, connections: 1, user: 'Admin' }
  })
  assert.equal(id, forward.id)
  assert.ok(Math.abs(Date.now() - since) < 5000)
  await until(() => hub.hub.store.changes.revs().portforward > before, 'the consoles are told')
  socket.end()
  await closed(socket)
  await until(() => hub.hub.forwards.all()[0]?.connections === 0, 'nothing is left open')
  assert.equal(target.sockets.length, 0)
})

test('a direction that ends does not end the other one', async () => {
  const forward = await forwardTo(async (socket) => {
    const all = await readAll(socket)
    socket.end(`you said ${all}`)
  })
  const asking = await connectTo(forward['local-port'])
  asking.end('first')
  assert.equal(await readAll(asking), 'you said first')
  await target.close()

  const heard: string[] = []
  const second = await forwardTo(async (socket) => {
    socket.end('bye')
    heard.push(await readAll(socket))
  })
  const listening = await connectTo(second['local-port'])
  assert.equal(await readAll(listening), 'bye')
  listening.end('late')
  await until(() => heard.length === 1, 'what came after the end was heard')
  assert.deepEqual(heard, ['late'])
  await until(() => hub.hub.forwards.all().every(({ connections }) => connections === 0), 'all are closed')
})

test('a cut is passed on as a cut', async () => {
  const forward = await forwardTo((socket) => {
    socket.once('data', () => socket.resetAndDestroy())
  })
  const socket = await connectTo(forward['local-port'])
  const error = once(socket, 'error').catch((thrown) => [thrown])
  socket.resume().write('x')
  assert.equal((await error)[0].code, 'ECONNRESET')
  const again = await connectTo(forward['local-port'])
  await until(() => target.sockets.length === 1, 'it came through')
  let cut = ''
  target.sockets[0]?.on('error', (thrown: NodeJS.ErrnoException) => {
    cut = thrown.code ?? ''
  })
  target.sockets[0]?.resume()
  again.resetAndDestroy()
  await until(() => cut === 'ECONNRESET', 'the far end hears it')
})

test('a hundred megabytes pass each way, and little of them is under way at any time', async () => {
  const size = 100 << 20
  // Each byte is where it belongs: what follows a byte is the next one, and a mistake in the order or in a piece shows.
  const piece = Buffer.from(Array.from({ length: 1 << 16 }, (_, index) => (index * 31) & 255))
  const isRight = (chunk: Buffer, at: number) => {
    const from = at % piece.length
    const whole = Buffer.concat([piece, piece])
    for (let done = 0; done < chunk.length; done += piece.length) {
      const part = chunk.subarray(done, done + piece.length)
      if (!part.equals(whole.subarray(from, from + part.length))) return false
    }
    return true
  }
  let wrong = 0
  let most = 0
  function send(socket: Socket, arrived: () => number): void {
    let sent = 0
    const more = () => {
      while (sent < size) {
        sent += piece.length
        most = Math.max(most, sent - arrived())
        if (!socket.write(piece)) return void socket.once('drain', more)
      }
      socket.end()
    }
    more()
  }
  let [there, back] = [0, 0]
  const forward = await forwardTo((socket) => {
    socket.on('data', (chunk) => {
      if (!isRight(chunk, there)) wrong++
      there += chunk.length
    })
    send(socket, () => back)
  })
  const socket = await connectTo(forward['local-port'])
  socket.on('data', (chunk) => {
    if (!isRight(chunk, back)) wrong++
    back += chunk.length
  })
  send(socket, () => there)
  await until(() => back >= size && there >= size, 'all arrived', 20_000)
  assert.deepEqual([back, there, wrong], [size, size, 0])
  // The buffers of the system for three connections on one machine, and of ours one window.
  assert.ok(most < 32 << 20, `${most >> 20} MB`)
  await closed(socket)
})

test('a reader that stands still holds up the sender, and nothing else', async () => {
  let sent = 0
  const forward = await forwardTo((socket) => {
    const more = () => {
      do sent += 65_536
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)))
    }
    socket.on('drain', more)
    more()
  })
  const still = await connectTo(forward['local-port'])
  let last = -1
  await until(() => {
    const same = last === sent && sent > 65_536
    last = sent
    return same && hub.hub.forwards.all()[0]?.connections === 1
  }, 'it is held up')
  const kept = hub.hub.forwards.all()[0]?.bytesOut ?? 0
  assert.ok(kept < 16 << 20, `${kept}`)
  const brisk = await connectTo(forward['local-port'])
  let got = 0
  brisk.on('data', (chunk) => {
    got += chunk.length
  })
  await until(() => got > 20 << 20, 'the other connection runs')
  brisk.destroy()
  still.destroy()
  await until(() => target.sockets.length === 0, 'the device hears that both are gone')
})

test('what the console keeps in the browser does not reach the device', async () => {
  let heard = ''
  const forward = await forwardTo((socket) => {
    socket.on('data', (chunk) => {
      heard += chunk
    })
  })
  const socket = await connectTo(forward['local-port'])
  const secret = admin.cookie.split('=')[1] ?? ''
  socket.write(`GET / HTTP/1.1\r\nHost: hub\r\nCookie: lang=en; mwcloud-sid=${secret.slice(0, 20)}`)
  await until(() => heard.includes('mwcloud-sid='), 'the first half is there')
  socket.write(`${secret.slice(20)}\r\n\r\n`)
  await until(() => heard.endsWith('\r\n\r\n'), 'it arrived')
  assert.ok(!heard.includes(secret.slice(0, 5)) && !heard.includes(secret.slice(-5)), heard)
  assert.ok(heard.includes('lang=en'))
})

test('a port that is taken, by whatever it is, is refused and named', async () => {
  const forward = await forwardTo(echo)
  const bind = 7654
  const config = { mode: 'listener' as const, 'bind-port': bind }
  assert.equal((await admin.send(addOutput, { name: 'Out', protocol: SRT, config })).result, 0)
  for (const port of [ports.port, ports.linkPort, target.port, forward['local-port'], bind]) {
    const refused = await admin.send(startPortForward, { sn, 'local-port': port, 'remote-port': 80 })
    assert.deepEqual([refused.result, refused.field, refused.port], [PORT_OCCUPIED, 'local-port', port])
  }
  assert.equal((await forwards()).length, 1)
  const busy = { ...config, 'bind-port': forward['local-port'] }
  const output = await admin.send(addOutput, { name: 'Out 2', protocol: SRT, config: busy })
  assert.deepEqual([output.result, output.port], [PORT_OCCUPIED, forward['local-port']])
  await admin.send(stopPortForward, { id: forward.id })
  assert.equal((await admin.send(addOutput, { name: 'Out 2', protocol: SRT, config: busy })).result, 0)
})

test('a port that was given up can be asked for by its number', async () => {
  const { 'local-port': port, id } = await forwardTo(echo)
  await admin.send(stopPortForward, { id })
  const again = await admin.send(startPortForward, { sn, 'local-port': port, 'remote-port': target.port })
  assert.deepEqual([again.result, again.forward['local-port']], [0, port])
  const socket = await connectTo(port)
  socket.write('x')
  assert.equal(String(await once(socket, 'data')), 'x')
  assert.equal((await admin.send(stopPortForward, { sn, 'local-port': port })).result, 0)
  await closed(socket)
  await assert.rejects(connectTo(port), /ECONNREFUSED/)
  assert.equal((await admin.send(stopPortForward, { sn, 'local-port': port })).result, NOT_EXIST)
})

test('while the device is away it is idle and turns connections away, and it comes back with the device', async () => {
  const { 'local-port': port } = await forwardTo(echo)
  const socket = await connectTo(port)
  await until(() => target.sockets.length === 1, 'it came through')
  await device.end()
  await closed(socket)
  await until(() => !hub.hub.registry.online(sn), 'it is away')
  assert.equal((await forwards())[0]?.state, 0)
  await turnedAway(port)
  await plugIn()
  assert.equal((await forwards())[0]?.state, 1)
  const late = await connectTo(port)
  late.write('x')
  assert.equal(String(await once(late, 'data')), 'x')
})

test('where nothing listens on the device, a connection is cut at once, and the port stays', async () => {
  const forward = await forwardTo(echo)
  await target.close()
  await turnedAway(forward['local-port'])
  assert.equal((await forwards())[0]?.connections, 0)
})

test('it ends with the device’s deletion', async () => {
  const { 'local-port': port } = await forwardTo(echo)
  const socket = await connectTo(port)
  await admin.send(deleteDevices, { sn: [sn] })
  await closed(socket)
  await assert.rejects(connectTo(port), /ECONNREFUSED/)
  assert.deepEqual(await forwards(), [])
})

test('it ends with the session, the right or the sight of who started it', async () => {
  const mask = DEVICE_VIEW | DEVICE_CONTROL | DEVICE_ADV_CONTROL
  const user = join(hub, 'Vera', mask)
  const { group_id: group = 0 } = hub.hub.store.users.byName('Vera') ?? {}
  const ends: [string, () => unknown][] = [
    [
      'right',
      () => hub.hub.store.database.run('UPDATE user_group SET permission = ? WHERE id = ?', DEVICE_VIEW, group)
    ],
    [
      'sight',
      () => admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
    ],
    ['session', () => user.send(logout, {})]
  ]
  for (const [what, end] of ends) {
    const { 'local-port': port } = await forwardTo(echo, user)
    const socket = await connectTo(port)
    await end()
    // What changes rights says so; here it was done behind the hub's back.
    hub.hub.sessionsEnded()
    await closed(socket)
    await assert.rejects(connectTo(port), /ECONNREFUSED/, what)
    assert.deepEqual(await forwards(), [], what)
    await target.close()
    hub.hub.store.database.run('UPDATE user_group SET permission = ? WHERE id = ?', mask, group)
    await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 1 } })
  }
})

test('who does not see the device, or holds only the lesser right, can neither start, see nor stop one', async () => {
  const forward = await forwardTo(echo)
  const lesser = join(hub, 'Lesser', DEVICE_VIEW | DEVICE_CONTROL)
  const blind = join(hub, 'Blind', ALL_PERMISSIONS)
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  for (const [client, result] of [
    [lesser, NOT_PERMITTED],
    [blind, NOT_EXIST]
  ] as const) {
    assert.equal((await client.send(startPortForward, { sn, 'remote-port': 80 })).result, result)
    assert.equal((await client.send(stopPortForward, { id: forward.id })).result, result)
    assert.equal((await client.send(stopPortForward, { sn, 'local-port': forward['local-port'] })).result, result)
  }
  assert.equal((await lesser.send(listPortForwards, {})).result, NOT_PERMITTED)
  assert.deepEqual(await forwards(blind), [])
  assert.equal((await forwards()).length, 1)
})

test('an unknown device, one that waits, bad ports, and one forward too many are refused, and nothing is opened', async () => {
  const start = async (wish: object) => (await admin.send(startPortForward, wish as never)).result
  assert.equal(await start({ sn: 'unknown', 'remote-port': 80 }), NOT_EXIST)
  assert.equal(await start({ sn: helloOf(3).sn, 'remote-port': 80 }), WRONG_STATE)
  for (const bad of [
    {},
    { 'remote-port': 0 },
    { 'remote-port': 65_536 },
    { 'remote-port': '80' },
    { 'remote-port': 80.5 },
    { 'remote-port': 80, 'local-port': -1 },
    { 'remote-port': 80, 'local-port': 65_536 }
  ])
    assert.equal(await start({ sn, ...bad }), 7, JSON.stringify(bad))
  assert.deepEqual([await forwards(), hub.hub.forwards.ports()], [[], []])
  for (let count = 0; count < FORWARDS_MAX; count++) assert.equal(await start({ sn: other, 'remote-port': 1 }), 0)
  assert.equal(await start({ sn: other, 'remote-port': 1 }), TOO_MANY)
})

test('who opened which port of which device, and who closed it, is in the operation log', async () => {
  const { 'local-port': port, id } = await forwardTo(echo)
  await admin.send(stopPortForward, { id })
  const { list } = await admin.send(listLog, { type: 'operation' })
  const lines = list.filter(({ event }) => event.startsWith('/portforward'))
  assert.deepEqual(
    lines.map(({ event, detail, code }) => [event, detail, code]),
    ['stop', 'start'].map((verb) => [`/portforward/${verb}`, `${sn} ${port} → ${target.port}`, 0])
  )
})

test.run()
