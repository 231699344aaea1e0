import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as makeRequest } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, performServerHandshake } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, connect as dialSocket } from 'node:net'
import { suite } from 'uvu'
import { WebSocket } from 'ws'
import { tunnelAsDuplex } from '../../../device-link/tunnel-duplex.ts'
import type { Appliance } from '../../../fleet/apis/appliance.ts'
import type { Behaviour } from '../../../fleet/behaviour.ts'
import { Machine } from '../../../fleet/machine.ts'
import { createConnectHandler } from '../../../fleet/network/ports.ts'
import { createRoster } from '../../../fleet/roster.ts'

const test = suite('ports')
let session: ClientHttp2Session
let behaviour: Behaviour
let name: string
let close: () => void

/** Starts a device of the roster with its link, and connects the hub's end. */
async function start(index = 0): Promise<void> {
  const entry = createRoster(24)[index]
  assert.ok(entry)
  behaviour = 'normal'
  name = 'Foyer'
  const appliance = {
    entry,
    machine: new Machine(entry, () => behaviour),
    name: () => name,
    rename(next: string) {
      name = next
    },
    firmware: () => '1.2.3'
  } as unknown as Appliance
  const handleConnect = createConnectHandler({ appliance, behaviour: () => behaviour })
  const server = createServer((socket) => {
    performServerHandshake(socket).on('stream', (stream, headers) => {
      stream.on('error', () => {})
      handleConnect(stream, headers[':authority'] ?? '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket: Socket = dialSocket((server.address() as AddressInfo).port, '127.0.0.1')
  session = connectHttp2('http://device', { createConnection: () => socket })
  session.on('error', () => {})
  close = () => {
    session.destroy()
    socket.destroy()
    server.close()
  }
}

test.before.each(() => start())
test.after.each(() => close())

async function openTunnel(authority: string) {
  const stream = session.request({ ':method': 'CONNECT', ':authority': authority })
  stream.on('error', () => {})
  const [headers] = await once(stream, 'response')
  return { stream, status: headers[':status'] as number }
}

async function send(
  method: string,
  path: string,
  body?: string
): Promise<{ status: number; text: string; response: IncomingMessage }> {
  const { stream } = await openTunnel('127.0.0.1:80')
  const call = makeRequest({ createConnection: () => tunnelAsDuplex(stream), method, path })
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode ?? 0, text, response }
}

test('port 80 serves the web page with its script and style', async () => {
  const { status, text, response } = await send('GET', '/')
  assert.deepEqual([status, response.headers['content-type']], [200, 'text/html;charset=utf-8'])
  const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  assert.equal(parts.length, 2)
  for (const path of parts) assert.equal((await send('GET', path)).status, 200, path)
  assert.equal((await send('GET', '/nothing')).status, 404)
  assert.equal((await send('POST', '/')).status, 404)
})

test('the page receives the live status, and accepts a new name', async () => {
  const { stream } = await openTunnel('127.0.0.1:80')
  const socket = new WebSocket('ws://device/live', { createConnection: () => tunnelAsDuplex(stream) as never })
  const [first] = await once(socket, 'message')
  const { name: shown, serial, firmware } = JSON.parse(String(first))
  assert.deepEqual([shown, serial, firmware], ['Foyer', createRoster(24)[0]?.sn, '1.2.3'])
  assert.equal((await send('POST', '/name', 'Stage')).status, 204)
  for (const invalidValue of ['', ' x', 'a\nb', 'x'.repeat(65), 'x'.repeat(5000)])
    assert.equal((await send('POST', '/name', invalidValue)).status, 400)
  const [second] = await once(socket, 'message')
  assert.equal(JSON.parse(String(second)).name, 'Stage')
  socket.terminate()
})

test('port 7 echoes data; other ports and other hosts are refused', async () => {
  const { stream, status } = await openTunnel('127.0.0.1:7')
  assert.equal(status, 200)
  stream.end('hello')
  let text = ''
  for await (const chunk of stream) text += chunk
  assert.equal(text, 'hello')
  for (const authority of ['127.0.0.1:81', '127.0.0.1:22', '10.0.0.1:80', 'example.com:80', '127.0.0.1'])
    assert.equal((await openTunnel(authority)).status, 502, authority)
})

test('a device without an API has no page', async () => {
  close()
  await start(16)
  assert.equal((await openTunnel('127.0.0.1:80')).status, 502)
})

test('the web page follows the behaviour of the device', async () => {
  behaviour = 'refuse'
  assert.equal((await send('GET', '/')).status, 503)
  behaviour = 'lie'
  await assert.rejects(send('GET', '/'))
  behaviour = 'hostile'
  const { text, response } = await send('GET', '/')
  assert.match(text, /api\/logout/)
  assert.match(String(response.headers['set-cookie']), /^mwcloud-sid=evil/)
})

test.run()
