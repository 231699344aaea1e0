// Where a name that changes or another server would lead a leg: nowhere but to the address that was judged.
import assert from 'node:assert/strict'
import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createWeb, type Server as Web } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION, RTMP } from '../../../contract/stream/protocols.ts'
import { createHttpProxy } from '../../../engine/access/http-proxy.ts'
import { inputCommand } from '../../../engine/inputs/input-command.ts'
import { outputCommand } from '../../../engine/outputs/output-command.ts'
import { explain } from '../../../engine/process/failure.ts'
import { createLauncher, type Launch } from '../../../engine/process/launcher.ts'
import { createBench } from '../bench.ts'
import { clip, endAll, until } from '../media.ts'
import { channel, parsed, source } from '../wanted.ts'

const test = suite('led away')

/** Two addresses of this machine: the one that was judged, and the one that a leg is led to. */
const JUDGED = '127.0.0.2'
const ELSEWHERE = '127.0.0.3'

const launcher = createLauncher()
const closes: (() => void)[] = []
test.after.each(async () => {
  await launcher.stopAll()
  for (const close of closes.splice(0)) close()
})
test.after(endAll)

/** Listens at an address and counts who comes. */
async function listen(host: string, answer: (said: string, say: (text: string) => void) => void = () => {}, port = 0) {
  let came = 0
  const server: Server = createServer((socket) => {
    came++
    socket.on('error', () => {}).on('data', (chunk) => answer(chunk.toString('latin1'), (text) => socket.write(text)))
    closes.push(() => socket.destroy())
  }).listen(port, host)
  await once(server, 'listening')
  closes.push(() => server.close())
  return { port: (server.address() as { port: number }).port, came: () => came }
}

/** Runs a command until it ends. @returns its last words */
const words = (launch: Omit<Launch, 'ended'>) =>
  new Promise<readonly string[]>((resolve) => {
    launcher.run({ gives() {}, ...launch, ended: resolve })
  })
const said = (lines: readonly string[]) => explain(lines, { opened: false, srtCaller: false, secrets: [] })

for (const scheme of ['rtmp', 'rtmps', 'rtsp'] as const)
  test(`${scheme} goes to the address that was judged, whatever the name means when it is looked up once more`, async () => {
    const judged = await listen(JUDGED)
    const now = await listen('127.0.0.1', () => {}, judged.port)
    // The system knows another address for this name.
    const command = inputCommand(parsed(`${scheme}://localhost:${judged.port}/live/key`), { address: JUDGED })
    launcher.run({ ...command, ended() {} })
    await until('it comes', () => judged.came() > 0)
    assert.equal(now.came(), 0)
  })

test('a push over RTMP goes to the address that was judged', async () => {
  const judged = await listen(JUDGED)
  const config = { url: `rtmp://localhost:${judged.port}/live`, key: 'key' }
  const command = outputCommand({ id: 1, name: 'Out', protocol: RTMP, config }, '127.0.0.1')
  const running = launcher.run({ ...command, places: { localhost: JUDGED }, takes: true, progress() {}, ended() {} })
  running.input?.write(readFileSync(clip()))
  await until('it comes', () => judged.came() > 0)
})

test('an RTSP server that sends elsewhere is not followed, and that is said', async () => {
  const other = await listen(ELSEWHERE)
  const judged = await listen(JUDGED, (request, say) => {
    const number = /CSeq: (\d+)/.exec(request)?.[1]
    say(`RTSP/1.0 302 Moved\r\nCSeq: ${number}\r\nLocation: rtsp://${ELSEWHERE}:${other.port}/x\r\n\r\n`)
  })
  const lines = await words(inputCommand(parsed(`rtsp://camera.example:${judged.port}/1`), { address: JUDGED }))
  assert.ok(judged.came() > 0)
  assert.equal(other.came(), 0)
  assert.deepEqual(said(lines).reason, 'forbidden')
})

test('an RTSP server cannot have datagrams sent elsewhere', async () => {
  const other: Datagrams = createSocket('udp4')
  let heard = 0
  other.on('message', () => heard++).bind(0, ELSEWHERE)
  await once(other, 'listening')
  closes.push(() => other.close())
  const sdp = 'v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:trackID=0\r\n'
  let setUp = false
  const judged = await listen(JUDGED, (request, say) => {
    const number = /CSeq: (\d+)/.exec(request)?.[1]
    const client = /client_port=(\S+)/.exec(request)?.[1]
    setUp ||= request.startsWith('SETUP')
    const transport = `RTP/AVP;unicast;client_port=${client};source=${ELSEWHERE};server_port=${other.address().port}-${other.address().port + 1}`
    const more = request.startsWith('DESCRIBE')
      ? `Content-Type: application/sdp\r\nContent-Length: ${sdp.length}\r\n\r\n${sdp}`
      : request.startsWith('SETUP')
        ? `Transport: ${transport}\r\nSession: 1\r\n\r\n`
        : 'Public: DESCRIBE, SETUP, PLAY\r\n\r\n'
    say(`RTSP/1.0 200 OK\r\nCSeq: ${number}\r\n${more}`)
  })
  const lines = await words(inputCommand(parsed(`rtsp://camera.example:${judged.port}/1`), { address: JUDGED }))
  assert.ok(setUp)
  assert.equal(heard, 0)
  assert.equal(said(lines).reason, 'forbidden')
})

test('an address that clouds keep secrets at is refused in every way to write it', async () => {
  const bench = createBench()
  try {
    const hosts = ['169.254.169.254', '0xa9.0xfe.0xa9.0xfe', '0251.0376.0251.0xfe', '169.254.170.2', '168.63.129.16']
    for (const host of hosts)
      for (const scheme of ['rtmp', 'rtsp', 'http', 'https'] as const) {
        bench.engine.apply(channel(1, source(2, `${scheme}://${host}/a/b`)))
        await bench.reaches(1, CONNECTION.creationFailed)
        assert.equal(bench.engine.observe(1).reason, 'forbidden', `${scheme} ${host}`)
        assert.equal(bench.engine.processes(), 0)
      }
  } finally {
    await bench.engine.close()
  }
})

/** A web server that a proxy judges, and what a command brings of one of its pages. */
async function fetching(answer: (path: string) => { location: string } | string | Buffer | undefined) {
  const web: Web = createWeb(({ url = '' }, response) => {
    const body = answer(url)
    if (typeof body === 'object' && 'location' in body) response.writeHead(302, body).end()
    else response.writeHead(body === undefined ? 404 : 200).end(body)
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const judged = new Set<string>()
  const proxy = createHttpProxy(async (host) => {
    judged.add(host)
    return '127.0.0.1'
  })
  closes.push(
    () => web.close(),
    () => proxy.close()
  )
  const way = { proxy: await proxy.url() }
  const { port } = web.address() as { port: number }
  return {
    judged,
    async bytes(path: string): Promise<number> {
      let bytes = 0
      const command = inputCommand(parsed(`http://web.example:${port}/${path}`), way)
      // Without waiting for its own pace.
      const args = command.args.filter((arg) => arg !== '-re')
      await words({ ...command, args, gives: (chunk) => (bytes += chunk.length) })
      return bytes
    }
  }
}

test('no playlist of a web server opens a file, another protocol, or a port of the hub, in any of its lines', async () => {
  const path = join(tmpdir(), `headend-test-${process.pid}.ts`)
  const media = readFileSync(clip())
  // Media, so that whoever reads it would carry it.
  writeFileSync(path, media)
  closes.push(() => rmSync(path))
  const [other, own] = [await listen(ELSEWHERE), await listen('127.0.0.1')]
  const elsewhere = `${ELSEWHERE}:${other.port}`
  const entries = [
    ...[`file://${path}`, `file:${path}`, path, `concat:${path}|${path}`, `subfile,,start,0,end,0,,:${path}`],
    ...[
      `crypto:${path}`,
      `crypto+file://${path}`,
      `data:video/mp2t;base64,${media.toString('base64').slice(0, 4000)}.ts`
    ],
    ...[`tcp://${elsewhere}/a.ts`, `rtmp://${elsewhere}/a/b.ts`, `rtsp://${elsewhere}/a.ts`, `srt://${elsewhere}?a.ts`],
    ...[
      `ftp://${elsewhere}/a.ts`,
      `gopher://${elsewhere}/a.ts`,
      `cache:file://${path}`,
      `async:file://${path}`,
      `unix:${path}`
    ],
    // Allowed, as TLS goes through the proxy by it.
    ...[`httpproxy://${elsewhere}/a.example:80/a.ts`, `httpproxy://127.0.0.1:${own.port}/a.example:80/a.ts`]
  ]
  const good = '/clip.ts'
  const head = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n'
  const segments = (list: readonly string[]) =>
    `${head}${list.map((each) => `#EXTINF:4,\n${each}\n`).join('')}#EXT-X-ENDLIST\n`
  const lists = [
    segments([good]),
    // The last one shows that all were tried.
    `#EXTM3U\n${[...entries, '/0.m3u8'].map((entry) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${entry}\n`).join('')}`,
    ...entries.map((entry) => segments([entry])),
    ...[entries[0], entries[5], ...entries.slice(-2)].flatMap((entry) => [
      `${head}#EXT-X-MAP:URI="${entry}"\n#EXTINF:4,\n${entry}\n#EXT-X-ENDLIST\n`,
      `${head}#EXT-X-KEY:METHOD=AES-128,URI="${entry}"\n#EXTINF:4,\n${good}\n#EXT-X-ENDLIST\n`
    ])
  ]
  const { judged, bytes } = await fetching((path) =>
    path.endsWith(good) ? media : lists[Number(/(\d+)\.m3u8/.exec(path)?.[1] ?? -1)]
  )
  const sizes = []
  for (const at of lists.keys()) sizes.push(await bytes(`${at}.m3u8`))
  const [one = 0, variants = 0, ...none] = sizes
  assert.ok(one > 50_000 && Math.abs(variants - one) < one / 10, `${sizes}`)
  for (const size of none) assert.equal(size, 0, `${sizes}`)
  assert.deepEqual([other.came(), own.came(), ...judged], [0, 0, 'web.example'])
})

test('no redirect of a web server opens a file, another protocol, or a port of the hub', async () => {
  const path = join(tmpdir(), `headend-test-${process.pid}-redirect.ts`)
  writeFileSync(path, readFileSync(clip()))
  closes.push(() => rmSync(path))
  const own = await listen('127.0.0.1')
  const at = `127.0.0.1:${own.port}`
  const places = [
    ...[`file://${path}`, `file:${path}`, path, `data:video/mp2t;base64,AAAA`, `concat:${path}`, `tcp://${at}`],
    ...[`rtmp://${at}/a/b`, `httpproxy://${at}/a.example:80`, `ftp://${at}/a.ts`]
  ]
  const { judged, bytes } = await fetching((asked) => {
    const location = places[Number(/^\/(\d+)$/.exec(asked)?.[1] ?? -1)]
    return location === undefined ? undefined : { location }
  })
  for (const [number, place] of places.entries()) assert.equal(await bytes(String(number)), 0, place)
  assert.deepEqual([own.came(), ...judged].slice(0, 2), [0, 'web.example'])
})

test.run()
