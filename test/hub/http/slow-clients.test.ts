import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { RATE_FLOOR } from '../../../web-server/body.ts'
import { connectionLimits } from '../../../web-server/connection-limits.ts'
import { PUBLIC_BODY_LIMIT } from '../../../web-server/request-fields.ts'
import { LIMITS } from '../../../web-server/server.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { sendRaw } from '../../kit/net/raw-http.ts'
import { sendPaced } from '../../kit/net/send-paced.ts'
import { ownTime } from '../../kit/own-time.ts'
import { until } from '../../kit/until.ts'

const test = suite('slow clients')
let port: number
const sockets = new Set<Socket>()
hubForEach(test)
test.before.each(async () => {
  port = (await hub.listen(0, 0)).port
})
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

interface SlowClient {
  socket: Socket
  isClosed: boolean
  received: string
}

/** Sends `text`, then one byte of `trickle` every 300 ms. */
function openSlowly(text: string, trickle = '', localAddress = '127.0.0.1'): SlowClient {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const client: SlowClient = { socket, isClosed: false, received: '' }
  const timer = trickle ? setInterval(() => socket.write(trickle), 300) : undefined
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    client.received += chunk.toString('latin1')
  })
  socket.on('close', () => {
    clearInterval(timer)
    client.isClosed = true
  })
  socket.write(text)
  return client
}

const post = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`
const login = (length: number) => post('/api/login', `Content-Length: ${length}`)

/** Milliseconds between two checks of the server for connections that are late. */
const MARGIN = 2000

test('a client that sends nothing, or its headers or a body byte by byte, is disconnected within the limits that ship', async () => {
  const headerLimit = LIMITS.headersTimeout + LIMITS.connectionsCheckingInterval
  const cookie = `Cookie: ${admin.cookie}\r\n`
  const clients: [string, number, SlowClient][] = [
    ['nothing', headerLimit, openSlowly('')],
    ['slow headers', headerLimit, openSlowly('GET / HTTP/1.1\r\nHost: localhost\r\nX: ', 'x')],
    ['slow body of a public call', PUBLIC_BODY_LIMIT.deadline, openSlowly(login(1000), 'x')],
    ['body that stops', PUBLIC_BODY_LIMIT.deadline, openSlowly(`${login(9000)}${'x'.repeat(8000)}`)],
    ['body of a call that needs a session', 1000, openSlowly(post('/api/channel/add', 'Content-Length: 9000'), 'x')],
    ['body of an unknown call', 1000, openSlowly(post('/api/nothing', 'Content-Length: 9000'), 'x')],
    [
      'slow upload of a user',
      RATE_FLOOR.grace,
      openSlowly(
        `POST /api/firmware/upload HTTP/1.1\r\nHost: localhost\r\n${cookie}Content-Length: 90000\r\n` +
          'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n',
        'x'
      )
    ]
  ]
  let waited = 0
  for (const [what, limit, client] of clients.toSorted(([, a], [, b]) => a - b)) {
    waited += await ownTime(() => until(() => client.isClosed, `${what}: the connection closes`))
    assert.ok(waited < limit + MARGIN, `${what}: closed after ${waited} ms`)
  }
  const [, , slowBody] = clients[2] ?? []
  assert.match(slowBody?.received ?? '', /^HTTP\/1\.1 408 /)
})

test('a body that arrives slowly but within its time is read', async () => {
  const body = '{"id":"Admin","pass":"x"}'
  const client = openSlowly(login(body.length) + body.slice(0, 20))
  await sendPaced(body.slice(20), 300, (character) => client.socket.write(character))
  await until(() => client.received.includes('"result":7'), 'the response')
  assert.match(client.received, /^HTTP\/1\.1 200 .*"result":7/s)
})

test('public calls take 16 KB at most, also without a length, and others 1 MB', async () => {
  const statusOf = async (parts: string[]) => (await sendRaw(port, parts)).statuses[0]
  const size = PUBLIC_BODY_LIMIT.size
  assert.equal(await statusOf([login(size + 1), 'x'.repeat(size + 1)]), 413)
  assert.equal(await statusOf([login(10 * size)]), 413, 'before the body is sent')
  const chunk = `${(size + 1).toString(16)}\r\n${'x'.repeat(size + 1)}\r\n0\r\n\r\n`
  assert.equal(await statusOf([post('/api/login', 'Transfer-Encoding: chunked'), chunk]), 413)
  assert.equal(await statusOf([login(size), 'x'.repeat(size)]), 200)
  const large = { name: 'x', pad: 'x'.repeat(100_000) }
  const reply = await admin.raw('POST', '/api/channel/add', {
    body: JSON.stringify(large),
    headers: { 'content-type': 'application/json' }
  })
  assert.equal(((await reply.json()) as { result: number }).result, SUCCESS)
})

test('connections of strangers are limited for each address and in total, and a user is served beside them', async () => {
  const { strangers, strangersPerNetwork } = connectionLimits()
  const networks = 2 * Math.ceil(strangers / strangersPerNetwork)
  const openOf = (clients: SlowClient[]) => clients.filter(({ isClosed }) => !isClosed).length
  const ofOne = Array.from({ length: strangersPerNetwork + 40 }, () => openSlowly('GET', '', '127.0.0.2'))
  await until(() => openOf(ofOne) <= strangersPerNetwork, 'the oldest of one address are closed')
  const all = [...ofOne]
  for (let network = 3; network < networks + 3; network++)
    for (let n = 0; n < strangersPerNetwork; n++) all.push(openSlowly(login(9000), '', `127.0.0.${network}`))
  await until(() => openOf(all) <= strangers, 'the oldest of all are closed')
  assert.ok(openOf(all) > strangers / 2, `${openOf(all)} are open`)
  const call = `GET /api${channelDashboard.path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${admin.cookie}\r\n\r\n`
  // It is not idle, which would end it.
  const user = openSlowly(call, call, '127.0.0.200')
  await until(() => user.received.includes('"result":0'), 'a user at a new address is served')
  const more = Array.from({ length: 2 * strangers }, (_, n) => openSlowly('GET', '', `127.0.1.${n % 200}`))
  await until(() => openOf([...all, ...more]) <= strangers, 'the oldest of all are closed')
  assert.equal(user.isClosed, false, 'the connection of the user stays')
  const next = openSlowly(call, '', '127.0.0.200')
  await until(() => next.received.includes('"result":0'), 'and the next one from the address is served')
})

test('the limits leave descriptors for devices and streams, however few there are', () => {
  for (const descriptors of [256, 512, 1024, 20_000, 1_048_576]) {
    const { strangers, strangersPerNetwork, known, knownPerNetwork } = connectionLimits(descriptors)
    assert.ok(strangers + known <= 0.7 * descriptors, String(descriptors))
    assert.ok(strangersPerNetwork < strangers && knownPerNetwork < known && strangers < known)
  }
})

test('an aborted call is one short line of the process log, whatever its path says', async () => {
  const lines = await recordProcessLog(async () => {
    for (let n = 0; n < 20; n++) {
      const client = openSlowly(login(1000))
      client.socket.write('x', () => client.socket.resetAndDestroy())
      await until(() => client.isClosed, 'it is closed')
    }
    const forged = openSlowly('GET /api/x%0a{"level":"fatal"} HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => forged.received !== '', 'the response')
    // The calls before it have ended, too.
    assert.equal((await admin.send(channelDashboard, {})).result, SUCCESS)
  })
  assert.ok(lines.length > 0 && lines.length <= 20, `${lines.length} lines`)
  for (const line of lines) assert.match(line, /^info Call refused \{"call":"\/login","reason":"[\w ]+"\} \{\}$/)
})

test.run()
