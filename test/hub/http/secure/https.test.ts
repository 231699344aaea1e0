import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { WebSocket } from 'ws'
import { NOT_LOGGED_IN, SUCCESS } from '../../../../contract/codes.ts'
import { ConnectionTable } from '../../../../engine/access/connection-table.ts'
import { connectionLimits } from '../../../../web-server/connection-limits.ts'
import { textReply } from '../../../../web-server/reply.ts'
import { HTTP2_LIMITS, TLS_TIMEOUTS } from '../../../../web-server/secure-server.ts'
import { listen } from '../../../../web-server/server.ts'
import { md5, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('https')

const run = promisify(execFile)

let hub: TestHub
let port: number
let ca: string
const children: ChildProcess[] = []
test.before(async () => {
  hub = await startHub()
  const { httpsPort } = await hub.listen(0, 0, { https: 0 })
  port = httpsPort ?? 0
  ca = hub.parts.certificates.identity()?.cert ?? ''
})
test.after(async () => {
  for (const child of children) child.kill()
  await hub.close()
})

const curl = async (path: string, ...args: string[]) => {
  const url = `https://127.0.0.1:${port}${path}`
  const { stdout } = await run('curl', ['-sSk', '-m', '20', '-w', '\n%{http_version} %{http_code}', ...args, url])
  const lines = stdout.split('\n')
  return { status: lines.at(-1), body: lines.slice(0, -1).join('\n') }
}

const LOGIN = JSON.stringify({ id: 'Admin', pass: md5('Admin') })
const JSON_TYPE = 'content-type: application/json'

/** The status line and the headers of a request of HTTP/1.1 over TLS. */
async function sendRaw(text: string): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  socket.write(text)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  return received
}

test('curl calls the hub over HTTP/2, and over HTTP/1.1', async () => {
  assert.equal((await curl('/healthz')).status, '2 200')
  assert.equal((await curl('/healthz', '--http1.1')).status, '1.1 200')
  const signIn = await curl('/api/login', '-d', LOGIN, '-H', JSON_TYPE)
  assert.equal(signIn.status, '2 200')
  assert.equal(JSON.parse(signIn.body).result, SUCCESS)
})

test('TLS 1.2 and 1.3 are spoken, and nothing older', async () => {
  const versionOf = (option: string) =>
    new Promise<string>((resolve) => {
      const args = ['s_client', '-connect', `127.0.0.1:${port}`, '-cipher', 'DEFAULT@SECLEVEL=0', option]
      execFile('openssl', args, (_, stdout) => resolve(/New, (TLSv[\d.]+)/.exec(stdout)?.[0] ?? 'none')).stdin?.end()
    })
  assert.match(await versionOf('-tls1_2'), /TLSv1\.2/)
  assert.match(await versionOf('-tls1_3'), /TLSv1\.3/)
  assert.doesNotMatch(await versionOf('-tls1_1'), /TLSv1\.1/)
})

test('over TLS the session cookie has a name that no page over HTTP can set', async () => {
  const { body } = await curl('/api/login', '-d', LOGIN, '-H', JSON_TYPE, '-D', '-', '-o', '/dev/null')
  assert.match(body, /set-cookie: __Host-mwcloud-sid=[^;]+; Path=\/; SameSite=Strict; Max-Age=\d+; HttpOnly; Secure/)
  assert.match(body, /set-cookie: mwcloud-sid=; /)
  const cookie = /__Host-mwcloud-sid=[^;]+/.exec(body)?.[0] ?? ''
  assert.equal(JSON.parse((await curl('/api/session', '-b', cookie)).body).user.name, 'Admin')
  // A program that takes the token of the response sends the name of the wire.
  const plain = cookie.replace('__Host-', '')
  assert.equal(JSON.parse((await curl('/api/session', '-b', plain)).body).user.name, 'Admin')
})

test('signing out ends the sessions of HTTP and of TLS that a browser has', async () => {
  const [first, second] = [hub.clientAs().cookie, hub.clientAs().cookie]
  await curl('/api/logout', '-X', 'POST', '-b', `__Host-${first}; ${second}`)
  for (const cookie of [first, second])
    assert.equal(JSON.parse((await curl('/api/session', '-b', cookie)).body).result, NOT_LOGGED_IN)
})

test('the change feed works over TLS', async () => {
  const headers = { cookie: hub.clientAs().cookie, host: `127.0.0.1:${port}` }
  const socket = new WebSocket(`wss://127.0.0.1:${port}/api/socket`, {
    ca,
    headers,
    origin: `https://127.0.0.1:${port}`
  })
  const [message] = await once(socket, 'message')
  assert.ok(String(message).length > 0)
  socket.close()
  const stranger = new WebSocket(`wss://127.0.0.1:${port}/api/socket`, { ca })
  const [, response] = await once(stranger, 'unexpected-response')
  assert.equal(response.statusCode, 401)
})

test('a streamed response arrives over HTTP/2 as it is written, and ends when the client leaves', async () => {
  const child = spawn('curl', ['-skN', '-b', hub.clientAs().cookie, `https://127.0.0.1:${port}/api/preview/open`])
  children.push(child)
  let received = ''
  child.stdout.on('data', (chunk) => {
    received += chunk
  })
  await until(() => received.length > 0, 'the first part of the response')
  child.kill()
})

test('a name that is not the hub’s is refused over HTTP/2 as over HTTP/1.1', async () => {
  for (const version of ['--http2', '--http1.1'])
    assert.match((await curl('/healthz', version, '-H', 'Host: evil.example')).status ?? '', / 421$/)
})

test('a page of another origin cannot make calls over HTTP/2', async () => {
  const { status } = await curl(
    '/api/logout',
    '-X',
    'POST',
    '-b',
    hub.clientAs().cookie,
    '-H',
    'Origin: https://evil.example'
  )
  assert.equal(status, '2 403')
})

test('a body without a length is read over HTTP/2, and one that is too large is refused', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca })
  const post = async (body: string) => {
    const stream = session.request({ ':method': 'POST', ':path': '/api/login', 'content-type': 'application/json' })
    stream.on('error', () => {})
    stream.end(body)
    const [headers] = await once(stream, 'response')
    let text = ''
    for await (const part of stream) text += part
    return { status: headers[':status'], text }
  }
  assert.equal(JSON.parse((await post(LOGIN)).text).result, SUCCESS)
  assert.equal((await post(`${LOGIN}${' '.repeat(2 << 20)}`)).status, 413)
  session.close()
})

test('over HTTP/2 a Host header that contradicts the authority is refused', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca })
  const statusWith = async (host: string) => {
    const [headers] = await once(
      session.request({ ':authority': `127.0.0.1:${port}`, ':path': '/healthz', host }),
      'response'
    )
    return headers[':status']
  }
  assert.equal(await statusWith('evil.example'), 400)
  assert.equal(await statusWith(`127.0.0.1:${port}`), 200)
  session.close()
})

test('a stranger’s connection takes few requests and little of their bodies, and more once it has a session', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca })
  const [settings] = await once(session, 'remoteSettings')
  assert.equal(settings.maxConcurrentStreams, HTTP2_LIMITS.streams)
  assert.equal(settings.initialWindowSize, HTTP2_LIMITS.strangerWindow)
  const changed = once(session, 'remoteSettings')
  session.request({ ':path': '/api/session', cookie: hub.clientAs().cookie }).resume()
  assert.equal((await changed)[0].initialWindowSize, HTTP2_LIMITS.knownWindow)
  session.close()
})

test('a connection that does not shake hands, and one that sends its headers slowly, are closed', async () => {
  const startedAt = performance.now()
  const silent = connectTcp({ port, host: '127.0.0.1' })
  silent.on('error', () => {})
  const waitForSilent = async () => {
    await once(silent, 'close')
    assert.ok(performance.now() - startedAt > TLS_TIMEOUTS.handshake - 1000)
  }
  const waitForSlow = async () => {
    assert.match(await sendRaw('GET /healthz HTTP/1.1\r\nHost: '), /^HTTP\/1\.1 408/)
  }
  await Promise.all([waitForSilent(), waitForSlow()])
})

test('connections over TLS count towards the limits of all connections', async () => {
  const { strangersPerNetwork } = connectionLimits()
  const server = await listen({
    handle: () => textReply('here', 200),
    onUpgrade() {},
    port: 0,
    host: '127.0.0.1',
    isHostAllowed: () => true,
    connections: new ConnectionTable(connectionLimits()),
    identity: hub.parts.certificates.identity()
  })
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connectTcp({ port: server.port, host: '127.0.0.1' })
      socket.on('error', () => {}).resume()
      await once(socket, 'connect')
      return socket
    })
  )
  const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded
  await until(() => sockets.filter(isOpen).length <= strangersPerNetwork, 'the limit')
  // A new client takes the place of the oldest one.
  const { stdout } = await run('curl', ['-sSk', `https://127.0.0.1:${server.port}/`])
  assert.equal(stdout, 'here')
  for (const socket of sockets) socket.destroy()
  await server.close()
})

test('plain HTTP on the port for HTTPS does not end the hub', async () => {
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`))
  assert.equal((await curl('/healthz')).status, '2 200')
})

test('another certificate is used for new connections, and open ones stay', async () => {
  const agent = request({ port, host: '127.0.0.1', path: '/healthz', ca, headers: { connection: 'keep-alive' } })
  agent.end()
  const [response] = await once(agent, 'response')
  response.resume()
  await hub.parts.certificates.settingChanged()
  assert.equal((await curl('/healthz')).status, '2 200')
})

test.run()
