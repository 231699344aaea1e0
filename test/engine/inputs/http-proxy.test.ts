// ffmpeg makes all HTTP connections through the proxy, also after redirects and for the entries of playlists.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { resolveHost } from '../../../engine/access/address-policy.ts'
import { HttpProxy } from '../../../engine/inputs/http-proxy.ts'
import { buildInputCommand } from '../../../engine/inputs/input-command.ts'
import { createFixture } from '../../kit/engine/engine-fixture.ts'
import { cleanUpMedia, clipPath, runProcess } from '../../kit/engine/media.ts'
import { channel, parseUrl, urlInput } from '../../kit/engine/wanted-channels.ts'

const test = suite('HTTP proxy')
const METADATA = 'http://169.254.169.254/latest'

let web: Server
let port = 0
let proxy: HttpProxy
/** Hosts that the proxy has checked. */
let checkedHosts: string[]
test.before.each(async () => {
  checkedHosts = []
  proxy = new HttpProxy((host) => {
    checkedHosts.push(host)
    return resolveHost(host, false)
  })
  const playlist = (entry: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${entry}\n#EXT-X-ENDLIST\n`
  // It goes on.
  const live = playlist(`${METADATA}/x.ts`).replace('#EXT-X-ENDLIST\n', '')
  const files: Record<string, Buffer | string> = {
    '/live.m3u8': live,
    '/clip.ts': readFileSync(clipPath()),
    '/own.m3u8': playlist('/clip.ts'),
    '/other.m3u8': playlist(`${METADATA}/x.ts`)
  }
  web = createServer(({ url = '' }, response) => {
    if (url === '/away') return void response.writeHead(302, { location: METADATA }).end()
    const body = files[url]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  port = (web.address() as { port: number }).port
})
test.after.each(() => {
  proxy.close()
  web.closeAllConnections()
  web.close()
})
test.after(cleanUpMedia)

/** Runs the command of an input. @returns the number of characters that it writes */
async function fetchLength(text: string): Promise<number> {
  const { args } = buildInputCommand(parseUrl(text), { proxy: await proxy.url() })
  const running = runProcess([...args.slice(2).filter((arg) => arg !== '-re')])
  await running.exited
  return running.output().length
}

test('a file and the segments of a playlist are fetched through the proxy, which checks each of them', async () => {
  assert.ok((await fetchLength(`http://localhost:${port}/clip.ts`)) > 50_000)
  assert.deepEqual([...new Set(checkedHosts)], ['localhost'])
  checkedHosts = []
  assert.ok((await fetchLength(`http://127.0.0.1:${port}/own.m3u8`)) > 50_000)
  assert.ok(checkedHosts.length >= 2, checkedHosts.join(' '))
  assert.equal(proxy.takeFailure(), undefined)
})

test('neither a redirect nor a playlist reaches a forbidden address', async () => {
  for (const path of ['away', 'other.m3u8']) {
    checkedHosts = []
    assert.ok((await fetchLength(`http://127.0.0.1:${port}/${path}`)) < 5000)
    assert.ok(checkedHosts.includes('169.254.169.254'), path)
    assert.equal(proxy.takeFailure()?.reason, 'forbidden', path)
  }
})

test('TLS connections pass through the proxy', async () => {
  await fetchLength(`https://localhost:${port}/clip.ts`)
  assert.deepEqual([...new Set(checkedHosts)], ['localhost'])
  checkedHosts = []
  await fetchLength('https://169.254.169.254/clip.ts')
  assert.deepEqual([checkedHosts[0], proxy.takeFailure()?.reason], ['169.254.169.254', 'forbidden'])
})

test('the proxy connects to the checked address, and refuses other notations of forbidden addresses', async () => {
  const { hostname, port: proxyPort } = new URL(await proxy.url())
  const loopbackProxy = new HttpProxy(async () => '127.0.0.1')
  try {
    const loopbackUrl = new URL(await loopbackProxy.url())
    const get = (to: URL, path: string, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const outgoing = request({ hostname: to.hostname, port: to.port, method, path }, (response) =>
          resolve(response.resume().statusCode)
        )
        outgoing.on('connect', (response, socket) => {
          socket.destroy()
          resolve(response.statusCode)
        })
        outgoing.on('error', reject).end()
      })
    // A name that does not resolve any longer.
    assert.equal(await get(loopbackUrl, `http://nowhere.invalid:${port}/clip.ts`), 200)
    const proxyUrl = new URL(`http://${hostname}:${proxyPort}`)
    for (const host of [
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '[::ffff:a9fe:a9fe]',
      '[fd00:ec2::254]',
      '[64:ff9b::a9fe:a9fe]'
    ])
      for (const [method, path] of [
        ['GET', `http://${host}/`],
        ['CONNECT', `${host}:443`]
      ] as const) {
        assert.equal(await get(proxyUrl, path, method), 410, `${method} ${path}`)
        assert.equal(proxy.takeFailure()?.reason, 'forbidden', `${method} ${path}`)
      }
  } finally {
    loopbackProxy.close()
  }
})

test('the proxy accepts only GET and HEAD', async () => {
  const { hostname, port: proxyPort } = new URL(await proxy.url())
  const status = (method: string, path: string) =>
    new Promise<number | undefined>((resolve) =>
      request({ hostname, port: proxyPort, method, path }, (response) => resolve(response.resume().statusCode)).end()
    )
  assert.equal(await status('POST', `http://127.0.0.1:${port}/clip.ts`), 400)
  assert.equal(await status('GET', '/clip.ts'), 400)
  assert.equal(await status('GET', 'ftp://127.0.0.1/'), 400)
  assert.equal(await status('GET', `http://127.0.0.1:${port}/none`), 404)
})

test('an input reports why its address cannot be reached', async () => {
  const { engine, waitForState } = createFixture()
  const apply = (text: string) => {
    engine.apply(channel(1, urlInput(2, text)))
  }
  apply(`http://127.0.0.1:${port}/away`)
  await waitForState(1, CONNECTION_STATE.creationFailed)
  assert.equal(engine.observe(1).reason, 'forbidden')
  apply('http://127.0.0.1:1/a.ts')
  await waitForState(1, CONNECTION_STATE.refused)
  // ffmpeg goes on with a live playlist whose segments it cannot fetch.
  apply(`http://127.0.0.1:${port}/live.m3u8`)
  await waitForState(1, CONNECTION_STATE.creationFailed)
  assert.equal(engine.observe(1).reason, 'forbidden')
  assert.ok(engine.processCount() > 0)
  for (const url of ['rtmp://169.254.169.254/a/b', 'rtsp://169.254.169.254/a', 'srt://169.254.169.254:9']) {
    apply(url)
    await waitForState(1, CONNECTION_STATE.creationFailed)
    assert.equal(engine.observe(1).reason, 'forbidden', url)
  }
  apply('srt://nowhere.invalid:9000')
  await waitForState(1, CONNECTION_STATE.nameNotFound)
  await engine.close()
})

test.run()
