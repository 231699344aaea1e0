// Inputs and outputs verify the certificates of RTMPS and HTTPS servers: no stream key is sent to, and no media taken
// from, a server whose certificate is not valid, and the leg says why.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import type { CheckSettings } from '../../contract/stream/certificate-check.ts'
import { CONNECTION_STATE, RTMP } from '../../contract/stream/protocols.ts'
import type { WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { clipPath, sendClip } from '../kit/engine/media.ts'
import { encodeCommand, HANDSHAKE_BYTES } from '../kit/engine/rtmp-client.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { makePair, type Pair } from '../kit/tls/certificates.ts'
import { until } from '../kit/until.ts'

const test = suite('certificates of TLS servers')
fixtureForEach(test)

const authority = makePair({ name: 'Own CA', names: '', isAuthority: true })
const signed = (options: Parameters<typeof makePair>[0]) => makePair({ issuer: authority, ...options })
const VALID = signed({ name: 'localhost' })
const SELF_SIGNED = makePair({ name: 'localhost' })
/** Certificates with the reason for which each is refused by a leg that trusts the authority. */
const REFUSED: Readonly<Record<string, Pair>> = {
  'certificate-wrong-name': signed({ name: 'other.example' }),
  'certificate-expired': signed({ name: 'localhost', validity: ['20200101000000Z', '20210101000000Z'] }),
  'certificate-not-yet-valid': signed({ name: 'localhost', validity: ['20900101000000Z', '20910101000000Z'] }),
  'certificate-issuer-unknown': SELF_SIGNED
}
const OWN_CA: CheckSettings = { 'certificate-check': 'own-ca', 'trusted-certificates': authority.cert }
const ACCEPT_ANY: CheckSettings = { 'certificate-check': 'accept-any' }

const servers: { close(): unknown }[] = []
const sockets = new Set<TLSSocket>()
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  for (const server of servers.splice(0)) server.close()
})

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

/**
 * Starts a TLS server. @returns its port, and how many bytes its clients have sent inside TLS, of all connections or of
 * those after the first one
 */
async function listenTls({ cert, key }: Pair, onConnection?: (socket: TLSSocket, server: Server) => void) {
  const received: number[] = []
  const server = createServer({ cert, key }, (socket) => {
    const index = received.push(0) - 1
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('data', ({ length }) => {
        received[index] = (received[index] ?? 0) + length
      })
    onConnection?.(socket, server)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const bytes = (after = 0) => received.slice(after).reduce((sum, each) => sum + each, 0)
  return { port: portOf(server), bytes, connections: () => received.length }
}

const rtmpsOutput = (id: number, port: number, settings: CheckSettings = {}, more: object = {}): WantedOutput =>
  ({
    id,
    name: `Out ${id}`,
    protocol: RTMP,
    config: { url: `rtmps://localhost:${port}/live`, key: 'secret-key', ...settings, ...more }
  }) as WantedOutput

/** Puts a channel on air that has media from a local sender. */
async function startChannel(outputs: WantedOutput[]): Promise<void> {
  const udp = await freeUdpPort()
  fixture.engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${udp}`), outputs))
  sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
}

const outputReason = (id: number) => fixture.engine.observe(1).outputs.get(id)?.reason
const inputReason = () => fixture.engine.observe(1).input.reason

test('an RTMPS output sends its key only to a server with a valid certificate, and says what is wrong', async () => {
  const cases = Object.entries(REFUSED)
  const targets = await Promise.all(cases.map(([, pair]) => listenTls(pair)))
  const notTrusted = await listenTls(VALID)
  await startChannel([
    ...targets.map(({ port }, index) => rtmpsOutput(10 + index, port, OWN_CA)),
    rtmpsOutput(20, notTrusted.port)
  ])
  for (const [index, [reason]] of cases.entries())
    await until(
      () => outputReason(10 + index) === reason,
      () => `${reason}: ${outputReason(10 + index)}`
    )
  await until(
    () => outputReason(20) === 'certificate-issuer-unknown',
    () => `${outputReason(20)}`
  )
  for (const { bytes } of [...targets, notTrusted]) assert.equal(bytes(), 0)
  assert.equal(fixture.engine.observe(1).outputs.get(20)?.connState, CONNECTION_STATE.handshakeFailed)
})

test('an RTMPS output accepts a certificate of its own CA, the certificate itself if it is trusted, or any', async () => {
  const [own, pinned, any] = [await listenTls(VALID), await listenTls(SELF_SIGNED), await listenTls(SELF_SIGNED)]
  await startChannel([
    rtmpsOutput(11, own.port, OWN_CA),
    rtmpsOutput(12, pinned.port, { ...OWN_CA, 'trusted-certificates': SELF_SIGNED.cert }),
    rtmpsOutput(13, any.port, ACCEPT_ANY)
  ])
  for (const { bytes } of [own, pinned, any]) await until(() => bytes() >= HANDSHAKE_BYTES, 'the output connects')
})

test('the later connections of a run are verified, too: a login over RTMP connects again', async () => {
  // After the first connection, which asks for the login, somebody in the middle answers.
  const server = await listenTls(VALID, (socket, tls) => {
    tls.setSecureContext(SELF_SIGNED)
    let received = 0
    socket.on('data', ({ length }) => {
      const before = received
      received += length
      if (before === 0) socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * HANDSHAKE_BYTES)]))
      if (received <= 2 * HANDSHAKE_BYTES + 1 || before > 2 * HANDSHAKE_BYTES + 1) return
      const description = '[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : '
      socket.write(
        encodeCommand(0, '_error', 1, null, { level: 'error', code: 'NetConnection.Connect.Rejected', description })
      )
    })
  })
  const login = { 'enable-auth': true, username: 'user', password: 'secret-password' }
  await startChannel([rtmpsOutput(11, server.port, OWN_CA, login)])
  await until(
    () => outputReason(11) === 'certificate-issuer-unknown',
    () => `${outputReason(11)}, ${server.connections()} connections`
  )
  assert.ok(server.connections() >= 2)
  assert.ok(server.bytes() > 2 * HANDSHAKE_BYTES)
  assert.equal(server.bytes(1), 0)
})

test('inputs over RTMPS and HTTPS refuse such servers', async () => {
  for (const [reason, pair] of Object.entries(REFUSED)) {
    const server = await listenTls(pair)
    for (const scheme of ['rtmps', 'https']) {
      const input = { ...urlInput(2, `${scheme}://localhost:${server.port}/live/key`), ...OWN_CA } as WantedInput
      fixture.engine.apply(channel(1, input))
      await until(
        () => inputReason() === reason,
        () => `${scheme} ${reason}: ${inputReason()}`
      )
    }
    assert.equal(server.bytes(), 0)
  }
})

/** Serves the clip as HLS and as an endless MPEG-TS. @param segments base URL of the segments */
async function serveMedia(pair: Pair, segments = '') {
  const media = readFileSync(clipPath())
  const requests: string[] = []
  const entry = `#EXTINF:4,\n${segments}/clip.ts\n`
  const server = createHttps(pair, ({ url = '' }, response) => {
    requests.push(url)
    if (url === '/live') return void response.write(media)
    const list = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${entry.repeat(5)}#EXT-X-ENDLIST\n`
    response.end(url.endsWith('.m3u8') ? list : media)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  server.on('secureConnection', (socket) => sockets.add(socket))
  await once(server, 'listening')
  return { port: portOf(server), requests }
}

test('an input over HTTPS is received from a server with a certificate of its own CA', async () => {
  const { port } = await serveMedia(VALID)
  for (const path of ['list.m3u8', 'live']) {
    fixture.engine.apply(
      channel(1, { ...urlInput(2, `https://localhost:${port}/${path}`), ...OWN_CA } as WantedInput, [])
    )
    await fixture.waitForState(1, CONNECTION_STATE.connected)
  }
})

test('segments of a playlist, and targets of a redirect, need a valid certificate like the first server', async () => {
  const other = await serveMedia(SELF_SIGNED)
  const list = await serveMedia(VALID, `https://localhost:${other.port}`)
  const redirect = createHttp((_, response) => {
    response.writeHead(302, { location: `https://localhost:${other.port}/clip.ts` }).end()
  }).listen(0, '127.0.0.1')
  servers.push(redirect)
  await once(redirect, 'listening')
  const urls = [`https://localhost:${list.port}/list.m3u8`, `http://localhost:${portOf(redirect)}/live`]
  for (const [index, url] of urls.entries()) {
    fixture.engine.apply(channel(1, { ...urlInput(3 + index, url), ...OWN_CA } as WantedInput))
    await until(
      () => inputReason() === 'certificate-issuer-unknown',
      () => `${url}: ${inputReason()}`
    )
    fixture.engine.remove(1)
  }
  assert.deepEqual(other.requests, [])
  fixture.engine.apply(channel(1, { ...urlInput(5, urls[0] as string), ...ACCEPT_ANY } as WantedInput))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test.run()
