// Connections and Host headers at the port of a device's web page.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { DevicePages } from '../../../hub/pages/device-pages.ts'
import { startServer, type TestServer } from '../../kit/fleet/tunnel.ts'
import { until } from '../../kit/until.ts'

const test = suite('page connections')

const BODY = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello'
let pages: DevicePages
let deviceServer: TestServer
let page: { port: number; cookie: string }
let sockets: Socket[] = []
test.before.each(async () => {
  deviceServer = await startServer((socket) => void socket.once('data', () => socket.end(BODY)))
  pages = new DevicePages({
    host: '127.0.0.1',
    isHostAllowed: (header) => header === 'localhost',
    connect: async () => connect(deviceServer.port, '127.0.0.1'),
    canAccess: () => true
  })
  const opened = await pages.open('B1', 'session')
  assert.ok(opened)
  page = { port: opened.port, cookie: opened.cookie.split(';')[0] ?? '' }
})
test.after.each(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  pages.close()
  await deviceServer.close()
})

interface Client {
  text: string
  isClosed: boolean
}

function open(text: string, localAddress = '127.0.0.1'): Client {
  const socket = connect({ port: page.port, host: '127.0.0.1', localAddress })
  const client: Client = { text: '', isClosed: false }
  sockets.push(socket)
  socket.on('error', () => {})
  socket.on('data', (data) => {
    client.text += data.toString('latin1')
  })
  socket.on('close', () => {
    client.isClosed = true
  })
  socket.write(text)
  return client
}

const request = (host: string, more = '') =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${page.cookie}\r\nSec-Fetch-Site: same-origin\r\n${more}\r\n`

function isComplete(response: string): boolean {
  const [head = '', body] = response.split('\r\n\r\n')
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  return body !== undefined && length !== undefined && body.length >= Number(length)
}

async function respond(text: string, localAddress?: string): Promise<string> {
  const client = open(text, localAddress)
  await until(() => isComplete(client.text) || client.isClosed, 'the response')
  return client.text
}

test('requests and upgrades with a Host header that is not allowed are refused', async () => {
  assert.match(await respond(request('localhost')), /^HTTP\/1\.1 200 .*hello$/s)
  const refused = await respond(request('evil.example'))
  assert.match(refused, /^HTTP\/1\.1 421 .*HOSTS=name/s)
  assert.doesNotMatch(refused, /hello/)
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://evil.example\r\n'
  assert.match(await respond(request('evil.example', upgrade)), /^HTTP\/1\.1 421 /)
  assert.match(await respond(`GET / HTTP/1.0\r\nCookie: ${page.cookie}\r\n\r\n`), /^HTTP\/1\.1 400 /)
})

test('the page is served while strangers hold every connection that they can', async () => {
  const user = open(request('localhost'), '127.0.0.9')
  await until(() => user.text.includes('hello'), 'the page')
  const strangers: Client[] = []
  for (let network = 1; network < 100; network++)
    for (let n = 0; n < 4; n++) strangers.push(open('GET / HTTP/1.1\r\nX: ', `127.0.0.${network}`))
  await until(() => strangers.filter(({ isClosed }) => !isClosed).length <= 40, 'the oldest are closed')
  assert.equal(user.isClosed, false)
  for (const address of ['127.0.0.9', '127.0.0.200'])
    assert.match(await respond(request('localhost'), address), /hello$/, address)
})

test.run()
