import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { WebSocket, WebSocketServer } from 'ws'
import { startDevDoor } from '../../make/dev-proxy.ts'
import { until } from '../kit/until.ts'

const test = suite('dev door')

/** Takes the place of the hub: a page, an echo of what it was sent, and a socket. */
let hub: Server
let door: Awaited<ReturnType<typeof startDevDoor>>
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
    socket.on('message', (message) => socket.send(`heard ${message}`))
  )
  await once(hub, 'listening')
  door = await startDevDoor((hub.address() as AddressInfo).port, 0, '127.0.0.1')
  url = `http://127.0.0.1:${door.port}`
})

test.after(() => {
  door.close()
  hub.closeAllConnections()
  hub.close()
})

test('the page gets a script that reloads it, and its length is right', async () => {
  const page = await (await fetch(`${url}/`)).text()
  assert.match(page, /^<page><script src="(.+)"><\/script>\n$/)
  const [, script = ''] = /src="(.+)"/.exec(page) ?? []
  assert.match(await (await fetch(url + script)).text(), /location\.reload/)
})

test('all else passes through as it is', async () => {
  const answer = await fetch(`${url}/api/x`, { method: 'POST', body: 'hello' })
  assert.equal(answer.status, 201)
  assert.equal(await answer.text(), 'hello')
  assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.equal(answer.headers.get('x-from'), '127.0.0.1')
})

test('sockets pass through', async () => {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  socket.send('hello')
  const [message] = await once(socket, 'message')
  assert.equal(String(message), 'heard hello')
  socket.terminate()
})

test('an open page hears when to reload', async () => {
  const events = await fetch(`${url}/dev/reload`)
  let heard = ''
  const reading = (async () => {
    for await (const chunk of events.body ?? []) heard += Buffer.from(chunk)
  })().catch(() => {})
  await until(() => {
    door.reload()
    return heard.includes('event: reload')
  }, 'the event')
  await events.body?.cancel().catch(() => {})
  void reading
})

test('while the hub starts anew the answer is 502', async () => {
  const nobody = await startDevDoor(1, 0, '127.0.0.1')
  assert.equal((await fetch(`http://127.0.0.1:${nobody.port}/`)).status, 502)
  nobody.close()
})

test.run()
