import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { NdiDiscoveryServer } from '../../../engine/ndi/discovery-server.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('NDI discovery server')

/** Stands for the program of the vendor, which may not be shipped: it listens at the port of its arguments. */
const PROGRAM = `#!${process.execPath}
const { appendFileSync, existsSync, unlinkSync } = require('node:fs')
const [option, port] = process.argv.slice(2)
appendFileSync(__dirname + '/starts', process.pid + ' ' + option + ' ' + port + '\\n')
if (existsSync(__dirname + '/broken')) { console.error('cannot bind'); process.exit(1) }
require('node:net').createServer().listen(Number(port), '0.0.0.0')
setInterval(() => {
  if (!existsSync(__dirname + '/hang')) return
  unlinkSync(__dirname + '/hang')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}, 20)
`

let folder: string
let server: NdiDiscoveryServer
let states: string[]
const program = () => join(folder, 'ndi-discovery-server')

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-server-'))
  states = []
  server = new NdiDiscoveryServer({
    launcher: createLauncher(),
    programs: [program()],
    now: () => performance.now(),
    onChange: () => states.push(server.observe().state)
  })
})
test.after.each(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

function install(): void {
  writeFileSync(program(), PROGRAM)
  chmodSync(program(), 0o755)
}

const starts = () =>
  existsSync(join(folder, 'starts')) ? readFileSync(join(folder, 'starts'), 'utf8').trimEnd().split('\n') : []
const waitForState = (state: string) =>
  until(
    () => server.observe().state === state,
    () => `the state is ${state}: ${JSON.stringify(server.observe())}`
  )
const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

test('the server starts, is started again when it ends, and stops', async () => {
  install()
  const port = await freeTcpPort()
  assert.deepEqual(server.observe(), { state: 'not-enabled' })
  server.configure({ enable: true, port })
  await waitForState('started')
  assert.deepEqual([await accepts(port), server.observe().port], [true, port])
  const [first = ''] = starts()
  assert.match(first, new RegExp(`^\\d+ -port ${port}$`))
  process.kill(Number.parseInt(first, 10), 'SIGKILL')
  await waitForState('retry')
  const { retryInS = 0 } = server.observe()
  assert.ok(retryInS >= 0 && retryInS <= 1, `${retryInS}`)
  await waitForState('started')
  assert.equal(starts().length, 2)
  server.configure({ enable: false, port })
  assert.deepEqual(server.observe(), { state: 'not-enabled' })
  await until(async () => !(await accepts(port)), 'the port is free')
  assert.deepEqual(states, ['starting', 'started', 'retry', 'starting', 'started', 'not-enabled'])
})

test('a discovery server that cannot start is restarted after growing pauses, and its last output is reported', async () => {
  install()
  writeFileSync(join(folder, 'broken'), '')
  server.configure({ enable: true, port: await freeTcpPort() })
  await waitForState('retry')
  assert.equal(server.observe().error, 'cannot bind')
  await until(() => starts().length === 3, 'the program was started three times')
  await waitForState('retry')
  assert.ok((server.observe().retryInS ?? 0) > 2)
  rmSync(join(folder, 'broken'))
})

test('a server that leaves a client waiting is stopped after two checks, and started again', async () => {
  install()
  const port = await freeTcpPort()
  server.configure({ enable: true, port })
  await waitForState('started')
  writeFileSync(join(folder, 'hang'), '')
  await until(() => !existsSync(join(folder, 'hang')), 'the program hangs')
  const client = connect(port, '127.0.0.1').on('error', () => {})
  await until(() => states.join() === 'starting,started,retry,starting,started', 'the server is started again')
  client.destroy()
  assert.equal(server.observe().error, `accept ETIMEDOUT 0.0.0.0:${port}`)
  assert.equal(starts().length, 2)
})

test('nothing connects to a server to see whether it runs', async () => {
  install()
  writeFileSync(
    program(),
    `${PROGRAM.replace('createServer()', "createServer(() => appendFileSync(__dirname + '/connections', '1'))")}`
  )
  server.configure({ enable: true, port: await freeTcpPort() })
  await waitForState('started')
  assert.equal(existsSync(join(folder, 'connections')), false)
})

test('the program is not started while another one has its port', async () => {
  install()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  server.configure({ enable: true, port })
  await waitForState('retry')
  assert.match(server.observe().error ?? '', /EADDRINUSE/)
  assert.deepEqual(starts(), [])
  other.close()
  await waitForState('started')
})

test('a missing program is reported, and another port moves a running server', async () => {
  const [first, second] = [await freeTcpPort(), await freeTcpPort()]
  server.configure({ enable: true, port: first })
  await waitForState('not-installed')
  install()
  server.configure({ enable: true, port: first })
  await waitForState('started')
  server.configure({ enable: true, port: first })
  assert.equal(starts().length, 1)
  server.configure({ enable: true, port: second })
  await waitForState('started')
  assert.deepEqual([await accepts(first), await accepts(second)], [false, true])
})

test.run()
