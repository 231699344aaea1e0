import assert from 'node:assert/strict'
import { once } from 'node:events'
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { suite } from 'uvu'
import { type Link, openLink } from '../../device-link/link.ts'
import { until } from '../kit/until.ts'

const test = suite('receive windows of a link')

/** Bytes of HTTP/2's default window, and of a wide one. */
const [NARROW, WIDE] = [65_535, 256 << 10]
/** Longer than a ping on a fast line. */
const SLOW = 1200

let servers: Server[] = []
let sockets: Socket[] = []
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  servers = []
  sockets = []
})

async function listen(handle: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    handle(socket)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const dial = (port: number): Socket => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  return socket
}

/** A device behind a line whose delay in milliseconds can be changed, and the link to it. */
async function connectDevice() {
  let session: ServerHttp2Session | undefined
  const line = { delay: 0 }
  const devicePort = await listen((socket) => {
    session = performServerHandshake(socket)
    session.on('error', () => {})
    session.on('stream', sendForEver)
  })
  const linePort = await listen((near) => {
    const far = dial(devicePort)
    const forward = (from: Socket, to: Socket) =>
      from.on('data', (chunk) => (line.delay > 0 ? setTimeout(() => to.write(chunk), line.delay) : to.write(chunk)))
    forward(near, far)
    forward(far, near)
  })
  const link = openLink(dial(linePort), { pingInterval: 20, pingTimeout: 30_000, onUp() {}, onEnd() {} })
  await until(() => link.isUp && session, 'the link is up')
  return { link, line, windowOfStreams: () => session?.remoteSettings.initialWindowSize }
}

function sendForEver(stream: ServerHttp2Stream): void {
  const chunk = Buffer.alloc(64 << 10)
  stream.on('error', () => {})
  stream.respond({ ':status': 200 })
  const send = () => {
    while (!stream.destroyed && stream.write(chunk));
  }
  stream.on('drain', send)
  send()
}

function receive({ session }: Link) {
  const stream = session.request({ ':path': '/' }).on('error', () => {})
  return stream.resume()
}

test('windows are wide once a line is fast, and narrow again when a ping is slow', async () => {
  const { link, line, windowOfStreams } = await connectDevice()
  assert.equal(windowOfStreams(), NARROW)
  const stream = receive(link)
  await until(() => windowOfStreams() === WIDE, 'the windows are wide')
  line.delay = SLOW
  await until(() => windowOfStreams() === NARROW, 'the windows are narrow')
  stream.close()
  link.end('the test ends')
})

test('windows stay narrow on an idle line', async () => {
  const { link, windowOfStreams } = await connectDevice()
  for (let ping = 0; ping < 20; ping++) assert.ok(await link.respondsWithin(10_000))
  assert.equal(windowOfStreams(), NARROW)
  link.end('the test ends')
})

test.run()
