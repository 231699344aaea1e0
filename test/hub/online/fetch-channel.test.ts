import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { suite } from 'uvu'
import type { OnlineFault } from '../../../contract/online.ts'
import { FETCH_TIMEOUT, type FetchChannelOptions, fetchChannelFile } from '../../../hub/online/fetch-channel.ts'
import { REDIRECTS_MAX } from '../../../hub/online/http-get.ts'
import { OnlineError } from '../../../hub/online/online-error.ts'
import { CHANNEL_FILE_MAX } from '../../../pack/channel-file.ts'
import { channelFiles, EXPIRES, PUBLISHED, releaseOf } from '../../kit/hub/channel-files.ts'
import { generateSigningKey } from '../../kit/hub/console-update.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { type StaticServer, startStaticServer } from '../../kit/net/static-server.ts'
import { makePair } from '../../kit/tls/certificates.ts'
import { until } from '../../kit/until.ts'

const test = suite('fetch channel')
const publisher = generateSigningKey()
const release = releaseOf(Buffer.from('release'))
let server: StaticServer
test.before.each(async () => {
  server = await startStaticServer()
  publish(server)
})
test.after.each(async () => {
  mock.timers.reset()
  await server.close()
})

function publish({ files }: StaticServer, signer = publisher.signer, folder = ''): void {
  for (const [path, bytes] of channelFiles(signer, [release])) files.set(`${folder}${path}`, bytes)
}

const fetchFile = (more: Partial<FetchChannelOptions> = {}) =>
  fetchChannelFile({
    folder: server.address,
    name: 'headend',
    channel: 'stable',
    trusted: [publisher.publicKey],
    now: PUBLISHED,
    lastNumber: 0,
    signal: new AbortController().signal,
    ...more
  })

const assertFault = (work: Promise<unknown>, fault: OnlineFault, details?: object) =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof OnlineError)
    assert.equal(error.fault, fault)
    if (details) assert.deepEqual(error.details, details)
    return true
  })

test('a channel file is fetched from a folder of a static server, with and without a slash at the end', async () => {
  publish(server, publisher.signer, '/releases/headend')
  for (const folder of ['', '/', '/releases/headend', '/releases/headend/'])
    assert.deepEqual((await fetchFile({ folder: `${server.address}${folder}` })).releases, [release])
})

test('what the channel file says is checked when it is fetched', async () => {
  await assertFault(fetchFile({ trusted: [generateSigningKey().publicKey] }), 'wrong-key')
  await assertFault(fetchFile({ now: EXPIRES }), 'expired')
  await assertFault(fetchFile({ lastNumber: 8 }), 'rolled-back')
})

test('a server without a channel file, or without its signature, is named with its status', async () => {
  await assertFault(fetchFile({ name: 'other' }), 'http-status', { status: 404 })
  server.files.delete('/headend-stable.json.sig')
  await assertFault(fetchFile(), 'http-status', { status: 404 })
  server.answer = (_, response) => Boolean(response.writeHead(503).end())
  await assertFault(fetchFile(), 'http-status', { status: 503 })
})

test('no server, no name, and an answer that is not HTTP count as unreachable', async () => {
  const port = await freeTcpPort()
  await assertFault(fetchFile({ folder: `http://127.0.0.1:${port}` }), 'unreachable', { error: 'ECONNREFUSED' })
  await assertFault(fetchFile({ folder: 'http://nowhere.invalid' }), 'unreachable')
  server.answer = (_, response) => Boolean(response.socket?.end('garbage\r\n\r\n'))
  await assertFault(fetchFile(), 'unreachable')
})

test('metadata services and link-local addresses are not asked, also not after a redirect', async () => {
  for (const host of ['169.254.169.254', '[fe80::1]', '0xa9fea9fe', '[::ffff:169.254.169.254]'])
    await assertFault(fetchFile({ folder: `http://${host}/latest` }), 'forbidden-address')
  server.answer = (_, response) => redirect(response, 'http://169.254.169.254/latest')
  await assertFault(fetchFile(), 'forbidden-address')
})

function redirect(response: ServerResponse, location: string): boolean {
  response.writeHead(302, { location }).end()
  return true
}

test('redirects are followed up to the limit, and one that has no end is not', async () => {
  const countdown = (count: number) => {
    server.answer = ({ url = '' }, response) => {
      const left = Number(/\?(\d+)$/.exec(url)?.[1] ?? count)
      if (left > 0) return redirect(response, `${url.replace(/\?.*/, '')}?${left - 1}`)
      response.end(server.files.get(url.replace(/\?.*/, '')))
      return true
    }
  }
  countdown(REDIRECTS_MAX)
  assert.ok(await fetchFile())
  countdown(REDIRECTS_MAX + 1)
  await assertFault(fetchFile(), 'redirect')
  for (const location of ['ftp://127.0.0.1/a', 'http://user@127.0.0.1/a', 'http://[', '']) {
    server.answer = (_, response) => redirect(response, location)
    await assertFault(fetchFile(), 'redirect')
  }
})

test('over HTTPS the certificate must be of a trusted authority, and for the host', async () => {
  const authority = makePair({ name: 'authority', isAuthority: true })
  const pair = makePair({ names: 'IP:127.0.0.1', issuer: authority })
  const secure = await startStaticServer(pair)
  const plain = server.address
  try {
    publish(secure)
    const authorities = [authority.cert]
    assert.ok(await fetchFile({ folder: secure.address, authorities }))
    await assertFault(fetchFile({ folder: secure.address }), 'certificate')
    const byName = secure.address.replace('127.0.0.1', 'localhost')
    await assertFault(fetchFile({ folder: byName, authorities }), 'certificate', {
      error: 'ERR_TLS_CERT_ALTNAME_INVALID'
    })
    secure.answer = (_, response) => redirect(response, `${plain}/headend-stable.json`)
    await assertFault(fetchFile({ folder: secure.address, authorities }), 'redirect')
  } finally {
    await secure.close()
  }
})

test('an endless answer is cut at the limit', async () => {
  let written = 0
  server.answer = (_, response) => {
    const chunk = Buffer.alloc(64 << 10, ' ')
    const write = () => {
      written += chunk.length
      if (!response.destroyed) response.write(chunk, write)
    }
    write()
    return true
  }
  await assertFault(fetchFile(), 'too-large')
  assert.ok(written < 16 * CHANNEL_FILE_MAX)
})

test('a server that does not answer, or sends without end slowly, is left after the time limit', async () => {
  for (const start of ['', '{']) {
    let asked = 0
    server.answer = (_, response) => {
      asked += 1
      if (start) response.write(start)
      return true
    }
    mock.timers.enable({ apis: ['setTimeout'] })
    const work = assertFault(fetchFile(), 'timeout')
    await until(() => asked > 0, 'a request')
    mock.timers.tick(FETCH_TIMEOUT)
    await work
    mock.timers.reset()
  }
})

test('a check that is cancelled ends at once, and leaves no connection', async () => {
  const controller = new AbortController()
  let closed = false
  server.answer = (request) => {
    request.socket.on('close', () => {
      closed = true
    })
    controller.abort()
    return true
  }
  await assertFault(fetchFile({ signal: controller.signal }), 'cancelled')
  await until(() => closed, 'the connection is closed')
  await assertFault(fetchFile({ signal: controller.signal }), 'cancelled')
})

test.run()
