import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { WebSocket, WebSocketServer } from 'ws'
import { startDevProxy } from '../../make/dev-proxy.ts'
import { until } from '../kit/until.ts'

const test = suite('dev proxy')

/** Stands in for the hub: a page, an echo of requests, and a WebSocket. */
let hub: Server
let proxy: Awaited<ReturnType<typeof startDevProxy>>
let url = ''

test.before(async () => {
  hub = createServer((request, response) => {
    if (request.url === '/') response.writeHead(200, { 'content-length': 6, etag: '"1"' }).end('<page>')
    else {
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-from': String(request.headers['x-forwarded-for']) })
      request.pipe(response)
    }
  }).listen(0, '127.0.0.1')
  new WebSocketServer({ server: hub }).on('connection', (socket) =>
    socket.on('message', (message) => socket.send(`received ${message}`))
  )
  await once(hub, 'listening')
  proxy = await startDevProxy((hub.address() as AddressInfo).port, 0, '127.0.0.1')
  url = `http://127.0.0.1:${proxy.port}`
})

test.after(() => {
  proxy.close()
  hub.closeAllConnections()
  hub.close()
})

test('the page gets a script that reloads it, without a wrong Content-Length', async () => {
  const page = await (await fetch(`${url}/`)).text()
  assert.match(page, /^<page><script src="(.+)"><\/script>\n$/)
  const [, script = ''] = /src="(.+)"/.exec(page) ?? []
  assert.match(await (await fetch(url + script)).text(), /location\.reload/)
})

test('all other responses are forwarded unchanged', async () => {
  const response = await fetch(`${url}/api/x`, { method: 'POST', body: 'hello' })
  assert.equal(response.status, 201)
  assert.equal(await response.text(), 'hello')
  assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.equal(response.headers.get('x-from'), '127.0.0.1')
})

test('WebSockets are forwarded', async () => {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  socket.send('hello')
  const [message] = await once(socket, 'message')
  assert.equal(String(message), 'received hello')
  socket.terminate()
})

test('an open page receives the reload event', async () => {
  const events = await fetch(`${url}/dev/reload`)
  let received = ''
  const reading = (async () => {
    for await (const chunk of events.body ?? []) received += Buffer.from(chunk)
  })().catch(() => {})
  await until(() => {
    proxy.reload()
    return received.includes('event: reload')
  }, 'the event')
  await events.body?.cancel().catch(() => {})
  void reading
})

test('while the hub restarts, the response is 502', async () => {
  const withoutHub = await startDevProxy(1, 0, '127.0.0.1')
  assert.equal((await fetch(`http://127.0.0.1:${withoutHub.port}/`)).status, 502)
  withoutHub.close()
})

test.run()
