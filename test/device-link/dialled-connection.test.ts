import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import { DialledConnection } from '../../device-link/dialled-connection.ts'
import type { TlsSession } from '../../device-link/link-tls.ts'
import { makePair, pinOfPem } from '../kit/tls/certificates.ts'
import { until } from '../kit/until.ts'

const test = suite('dialled connection')

const authority = makePair({ name: 'authority', isAuthority: true })
const pair = makePair({ names: 'IP:127.0.0.1', issuer: authority })

let server: Server
const dialled: DialledConnection[] = []
const ports: (number | undefined)[] = []
test.before.each(async () => {
  ports.length = 0
  server = createServer(pair, ({ url, socket }, response) => {
    ports.push(socket.remotePort)
    response.writeHead(200, url === '/last' ? { connection: 'close' } : {}).end(url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
test.after.each(() => {
  for (const connection of dialled.splice(0)) connection.destroy()
  server.close()
  server.closeAllConnections()
})

function dial(session?: TlsSession, host = '127.0.0.1') {
  const sessions: TlsSession[] = []
  const connection = new DialledConnection({
    target: { host, port: (server.address() as AddressInfo).port },
    tls: { isVerifiedLater: true, authorities: [authority.cert] },
    ...{ timeout: 5000, session },
    onSession: (each) => sessions.push(each)
  })
  dialled.push(connection)
  return { connection, sessions, isResumed: () => (connection.socket as TLSSocket).isSessionReused() }
}

test('all requests go over one connection, and none over another one when it is closed', async () => {
  const { connection } = dial()
  assert.equal((await connection.exchange({ path: '/a' }, 10)).body.toString(), '/a')
  assert.equal((await connection.exchange({ path: '/last' }, 10)).status, 200)
  assert.equal(new Set(ports).size, 1)
  await assert.rejects(connection.exchange({ path: '/b' }, 10), { code: 'ECONNRESET' })
  assert.equal(ports.length, 2)
})

test('a session is resumed, with the certificate and its trust', async () => {
  const first = dial()
  await first.connection.exchange({ path: '/a' }, 10)
  await until(() => first.sessions.length > 0, 'a session')
  assert.equal(first.isResumed(), false)
  const second = dial(first.sessions.at(-1))
  await second.connection.exchange({ path: '/b' }, 10)
  assert.equal(second.isResumed(), true)
  const expected = { pin: pinOfPem(pair.cert), isTrusted: true }
  assert.deepEqual([first.connection.certificate, second.connection.certificate], [expected, expected])
})

test('the name is checked also when a session is resumed', async () => {
  const first = dial(undefined, 'localhost')
  await first.connection.exchange({ path: '/a' }, 10)
  await until(() => first.sessions.length > 0, 'a session')
  const second = dial(first.sessions.at(-1), 'localhost')
  await second.connection.exchange({ path: '/b' }, 10)
  assert.equal(second.isResumed(), true)
  for (const { connection } of [first, second])
    assert.deepEqual(connection.certificate, { pin: pinOfPem(pair.cert), isTrusted: false })
})

test('an answer that is too large ends the exchange', async () => {
  await assert.rejects(dial().connection.exchange({ path: `/${'x'.repeat(20)}` }, 10), /larger than 10 bytes/)
})

test.run()
