// Where ffmpeg goes by itself, it goes through the proxy: after redirects, and for what playlists name.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { suite } from 'uvu'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { placeOf } from '../../../engine/access/address-policy.ts'
import { createHttpProxy, type HttpProxy } from '../../../engine/access/http-proxy.ts'
import { inputCommand } from '../../../engine/inputs/input-command.ts'
import { createBench } from '../bench.ts'
import { clip, endAll, run } from '../media.ts'
import { channel, parsed, source } from '../wanted.ts'

const test = suite('HTTP proxy')
const METADATA = 'http://169.254.169.254/latest'

let web: Server
let port = 0
let proxy: HttpProxy
/** Hosts that were judged. */
let judged: string[]
test.before.each(async () => {
  judged = []
  proxy = createHttpProxy((host) => {
    judged.push(host)
    return placeOf(host, false)
  })
  const playlist = (entry: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${entry}\n#EXT-X-ENDLIST\n`
  const files: Record<string, Buffer | string> = {
    '/clip.ts': readFileSync(clip()),
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
test.after(endAll)

/** What the command of an input brings of a URL. */
async function brings(text: string): Promise<number> {
  const { args } = inputCommand(parsed(text), { proxy: await proxy.url() })
  const running = run([...args.slice(2).filter((arg) => arg !== '-re')])
  await running.done
  return running.text().length
}

test('a file and the segments of a playlist come through it, each judged', async () => {
  assert.ok((await brings(`http://localhost:${port}/clip.ts`)) > 50_000)
  assert.deepEqual([...new Set(judged)], ['localhost'])
  judged = []
  assert.ok((await brings(`http://127.0.0.1:${port}/own.m3u8`)) > 50_000)
  assert.ok(judged.length >= 2, judged.join(' '))
  assert.equal(proxy.failure(), undefined)
})

test('neither a redirect nor a playlist leads where streams may not go', async () => {
  for (const path of ['away', 'other.m3u8']) {
    judged = []
    assert.ok((await brings(`http://127.0.0.1:${port}/${path}`)) < 5000)
    assert.ok(judged.includes('169.254.169.254'), path)
    assert.equal(proxy.failure()?.reason, 'forbidden', path)
  }
})

test('TLS goes through it, too', async () => {
  await brings(`https://localhost:${port}/clip.ts`)
  assert.deepEqual([...new Set(judged)], ['localhost'])
  judged = []
  await brings('https://169.254.169.254/clip.ts')
  assert.deepEqual([judged[0], proxy.failure()?.reason], ['169.254.169.254', 'forbidden'])
})

test('it goes to the address that was judged, and to none that is written in another way', async () => {
  const { hostname, port: own } = new URL(await proxy.url())
  const judge = createHttpProxy(async () => '127.0.0.1')
  try {
    const at = new URL(await judge.url())
    const get = (to: URL, path: string, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ hostname: to.hostname, port: to.port, method, path }, (answer) =>
          resolve(answer.resume().statusCode)
        )
        asked.on('connect', (answer, socket) => {
          socket.destroy()
          resolve(answer.statusCode)
        })
        asked.on('error', reject).end()
      })
    // A name that means nothing, or something else by now.
    assert.equal(await get(at, `http://nowhere.invalid:${port}/clip.ts`), 200)
    const mine = new URL(`http://${hostname}:${own}`)
    for (const host of [
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '[::ffff:a9fe:a9fe]',
      '[fd00:ec2::254]',
      '[::1]'
    ])
      for (const [method, path] of [
        ['GET', `http://${host}/`],
        ['CONNECT', `${host}:443`]
      ] as const) {
        assert.equal(await get(mine, path, method), 410, `${method} ${path}`)
        assert.equal(proxy.failure()?.reason, 'forbidden', `${method} ${path}`)
      }
  } finally {
    judge.close()
  }
})

test('it gets and looks, and does nothing else', async () => {
  const { hostname, port: own } = new URL(await proxy.url())
  const status = (method: string, path: string) =>
    new Promise<number | undefined>((resolve) =>
      request({ hostname, port: own, method, path }, (answer) => resolve(answer.resume().statusCode)).end()
    )
  assert.equal(await status('POST', `http://127.0.0.1:${port}/clip.ts`), 400)
  assert.equal(await status('GET', '/clip.ts'), 400)
  assert.equal(await status('GET', 'ftp://127.0.0.1/'), 400)
  assert.equal(await status('GET', `http://127.0.0.1:${port}/none`), 404)
})

test('an input says what stood in its way', async () => {
  const bench = createBench()
  const apply = (text: string) => {
    bench.engine.apply(channel(1, source(2, text)))
  }
  apply(`http://127.0.0.1:${port}/away`)
  await bench.reaches(1, CONNECTION.creationFailed)
  assert.equal(bench.engine.observe(1).reason, 'forbidden')
  apply('http://127.0.0.1:1/a.ts')
  await bench.reaches(1, CONNECTION.refused)
  for (const url of ['rtmp://169.254.169.254/a/b', 'rtsp://169.254.169.254/a', 'srt://169.254.169.254:9']) {
    apply(url)
    await bench.reaches(1, CONNECTION.creationFailed)
    assert.equal(bench.engine.observe(1).reason, 'forbidden', url)
  }
  apply('srt://nowhere.invalid:9000')
  await bench.reaches(1, CONNECTION.nameNotFound)
  await bench.engine.close()
})

test.run()
