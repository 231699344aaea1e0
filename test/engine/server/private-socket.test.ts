import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listenOnPrivateSocket, type SocketAccess, SocketRefusedError } from '../../../engine/server/private-socket.ts'
import { until } from '../../kit/until.ts'

const test = suite('private socket')

let folder: string
let path: string
let ends: (() => void)[] = []
let servers: Server[] = []
let children: ChildProcess[] = []

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-socket-'))
  path = join(folder, 'engine', 'engine.sock')
})
test.after.each(() => {
  for (const end of ends) end()
  for (const server of servers) server.close()
  for (const child of children) child.kill('SIGKILL')
  ends = []
  servers = []
  children = []
  rmSync(folder, { recursive: true, force: true })
})

async function listen(at = path, onTaken = () => {}, access?: SocketAccess): Promise<void> {
  const server = createServer()
  servers.push(server)
  ends.push(await listenOnPrivateSocket(server, at, onTaken, access))
}

/** Starts a process that listens on the socket. */
async function startListener(): Promise<ChildProcess> {
  mkdirSync(join(folder, 'engine'), { recursive: true })
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('open'))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

test('only the owner can open the socket, also if the folder existed with other rights', async () => {
  mkdirSync(join(folder, 'engine'))
  chmodSync(join(folder, 'engine'), 0o755)
  await listen()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'engine')).mode & 0o777, 0o700)
})

test('with access for the group, the user and the group of the engine can open the socket, and other users cannot', async () => {
  mkdirSync(join(folder, 'engine'))
  chmodSync(join(folder, 'engine'), 0o755)
  await listen(path, undefined, 'group')
  assert.equal(statSync(path).mode & 0o777, 0o660)
  assert.equal(statSync(join(folder, 'engine')).mode & 0o777, 0o750)
})

test('the socket of a process that was killed is replaced', async () => {
  const child = await startListener()
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(statSync(path).isSocket())
  await listen()
})

test('a second engine is refused, also while the first one is stopped', async () => {
  const child = await startListener()
  await assert.rejects(listen(), SocketRefusedError)
  child.kill('SIGSTOP')
  await assert.rejects(listen(), /Another engine uses/)
})

test('an engine is notified when its socket file is removed', async () => {
  let isTaken = false
  await listen(path, () => {
    isTaken = true
  })
  rmSync(path)
  await until(() => isTaken, 'the check')
})

test('a path that is too long for a socket is refused', async () => {
  await assert.rejects(listen(join(folder, 'x'.repeat(100), 'engine.sock')), SocketRefusedError)
})

test.run()
