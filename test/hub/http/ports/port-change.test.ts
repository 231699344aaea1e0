import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { getSession } from '../../../../contract/access/session.ts'
import { redeemTicket } from '../../../../contract/access/ticket.ts'
import { NOT_EXIST, PORT_OCCUPIED, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { cancelPort, confirmPort, listPorts, PORT_CONFIRM_TIME } from '../../../../contract/web/ports.ts'
import type { WebRequest } from '../../../../contract/web/settings.ts'
import { createHub, type RunningHub } from '../../../../hub/hub.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { startHubProcess } from '../../../kit/hub/hub-process.ts'
import { freeTcpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('port change')

/** Milliseconds for which a new port waits, in the tests that wait for the end. */
const CONFIRM_TIME = 3000

let hub: TestHub
let admin: Client
let ports: { port: number; linkPort: number }
test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
  ports = await hub.listen(0, 0, { https: 0 })
})
test.after.each(() => hub.close())

const setWeb = (web: WebRequest) => admin.send(setSettings, { web })
/** Whether a new connection to a port is accepted. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Makes a call at a port of the hub. */
async function callAt(port: number, path: string, body?: object, cookie = '') {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { cookie, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) })
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { ...((await response.json()) as { result: number }), cookie: cookies.join('; ') }
}

test('a new port opens beside the old one, and replaces it when the console has followed with its ticket', async () => {
  const port = await freeTcpPort()
  const { result, trial } = await setWeb({ 'http-port': port })
  assert.equal(result, SUCCESS)
  assert.deepEqual([trial?.port, trial?.['confirm-within-s']], [port, PORT_CONFIRM_TIME])
  assert.deepEqual([await isOpen(ports.port), await isOpen(port)], [true, true])
  const listed = await admin.send(listPorts, {})
  assert.deepEqual([listed.trial?.name, listed.trial?.port], ['http', port])
  const session = await callAt(port, redeemTicket.path, { ticket: trial?.ticket })
  assert.equal(session.result, SUCCESS)
  assert.equal((await callAt(port, getSession.path, undefined, session.cookie)).result, SUCCESS)
  assert.equal(await isOpen(ports.port), false)
  const after = await admin.send(listPorts, {})
  assert.deepEqual([after.trial, after.last?.outcome], [undefined, 'confirmed'])
  assert.equal((await admin.send(getSettings, {})).settings.web?.['http-port'], port)
})

async function restartWithShortTrials(): Promise<void> {
  await hub.close()
  hub = await startHub({ web: { confirmTime: CONFIRM_TIME } })
  admin = hub.clientAs()
  ports = await hub.listen(0, 0)
}

test('a new port that is not confirmed is closed again, and the reason is kept', async () => {
  await restartWithShortTrials()
  const port = await freeTcpPort()
  await setWeb({ 'http-port': port })
  await until(() => !hub.parts.webPorts.isTrying(), 'the end of the trial')
  assert.equal(await isOpen(port), false)
  assert.equal(await isOpen(ports.port), true)
  const { last, trial } = await admin.send(listPorts, {})
  assert.deepEqual([last?.outcome, last?.port, trial], ['not-confirmed', port, undefined])
  assert.deepEqual(hub.parts.store.settings.get('web').ports, {})
})

test('a confirmation must arrive at the new port', async () => {
  const port = await freeTcpPort()
  const { trial } = await setWeb({ 'http-port': port })
  assert.equal((await callAt(ports.port, confirmPort.path, {}, admin.cookie)).result, WRONG_STATE)
  // The ticket signs in at the old port as well, but does not confirm there.
  assert.equal((await callAt(ports.port, redeemTicket.path, { ticket: trial?.ticket })).result, SUCCESS)
  assert.ok(hub.parts.webPorts.isTrying())
  assert.equal((await callAt(port, confirmPort.path, {}, admin.cookie)).result, SUCCESS)
  assert.equal(hub.parts.webPorts.portOf('http'), port)
  assert.equal((await admin.send(confirmPort, {})).result, NOT_EXIST)
})

test('a confirmation that cannot be stored leaves the port on trial, which is closed in time', async () => {
  await restartWithShortTrials()
  const { webPorts, store } = hub.parts
  const port = await freeTcpPort()
  await setWeb({ 'http-port': port })
  const { set } = store.settings
  store.settings.set = () => {
    throw new Error('disk full')
  }
  await assert.rejects(webPorts.confirm(port), /disk full/)
  store.settings.set = set
  assert.ok(webPorts.isTrying())
  await until(() => !webPorts.isTrying(), 'the end of the trial')
  assert.deepEqual([await isOpen(port), await isOpen(ports.port)], [false, true])
})

test('a change can be undone at once, and only one waits at a time', async () => {
  const [first, second] = [await freeTcpPort(), await freeTcpPort()]
  assert.equal((await setWeb({ 'http-port': first, 'files-port': second })).fault, 'one-port')
  await setWeb({ 'http-port': first })
  assert.equal((await setWeb({ 'files-port': second })).fault, 'trial-open')
  assert.equal((await admin.send(cancelPort, {})).result, SUCCESS)
  assert.equal(await isOpen(first), false)
  assert.equal((await admin.send(cancelPort, {})).result, NOT_EXIST)
  assert.equal((await admin.send(listPorts, {})).last?.outcome, 'canceled')
})

test('a port that another program has is refused, and one of the hub with its holder', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const refused = await setWeb({ 'http-port': port })
  assert.deepEqual([refused.result, refused.port, refused.holder?.of], [PORT_OCCUPIED, port, 'program'])
  other.close()
  const own = await setWeb({ 'files-port': ports.linkPort })
  assert.deepEqual([own.result, own.holder], [PORT_OCCUPIED, { of: 'links' }])
  assert.match(own.message ?? '', /occupied by device registration/)
  assert.equal(hub.parts.webPorts.isTrying(), false)
})

test('the ports for registration and files are confirmed by opening a path at them', async () => {
  for (const name of ['link', 'files'] as const) {
    const former = hub.parts.webPorts.portOf(name) ?? 0
    const port = await freeTcpPort()
    const { trial } = await setWeb({ [`${name}-port`]: port })
    const path = trial?.['confirm-path'] ?? ''
    assert.equal((await fetch(`http://127.0.0.1:${former}${path}`)).status, 404)
    assert.equal((await fetch(`http://127.0.0.1:${port}${path.slice(0, -1)}`)).status, 404)
    assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 204)
    assert.equal(hub.parts.webPorts.portOf(name), port)
    assert.equal(await isOpen(former), false)
  }
})

async function restartWithoutHttps(): Promise<void> {
  await hub.close()
  hub = await startHub()
  admin = hub.clientAs()
  ports = await hub.listen(0, 0)
}

test('HTTPS is switched on and off without a restart, and HTTP stays', async () => {
  await restartWithoutHttps()
  const port = await freeTcpPort()
  const { result, trial } = await setWeb({ 'enable-https': true, 'https-port': port })
  assert.deepEqual([result, trial], [SUCCESS, undefined])
  const web = async () => (await admin.send(getSettings, {})).settings.web
  assert.deepEqual([(await web())?.['https-port'], (await web())?.['https-state']], [port, 'self-signed'])
  assert.equal(await isOpen(ports.port), true)
  await setWeb({ 'enable-https': false })
  assert.equal((await web())?.['https-state'], 'disabled')
})

test('a port for HTTPS is stored while HTTPS is off, and when another port is on trial', async () => {
  await restartWithoutHttps()
  const { webPorts } = hub.parts
  const [first, second, http] = [await freeTcpPort(), await freeTcpPort(), await freeTcpPort()]
  assert.equal((await setWeb({ 'https-port': first })).result, SUCCESS)
  assert.equal(webPorts.settingOf('https'), first)
  const { result, trial } = await setWeb({ 'enable-https': true, 'https-port': second, 'http-port': http })
  assert.deepEqual([result, trial?.port], [SUCCESS, http])
  assert.deepEqual([webPorts.portOf('https'), webPorts.settingOf('https')], [second, second])
})

test('a port for HTTPS that another part of the hub has is refused while HTTPS is off', async () => {
  await restartWithoutHttps()
  const { webPorts } = hub.parts
  const [port, before] = [await freeTcpPort(), webPorts.settingOf('https')]
  for (const web of [
    { 'http-port': port, 'https-port': port },
    { 'https-port': ports.linkPort },
    { 'https-port': ports.port }
  ]) {
    const { result, field, trial } = await setWeb(web)
    assert.deepEqual([result, field, trial], [PORT_OCCUPIED, 'web.https-port', undefined])
  }
  assert.deepEqual([webPorts.isTrying(), webPorts.settingOf('https')], [false, before])
  assert.equal((await setWeb({ 'https-port': port })).result, SUCCESS)
  assert.equal((await admin.send(getSettings, {})).settings.web?.['https-port'], port, 'a free one is stored')
})

test('a refused change does not leave HTTPS open', async () => {
  await restartWithoutHttps()
  const { webPorts } = hub.parts
  const [port, taken, other] = [await freeTcpPort(), await freeTcpPort(), await freeTcpPort()]
  const https = { 'enable-https': true, 'https-port': port }
  assert.equal((await setWeb({ ...https, 'http-port': taken, 'files-port': other })).fault, 'one-port')
  assert.equal(webPorts.portOf('https'), undefined)
  const program = createServer().listen(taken, '127.0.0.1')
  await once(program, 'listening')
  assert.equal((await setWeb({ ...https, 'http-port': taken })).result, PORT_OCCUPIED)
  program.close()
  await until(() => webPorts.portOf('https') === undefined, 'HTTPS is closed')
  assert.equal(await isOpen(port), false)
  assert.equal((await setWeb(https)).result, SUCCESS)
  assert.equal(await isOpen(port), true)
})

test('two requests that switch HTTPS on at the same time open one port', async () => {
  await restartWithoutHttps()
  const [first, second] = [await freeTcpPort(), await freeTcpPort()]
  await Promise.all([first, second].map((port) => hub.parts.webPorts.openHttps(port)))
  const open = [await isOpen(first), await isOpen(second)]
  assert.deepEqual(open.sort(), [false, true])
})

test('a new port that is cancelled while it opens is closed', async () => {
  const { webPorts } = hub.parts
  const port = await freeTcpPort()
  const trial = webPorts.startTrial('http', port)
  assert.equal(await webPorts.cancel(), true)
  await assert.rejects(trial, /was cancelled/)
  assert.deepEqual([await isOpen(port), webPorts.isTrying()], [false, false])
})

test('a confirmed port survives a restart; another default, and a port that was taken meanwhile, do not lock anybody out', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-ports-'))
  const [standard, chosen, other] = [await freeTcpPort(), await freeTcpPort(), await freeTcpPort()]
  let running: RunningHub | undefined
  const start = async (port: number) => {
    running = await createHub({ data, dist: '/nonexistent', engineSocket: join(data, 'none.sock') })
    return (await running.listen(port, 0, { files: 0, srt: 0, rtmp: 0 })).port
  }
  try {
    await start(standard)
    await running?.parts.webPorts.startTrial('http', chosen)
    await running?.parts.webPorts.confirm(chosen)
    await running?.close()
    assert.equal(await start(standard), chosen)
    await running?.close()
    assert.equal(await start(other), other)
    await running?.close()
    const taken = createServer().listen(chosen, '127.0.0.1')
    await once(taken, 'listening')
    assert.equal(await start(standard), standard)
    taken.close()
  } finally {
    await running?.close()
    rmSync(data, { recursive: true })
  }
})

test('a hub that is killed while a new port waits has its old port afterwards', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-ports-'))
  const [port, chosen] = [await freeTcpPort(), await freeTcpPort()]
  const first = await startHubProcess(data, { web: port, link: 0 })
  assert.equal((await first.send(setSettings, { web: { 'http-port': chosen } })).result, SUCCESS)
  assert.equal(await isOpen(chosen), true)
  await first.kill()
  const second = await startHubProcess(data, { web: port, link: 0 })
  try {
    assert.equal(new URL(second.url).port, String(port))
    assert.equal((await second.send(listPorts, {})).trial, undefined)
    assert.equal(await isOpen(chosen), false)
  } finally {
    await second.kill()
    rmSync(data, { recursive: true })
  }
})

test.run()
