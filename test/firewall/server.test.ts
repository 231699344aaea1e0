// The limits of the firewall service's socket, at the values that ship.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { FirewallResponse } from '../../firewall/protocol.ts'
import { listen } from '../../firewall/server.ts'
import { until } from '../kit/until.ts'

const test = suite('socket of the firewall service')

const MAX = 8
const STATE = '{"op":"state"}\n'
const RESPONSE: FirewallResponse = { error: 'no-nft' }

let folder: string
let server: Server
let sockets: Socket[]
/** Requests that the service handles now. */
let handled: ((response: FirewallResponse) => void)[]
let isImmediate: boolean
test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headend-firewall-'))
  sockets = []
  handled = []
  isImmediate = true
  server = await listen(join(folder, 'socket'), {
    handle: async () => (isImmediate ? RESPONSE : new Promise((resolve) => handled.push(resolve)))
  })
})
test.after.each(async () => {
  for (const respond of handled) respond(RESPONSE)
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<Socket> {
  const socket = connect(join(folder, 'socket')).on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/**
 * Reads a response until the service closes the connection. @returns the text; empty if the connection is closed
 * without a response
 */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  // Not `once`, which rejects when a write fails.
  await new Promise<void>((resolve) => (socket.closed ? resolve() : socket.on('close', () => resolve())))
  return text
}

async function request(): Promise<string> {
  const socket = await open()
  const response = readAll(socket)
  socket.end(STATE)
  return response
}

const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)))
const waitForRoom = () => until(async () => (await count()) < MAX, 'room for a connection')

test('a connection with an incomplete request or without one is closed after 5 s, and the service answers others meanwhile', async () => {
  const [half, silent] = [await open(), await open()]
  half.write('{"op":')
  const begun = performance.now()
  const closing = [half, silent].map(readAll)
  assert.equal(await request(), `${JSON.stringify(RESPONSE)}\n`)
  assert.deepEqual(await Promise.all(closing), ['', ''])
  assert.ok(performance.now() - begun > 4500)
})

test('an incomplete request whose client has finished sending is refused at once', async () => {
  let isSilentOpen = true
  const silent = await open()
  const closing = readAll(silent).then(() => {
    isSilentOpen = false
  })
  const socket = await open()
  socket.end('{"op":')
  assert.equal(await readAll(socket), '')
  assert.ok(isSilentOpen, 'before the one that waits')
  silent.destroy()
  await closing
})

test('the ninth connection is closed, and another one is accepted when one of the eight ends', async () => {
  const open8 = []
  for (let n = 0; n < MAX; n++) open8.push(await open())
  assert.equal(await count(), MAX)
  assert.equal(await request(), '')
  open8[0]?.destroy()
  await waitForRoom()
  assert.equal(await request(), `${JSON.stringify(RESPONSE)}\n`)
})

test('eight requests are handled at once, including those whose clients have disconnected', async () => {
  isImmediate = false
  for (let n = 1; n <= MAX; n++) {
    const socket = await open()
    socket.write(STATE)
    await until(() => handled.length === n, `request ${n} is handled`)
    socket.destroy()
  }
  assert.equal(await request(), '')
  assert.equal(handled.length, MAX)
  isImmediate = true
  handled[0]?.(RESPONSE)
  await waitForRoom()
  assert.equal(await request(), `${JSON.stringify(RESPONSE)}\n`)
})

test.run()
