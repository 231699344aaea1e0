// A leg connects only to the address that the hub has checked, even if the name resolves differently later or a server
// redirects.
import assert from 'node:assert/strict'
import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createWeb, type Server as Web } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP } from '../../../contract/stream/protocols.ts'
import { HttpProxy } from '../../../engine/inputs/http-proxy.ts'
import { buildInputCommand } from '../../../engine/inputs/input-command.ts'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import { buildOutputCommand } from '../../../engine/outputs/output-command.ts'
import { explainExit } from '../../../engine/process/failure.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createFixture } from '../../kit/engine/engine-fixture.ts'
import { cleanUpMedia, clipPath } from '../../kit/engine/media.ts'
import { channel, parseUrl, urlInput } from '../../kit/engine/wanted-channels.ts'
import { until } from '../../kit/until.ts'

const test = suite('redirects')

/** Two addresses of this machine: the checked address, and the address to which a leg is redirected. */
const CHECKED_ADDRESS = '127.0.0.2'
const OTHER_ADDRESS = '127.0.0.3'

const launcher = createLauncher()
const cleanups: (() => void)[] = []
test.after.each(async () => {
  await launcher.stopAll()
  for (const cleanUp of cleanups.splice(0)) cleanUp()
})
test.after(cleanUpMedia)

/**
 * Starts a TCP server that counts its connections. `respond` is called with each request and a function that sends
 * text.
 */
async function listen(
  host: string,
  respond: (request: string, send: (text: string) => void) => void = () => {},
  port = 0
) {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).on('data', (chunk) => respond(chunk.toString('latin1'), (text) => socket.write(text)))
    cleanups.push(() => socket.destroy())
  }).listen(port, host)
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return { port: (server.address() as { port: number }).port, connections: () => connections }
}

/** Runs a command until it ends. @returns the last lines of its stderr */
const runCommand = (launch: Omit<Launch, 'onEnd'>) =>
  new Promise<readonly string[]>((resolve) => {
    launcher.run({ onStdout() {}, ...launch, onEnd: resolve })
  })
const explain = (lines: readonly string[]) => explainExit(lines, { opened: false, srtCaller: false, secrets: [] })

for (const scheme of ['rtmp', 'rtmps', 'rtsp'] as const)
  test(`${scheme} connects to the checked address, even if the name now resolves to another one`, async () => {
    const checked = await listen(CHECKED_ADDRESS)
    const resolved = await listen('127.0.0.1', () => {}, checked.port)
    // The system resolves this name to another address.
    const command = buildInputCommand(parseUrl(`${scheme}://localhost:${checked.port}/live/key`), {
      address: CHECKED_ADDRESS
    })
    launcher.run({ ...command, onEnd() {} })
    await until(() => checked.connections() > 0, 'the program connects')
    assert.equal(resolved.connections(), 0)
  })

test('an RTMP output connects to the checked address', async () => {
  const checked = await listen(CHECKED_ADDRESS)
  const config = { url: `rtmp://localhost:${checked.port}/live`, key: 'key' }
  const command = buildOutputCommand({ id: 1, name: 'Out', protocol: RTMP, config }, '127.0.0.1')
  const running = launcher.run({
    ...command,
    allowedHosts: { localhost: CHECKED_ADDRESS },
    pipeStdin: true,
    onProgress() {},
    onEnd() {}
  })
  running.stdin?.write(readFileSync(clipPath()))
  await until(() => checked.connections() > 0, 'the program connects')
})

test('an RTSP redirect is not followed, and the reason is reported', async () => {
  const other = await listen(OTHER_ADDRESS)
  const checked = await listen(CHECKED_ADDRESS, (request, send) => {
    const number = /CSeq: (\d+)/.exec(request)?.[1]
    send(`RTSP/1.0 302 Moved\r\nCSeq: ${number}\r\nLocation: rtsp://${OTHER_ADDRESS}:${other.port}/x\r\n\r\n`)
  })
  const lines = await runCommand(
    buildInputCommand(parseUrl(`rtsp://camera.example:${checked.port}/1`), { address: CHECKED_ADDRESS })
  )
  assert.ok(checked.connections() > 0)
  assert.equal(other.connections(), 0)
  assert.deepEqual(explain(lines).reason, 'forbidden')
})

test('an RTSP server cannot make ffmpeg send datagrams to another address', async () => {
  const other: Datagrams = createSocket('udp4')
  let datagrams = 0
  other.on('message', () => datagrams++).bind(0, OTHER_ADDRESS)
  await once(other, 'listening')
  cleanups.push(() => other.close())
  const sdp = 'v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:trackID=0\r\n'
  let setUp = false
  const checked = await listen(CHECKED_ADDRESS, (request, send) => {
    const number = /CSeq: (\d+)/.exec(request)?.[1]
    const client = /client_port=(\S+)/.exec(request)?.[1]
    setUp ||= request.startsWith('SETUP')
    const transport = `RTP/AVP;unicast;client_port=${client};source=${OTHER_ADDRESS};server_port=${other.address().port}-${other.address().port + 1}`
    const rest = request.startsWith('DESCRIBE')
      ? `Content-Type: application/sdp\r\nContent-Length: ${sdp.length}\r\n\r\n${sdp}`
      : request.startsWith('SETUP')
        ? `Transport: ${transport}\r\nSession: 1\r\n\r\n`
        : 'Public: DESCRIBE, SETUP, PLAY\r\n\r\n'
    send(`RTSP/1.0 200 OK\r\nCSeq: ${number}\r\n${rest}`)
  })
  const lines = await runCommand(
    buildInputCommand(parseUrl(`rtsp://camera.example:${checked.port}/1`), { address: CHECKED_ADDRESS })
  )
  assert.ok(setUp)
  assert.equal(datagrams, 0)
  assert.equal(explain(lines).reason, 'forbidden')
})

test('cloud metadata addresses are refused in every notation', async () => {
  const fixture = createFixture()
  try {
    const hosts = ['169.254.169.254', '0xa9.0xfe.0xa9.0xfe', '0251.0376.0251.0xfe', '169.254.170.2', '168.63.129.16']
    for (const host of hosts)
      for (const scheme of ['rtmp', 'rtsp', 'http', 'https'] as const) {
        fixture.engine.apply(channel(1, urlInput(2, `${scheme}://${host}/a/b`)))
        await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
        assert.equal(fixture.engine.observe(1).reason, 'forbidden', `${scheme} ${host}`)
        assert.equal(fixture.engine.processCount(), 0)
      }
  } finally {
    await fixture.engine.close()
  }
})

/**
 * Starts a web server and an HTTP proxy that records the hosts it has checked. `bytes` fetches a page with the command
 * of an input.
 */
async function startWeb(getPage: (path: string) => { location: string } | string | Buffer | undefined) {
  const web: Web = createWeb(({ url = '' }, response) => {
    const body = getPage(url)
    if (typeof body === 'object' && 'location' in body) response.writeHead(302, body).end()
    else response.writeHead(body === undefined ? 404 : 200).end(body)
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const checkedHosts = new Set<string>()
  const proxy = new HttpProxy(async (host) => {
    checkedHosts.add(host)
    return '127.0.0.1'
  })
  cleanups.push(
    () => web.close(),
    () => proxy.close()
  )
  const route = { proxy: await proxy.url() }
  const { port } = web.address() as { port: number }
  return {
    checkedHosts,
    async bytes(path: string): Promise<number> {
      let bytes = 0
      const command = buildInputCommand(parseUrl(`http://web.example:${port}/${path}`), route)
      // Without -re, so that the test does not take as long as the clip.
      const args = command.args.filter((arg) => arg !== '-re')
      await runCommand({ ...command, args, onStdout: (chunk) => (bytes += chunk.length) })
      return bytes
    }
  }
}

test('no line of an HLS playlist opens a file, another protocol or a port of the hub', async () => {
  const path = join(tmpdir(), `headend-test-${process.pid}.ts`)
  const media = readFileSync(clipPath())
  // Real media, so that reading it would produce bytes.
  writeFileSync(path, media)
  cleanups.push(() => rmSync(path))
  const [other, local] = [await listen(OTHER_ADDRESS), await listen('127.0.0.1')]
  const otherHost = `${OTHER_ADDRESS}:${other.port}`
  const entries = [
    ...[`file://${path}`, `file:${path}`, path, `concat:${path}|${path}`, `subfile,,start,0,end,0,,:${path}`],
    ...[
      `crypto:${path}`,
      `crypto+file://${path}`,
      `data:video/mp2t;base64,${media.toString('base64').slice(0, 4000)}.ts`
    ],
    ...[`tcp://${otherHost}/a.ts`, `rtmp://${otherHost}/a/b.ts`, `rtsp://${otherHost}/a.ts`, `srt://${otherHost}?a.ts`],
    ...[
      `ftp://${otherHost}/a.ts`,
      `gopher://${otherHost}/a.ts`,
      `cache:file://${path}`,
      `async:file://${path}`,
      `unix:${path}`
    ],
    // ffmpeg may use this protocol, because TLS passes through the proxy with it.
    ...[`httpproxy://${otherHost}/a.example:80/a.ts`, `httpproxy://127.0.0.1:${local.port}/a.example:80/a.ts`]
  ]
  const validEntry = '/clip.ts'
  const header = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n'
  const segments = (list: readonly string[]) =>
    `${header}${list.map((each) => `#EXTINF:4,\n${each}\n`).join('')}#EXT-X-ENDLIST\n`
  const playlists = [
    segments([validEntry]),
    // The last entry is valid, which shows that ffmpeg has tried all of them.
    `#EXTM3U\n${[...entries, '/0.m3u8'].map((entry) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${entry}\n`).join('')}`,
    ...entries.map((entry) => segments([entry])),
    ...[entries[0], entries[5], ...entries.slice(-2)].flatMap((entry) => [
      `${header}#EXT-X-MAP:URI="${entry}"\n#EXTINF:4,\n${entry}\n#EXT-X-ENDLIST\n`,
      `${header}#EXT-X-KEY:METHOD=AES-128,URI="${entry}"\n#EXTINF:4,\n${validEntry}\n#EXT-X-ENDLIST\n`
    ])
  ]
  const { checkedHosts, bytes } = await startWeb((path) =>
    path.endsWith(validEntry) ? media : playlists[Number(/(\d+)\.m3u8/.exec(path)?.[1] ?? -1)]
  )
  const sizes = []
  for (const index of playlists.keys()) sizes.push(await bytes(`${index}.m3u8`))
  const [direct = 0, variants = 0, ...forbidden] = sizes
  assert.ok(direct > 50_000 && Math.abs(variants - direct) < direct / 10, `${sizes}`)
  for (const size of forbidden) assert.equal(size, 0, `${sizes}`)
  assert.deepEqual([other.connections(), local.connections(), ...checkedHosts], [0, 0, 'web.example'])
})

test('no HTTP redirect opens a file, another protocol or a port of the hub', async () => {
  const path = join(tmpdir(), `headend-test-${process.pid}-redirect.ts`)
  writeFileSync(path, readFileSync(clipPath()))
  cleanups.push(() => rmSync(path))
  const local = await listen('127.0.0.1')
  const localHost = `127.0.0.1:${local.port}`
  const locations = [
    ...[`file://${path}`, `file:${path}`, path, `data:video/mp2t;base64,AAAA`, `concat:${path}`, `tcp://${localHost}`],
    ...[`rtmp://${localHost}/a/b`, `httpproxy://${localHost}/a.example:80`, `ftp://${localHost}/a.ts`]
  ]
  const { checkedHosts, bytes } = await startWeb((path) => {
    const location = locations[Number(/^\/(\d+)$/.exec(path)?.[1] ?? -1)]
    return location === undefined ? undefined : { location }
  })
  for (const [number, location] of locations.entries()) assert.equal(await bytes(String(number)), 0, location)
  assert.deepEqual([local.connections(), ...checkedHosts].slice(0, 2), [0, 'web.example'])
})

test.run()
