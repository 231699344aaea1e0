import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('make run')

const root = resolve(import.meta.dirname, '../..')
// The launcher starts a fake hub, a fake engine and a fake fleet, which write their process id and environment to
// files.
const HUB = `
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
writeFileSync('hub.pid', String(process.pid))
writeFileSync('hub.json', JSON.stringify(process.env))
if (process.env.DATA === 'broken') process.exit(78)
createServer((request, response) => response.end('ok')).listen(Number(process.env.PORT), process.env.HOST)
process.on('SIGTERM', () => process.exit(0))
`
const ENGINE = `
import { writeFileSync } from 'node:fs'
writeFileSync('engine.pid', String(process.pid))
process.on('SIGTERM', () => process.exit(0))
setInterval(() => {}, 1000)
`
const FLEET = `
import { writeFileSync } from 'node:fs'
writeFileSync('fleet.json', JSON.stringify(process.env))
writeFileSync('fleet.pid', String(process.pid))
setInterval(() => {}, 1000)
`

let folder = ''
let launcher: ChildProcess | undefined
let output = ''

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-run-'))
  for (const [name, text] of [
    ['hub', HUB],
    ['engine', ENGINE],
    ['fleet', FLEET]
  ] as const) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'main.ts'), text)
  }
  output = ''
})

test.after.each(async () => {
  if (launcher?.exitCode === null && launcher.signalCode === null) {
    launcher.kill('SIGTERM')
    await once(launcher, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

async function launch(env: Record<string, string> = {}): Promise<number> {
  const port = await freeTcpPort()
  launcher = spawn(process.execPath, [join(root, 'make/run.ts')], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      LINK_PORT: '1',
      HTTPS_PORT: 'off',
      DATA: 'there',
      FLEET: '3',
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  for (const stream of [launcher.stdout, launcher.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return port
}

const isWritten = (name: string) => existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8') !== ''
const readText = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Whether a process is running. A zombie is not, nor one that was stopped before it wrote its number. */
function isRunning(name: string): boolean {
  if (!isWritten(name)) return false
  const stat = `/proc/${readText(name)}/stat`
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'))
}

test('hub and fleet start, and the address, user and password are printed', async () => {
  const port = await launch()
  await until(() => output.includes('Password'), 'the welcome')
  assert.ok(output.includes(`http://127.0.0.1:${port}/`))
  assert.match(output, /User +Admin\n +Password +Admin/)
  await until(() => isWritten('fleet.json'), 'the fleet')
  const { FLEET: count, HUB_LINK, HUB_URL, DATA } = JSON.parse(readText('fleet.json'))
  assert.deepEqual(
    { count, HUB_LINK, HUB_URL, DATA },
    { count: '3', HUB_LINK: '127.0.0.1:1', HUB_URL: `http://127.0.0.1:${port}`, DATA: 'there' }
  )
})

test('ports that other programs use are replaced by the next free ones, which are printed', async () => {
  // No other test takes the next port meanwhile.
  const servers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const server = createServer().listen(await freeTcpPort(), '127.0.0.1')
      await once(server, 'listening')
      return server
    })
  )
  const [port = 0, linkPort = 0, filesPort = 0, httpsPort = 0] = servers.map(
    (server) => (server.address() as AddressInfo).port
  )
  try {
    await launch({
      PORT: String(port),
      LINK_PORT: String(linkPort),
      FILES_PORT: String(filesPort),
      HTTPS_PORT: String(httpsPort)
    })
    await until(() => isWritten('fleet.json'), 'the fleet')
    const { HUB_LINK, HUB_URL } = JSON.parse(readText('fleet.json'))
    assert.notEqual(HUB_LINK, `127.0.0.1:${linkPort}`)
    assert.notEqual(HUB_URL, `http://127.0.0.1:${port}`)
    assert.match(output, new RegExp(`Port ${port} is in use: the console is at port ${new URL(HUB_URL).port}\\.`))
    assert.ok(output.includes(`Port ${linkPort} is in use: devices register at port ${HUB_LINK.split(':')[1]}.`))
    assert.match(output, new RegExp(`Port ${filesPort} is in use: HLS and downloads are at port \\d+\\.`))
    assert.match(output, new RegExp(`Port ${httpsPort} is in use: the console over HTTPS is at port \\d+\\.`))
    assert.ok(output.includes(`Console    ${HUB_URL}/`))
  } finally {
    for (const server of servers) server.close()
  }
})

test('with FLEET=0 only the hub and the engine run', async () => {
  await launch({ FLEET: '0' })
  await until(() => output.includes('Password'), 'the welcome')
  assert.equal(isWritten('fleet.pid'), false)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} stops all processes`, async () => {
    await launch()
    await until(() => isWritten('fleet.pid'), 'the fleet')
    launcher?.kill(signal)
    const [status] = await once(launcher as ChildProcess, 'exit')
    assert.equal(status, 0)
    for (const name of ['hub.pid', 'engine.pid', 'fleet.pid']) assert.equal(isRunning(name), false, name)
  })

// Requires setpriv, which Debian and Ubuntu have.
if (spawnSync('setpriv', ['--version']).status === 0)
  test('all processes end when the launcher is killed', async () => {
    await launch()
    await until(() => isWritten('fleet.pid'), 'the fleet')
    launcher?.kill('SIGKILL')
    const names = ['hub.pid', 'engine.pid', 'fleet.pid']
    await until(() => !names.some(isRunning), 'the processes to end')
  })

test('if the hub refuses to start for a reason that only an operator can remove, all processes stop', async () => {
  await launch({ DATA: 'broken' })
  const [status] = await once(launcher as ChildProcess, 'exit')
  assert.equal(status, 78)
  await until(() => /Headend cannot start/.test(output), 'the message')
  assert.equal(isRunning('engine.pid'), false)
})

for (const [name, other] of [
  ['hub', 'engine'],
  ['engine', 'hub']
] as const)
  test(`if the ${name} dies, it is restarted, and the ${other} continues`, async () => {
    await launch()
    await until(() => isWritten('fleet.pid'), 'the fleet')
    const before = [readText(`${name}.pid`), readText(`${other}.pid`)]
    process.kill(Number(before[0]), 'SIGKILL')
    await until(() => isWritten(`${name}.pid`) && readText(`${name}.pid`) !== before[0], 'the restart')
    assert.equal(readText(`${other}.pid`), before[1])
    assert.equal(isRunning(`${other}.pid`), true)
    assert.match(output, new RegExp(`The ${name} exited unexpectedly \\(SIGKILL\\)\\. It is restarted\\.`))
  })

test('a program that keeps ending is restarted with growing pauses', async () => {
  await launch({ FLEET: '0' })
  await until(() => isWritten('hub.pid'), 'the hub')
  writeFileSync(join(folder, 'hub/main.ts'), 'process.exit(3)')
  process.kill(Number(readText('hub.pid')), 'SIGKILL')
  await until(() => /\(status 3\)\. It is restarted in 1 s/.test(output), 'the pause')
  const pauses = [...output.matchAll(/The hub exited .* restarted(?: in (\S+) s)?\./g)].map(([, pause]) => pause)
  assert.deepEqual(pauses.slice(0, 4), [undefined, '0.25', '0.5', '1'])
})

test('SIGUSR2 restarts the hub alone, without an error', async () => {
  await launch({ FLEET: '0' })
  await until(() => output.includes('Password'), 'the welcome')
  const [hub, engine] = [readText('hub.pid'), readText('engine.pid')]
  launcher?.kill('SIGUSR2')
  await until(() => isWritten('hub.pid') && readText('hub.pid') !== hub, 'the restart')
  assert.equal(readText('engine.pid'), engine)
  assert.doesNotMatch(output, /unexpectedly/)
})

test('if the fleet exits unexpectedly, the hub continues', async () => {
  await launch()
  await until(() => isWritten('fleet.pid'), 'the fleet')
  process.kill(Number(readText('fleet.pid')), 'SIGKILL')
  await until(() => /demo fleet exited unexpectedly \(SIGKILL\)/.test(output), 'the message')
  assert.equal(isRunning('hub.pid'), true)
})

test.run()
