// The port for HLS and downloads: what it serves, its checks, and another program that has it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { WebSocket } from 'ws'
import { SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, PORT_OCCUPIED, SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket } from '../../../contract/file/download.ts'
import { FILES_PORT } from '../../../contract/limits.ts'
import { exportLog, listLog } from '../../../contract/log.ts'
import { listProblems } from '../../../contract/problem.ts'
import { setSettings } from '../../../contract/settings.ts'
import { listAddresses, retryPorts, systemStatus } from '../../../contract/system.ts'
import { ListeningPort } from '../../../hub/http/ports/listening-port.ts'
import { connectionLimits } from '../../../web-server/connection-limits.ts'
import { addSignedInUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { until } from '../../kit/until.ts'

const test = suite('files port')

hubForEach(test, { hosts: ['hub.example'] })

let others: Server[] = []
test.after.each(() => {
  for (const server of others) server.close()
  others = []
})

const filesStatus = async (who: Client = admin) => (await who.send(systemStatus, {})).status.system.ports?.files
const DOWNLOAD = `/api${exportLog.path}?type=operation&format=csv`

/** Opens all ports. @returns fetches from the port for files */
async function listen() {
  const { port: webPort } = await hub.listen(0, 0)
  const { port = 0 } = hub.parts.webPorts.ports.files.observe()
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    requestFile(port, path, headers, method)
  return { port, webPort, get }
}

/** Sends a request without headers of its own, such as those that `fetch` adds. */
async function requestFile(port: number, path: string, headers: Readonly<Record<string, string>>, method: string) {
  const [response] = (await once(
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end(),
    'response'
  )) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, headers: new Headers(response.headers as Record<string, string>), body }
}

/** Another program with a port. */
async function occupyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  others.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('the default port is 8080', () => assert.equal(FILES_PORT, 8080))

test('it serves HLS and downloads, and nothing else of the hub', async () => {
  const { get } = await listen()
  const hls = await get('/hls/some-key/index.m3u8')
  assert.equal(hls.status, 404)
  assert.equal(hls.headers.get('access-control-allow-origin'), '*')
  const { cookie } = admin
  const file = await get(DOWNLOAD, { cookie })
  assert.equal(file.status, 200)
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="operation-log-.*\.csv"$/)
  assert.match(file.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  for (const path of [
    '/',
    '/index.html',
    '/api/session',
    '/api/system/status',
    '/healthz',
    '/metrics',
    '/socket/usapi'
  ])
    assert.equal((await get(path, { cookie })).status, 404, path)
  assert.equal((await get(DOWNLOAD, { cookie }, 'POST')).status, 404)
  assert.equal((await get('/api/usr/add', { cookie }, 'POST')).status, 404)
})

test('it accepts no WebSocket', async () => {
  const { port } = await listen()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket`, { headers: { cookie: admin.cookie } })
  const [error] = await once(socket, 'error')
  assert.match(String(error), /404$/)
})

test('a download needs a session and the permission; an error is a download, too, so that the page stays', async () => {
  const { get } = await listen()
  const anonymous = await get(DOWNLOAD)
  assert.equal(JSON.parse(anonymous.body).result, NOT_LOGGED_IN)
  assert.match(anonymous.headers.get('content-disposition') ?? '', /^attachment/)
  const nobody = addSignedInUser(hub, 'nobody', 0)
  assert.equal(JSON.parse((await get(DOWNLOAD, { cookie: nobody.cookie })).body).result, NOT_PERMITTED)
})

test('a ticket needs no cookie, at this port and at that of the console', async () => {
  const { get, port, webPort } = await listen()
  const { url } = await admin.send(addDownloadTicket, { kind: 'log', type: 'operation', format: 'csv' })
  const link = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
  for (const at of [port, webPort]) {
    const file = await requestFile(at, url, at === port ? link : {}, 'GET')
    assert.deepEqual([file.status, file.headers.get('cache-control')], [200, 'no-store'])
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="operation-log-.*\.csv"$/)
    assert.match(file.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal((await requestFile(at, `${url}x`, {}, 'GET')).status, 404)
  }
  assert.equal((await get('/api/file/ticket', { cookie: admin.cookie }, 'POST')).status, 404)
  assert.equal((await get(url, { host: 'rebound.example' })).status, 421)
})

test('only a navigation comes from another port of the host; other requests, origins and names are refused', async () => {
  const { get, webPort } = await listen()
  const { cookie } = admin
  const link = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
  assert.equal((await get(DOWNLOAD, link)).headers.get('content-type'), 'text/csv;charset=utf-8')
  const refused: Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: `http://127.0.0.1:${webPort}` },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { ...link, origin: 'http://evil.example' }
  ]
  for (const headers of refused)
    assert.equal((await get(DOWNLOAD, { cookie, ...headers })).status, 403, JSON.stringify(headers))
  assert.equal((await get(DOWNLOAD, { cookie, host: 'rebound.example' })).status, 421)
  assert.equal((await get('/hls/k/index.m3u8', { host: 'rebound.example' })).status, 421)
})

test('status and addresses have the open port, which no output can use', async () => {
  const { port } = await listen()
  assert.deepEqual(await filesStatus(), { port })
  assert.equal((await admin.send(listAddresses, {})).ports.files, port)
  const reply = await admin.send(setSettings, { rtmp: { port } })
  assert.deepEqual([reply.result, reply.holder], [PORT_OCCUPIED, { of: 'files' }])
  assert.match(reply.message ?? '', new RegExp(`^Port ${port} occupied by HLS and downloads`))
})

test('a client behind a reverse proxy of a hub on the loopback gets no port, because it does not reach it', async () => {
  await listen()
  hub.parts.store.database.run('UPDATE user SET is_default_password = 0')
  assert.deepEqual(await filesStatus(hub.clientAs('Admin', '192.0.2.7')), {})
})

test('another program that has the port is a problem with the reason, and the hub works without it', async () => {
  const taken = await occupyPort()
  const { port } = await hub.listen(0, 0, { files: taken })
  const status = await filesStatus()
  assert.equal(status?.port, undefined)
  assert.match(status?.reason ?? '', new RegExp(`port ${taken} is in use by another program`, 'i'))
  assert.equal(
    status?.['next-step'],
    'Stop the program that uses it, or choose another port for HLS and downloads in the network settings.'
  )
  const { list } = await admin.send(listProblems, {})
  const [problem] = list.filter(({ id }) => id === 'port-files')
  assert.deepEqual(
    [problem?.kind, problem?.severity, problem?.name, problem?.reason],
    ['port', 'warn', 'HLS', 'port-closed']
  )
  assert.match(problem?.message ?? '', new RegExp(String(taken)))
  assert.equal((await fetch(`http://127.0.0.1:${port}/hls/some-key/index.m3u8`)).status, 404)
  const { list: log } = await admin.send(listLog, { type: 'operation' })
  assert.ok(Array.isArray(log))
})

test('a retry opens the port at once when the other program has ended', async () => {
  const taken = await occupyPort()
  await hub.listen(0, 0, { files: taken })
  others.pop()?.close()
  assert.equal((await admin.send(retryPorts, {})).result, SUCCESS)
  await until(() => hub.parts.webPorts.ports.files.observe().port === taken, 'the port is open')
  assert.deepEqual(await filesStatus(), { port: taken })
  const { list } = await admin.send(listProblems, {})
  assert.ok(list.every(({ id }) => id !== 'port-files'))
})

test('the port is tried again by itself, and reported once', async () => {
  let failures = 2
  let changes = 0
  const port = new ListeningPort('files', () => changes++, 5)
  await port.open(async () => {
    if (failures-- > 0) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE', port: 8080 })
    return { port: 8080, close: async () => {} }
  })
  assert.deepEqual(port.observe(), { reason: 'port-taken 8080' })
  await until(() => port.observe().port === 8080, 'the port is open')
  assert.equal(changes, 2)
  await port.close()
})

test('a closed port is not opened any more', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let attempts = 0
  const port = new ListeningPort('files', () => {}, 5)
  await port.open(async () => {
    attempts++
    throw new Error('no')
  })
  mock.timers.tick(5)
  await until(() => attempts === 2, 'the next attempt')
  await port.close()
  mock.timers.tick(60_000)
  mock.timers.reset()
  assert.equal(attempts, 2)
})

test('users without the permission for the ports do not get this one either', async () => {
  await listen()
  assert.equal(await filesStatus(addSignedInUser(hub, 'nobody', 0)), undefined)
  assert.ok((await filesStatus(addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)))?.port)
})

test('both ports share the limits of connections', async () => {
  const { port, webPort } = await listen()
  const { strangersPerNetwork } = connectionLimits()
  const open = async (to: number): Promise<Socket> => {
    const socket = connect(to, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const first = await open(webPort)
  const sockets = [first]
  const closed = once(first, 'close')
  for (let n = 0; n < strangersPerNetwork; n++) sockets.push(await open(port))
  await closed
  for (const socket of sockets) socket.destroy()
})

test.run()
