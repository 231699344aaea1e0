// No login, passphrase or key of a stream is in the list of processes or an environment, in any moment from a leg's start to its end.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { suite } from 'uvu'
import { CONNECTION, RTMP, RTSP, SRT } from '../../../contract/stream/protocols.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/free-port.ts'
import { descendantsOf, peek } from '../../kit/system-processes.ts'
import { clip, endAll, send, until } from '../media.ts'
import { startToldEngine, type ToldEngine } from '../recording-engine.ts'
import { channel, source } from '../wanted.ts'

const test = suite('hidden')

/** In every secret of these tests. */
const SECRET = 'hush-hush-hush'

let engine: ToldEngine | undefined
let web: Server
let at = 0
test.before(async () => {
  const body = readFileSync(clip())
  const login = `Basic ${Buffer.from(`joe:${SECRET}`).toString('base64')}`
  web = createServer((request, response) => {
    const known = request.headers.authorization === login && request.url === `/${SECRET}.ts?token=${SECRET}`
    if (!known) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="Stage"' }).end()
    response.end(body)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  at = (web.address() as { port: number }).port
})
test.after.each(() => engine?.kill())
test.after(async () => {
  web.closeAllConnections()
  web.close()
  await endAll()
})

/** Looks again and again at all that a process runs. */
function watch(pid: number): { seen: ReadonlySet<string>; end(): void } {
  const seen = new Set<string>()
  const timer = setInterval(() => {
    for (const child of descendantsOf(pid))
      for (const what of ['cmdline', 'environ']) seen.add(peek(`/proc/${child}/${what}`).replaceAll('\0', ' '))
  }, 2)
  return { seen, end: () => clearInterval(timer) }
}

for (const [what, options] of [
  ['our program for SRT', {}],
  ['ffmpeg in its place', { srtProgram: '/no/such/program' }]
] as const)
  test(`legs of every protocol show no secret while they start, carry, fail and end, with ${what}`, async () => {
    const [udp, listener, listens] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
    const [rtsp, closed] = [await freeTcpPort(), await freeTcpPort()]
    send('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
    const mine = startToldEngine({ ...options, patience: { start: 8000 } })
    engine = mine
    const processes = watch(mine.pid)
    const login = `joe:${SECRET}@127.0.0.1`
    const door = { pushKey: `PUSH-${SECRET}`, playKey: `PLAY-${SECRET}`, srt: true, rtmp: true, allowIp: [] }
    mine.tell({ apply: { ...channel(2, { id: 0, name: 'Pushed', kind: 'pushed', channel: 2 }), door } })
    mine.tell({ ports: { srt: { port: 0, 'pb-key-len': 16, passphrase: SECRET }, rtmp: { port: 0 } } })
    await until('the ports are open', () => mine.seen().ports.rtmp.port !== undefined)
    const rtmp = mine.seen().ports.rtmp.port
    const login2 = { 'enable-auth': true, username: 'joe', password: SECRET }
    const encrypted = { enc: 'aes-128', passphrase: SECRET, 'stream-id': SECRET } as const
    const channels = [
      channel(1, source(101, `udp://127.0.0.1:${udp}`), [
        { id: 11, name: 'A', protocol: SRT, config: { mode: 'listener', 'bind-port': listener, ...encrypted } },
        { id: 12, name: 'B', protocol: RTSP, config: { port: rtsp, key: SECRET, ...login2 } },
        {
          ...{ id: 13, name: 'C', protocol: RTMP },
          config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: door.pushKey, ...login2 }
        },
        { id: 14, name: 'D', protocol: RTMP, config: { url: `rtmp://${login}:${closed}/live`, key: SECRET } },
        {
          ...{ id: 15, name: 'E', protocol: SRT },
          config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': listens, ...encrypted }
        }
      ]),
      channel(3, source(103, `srt://127.0.0.1:${listener}?mode=caller&passphrase=${SECRET}&streamid=${SECRET}`)),
      channel(4, source(104, `rtsp://${login}:${rtsp}/${SECRET}?mw-tcp-first=1`)),
      channel(5, source(105, `rtmp://127.0.0.1:${rtmp}/live/${door.playKey}`)),
      channel(6, source(106, `srt://:${listens}?mode=listener&passphrase=${SECRET}`)),
      channel(7, source(107, `http://${login}:${at}/${SECRET}.ts?token=${SECRET}`)),
      channel(8, source(108, `rtsp://${login}:${closed}/${SECRET}`)),
      channel(9, source(109, `rtmp://${login}:${closed}/live/${SECRET}`)),
      channel(10, source(110, `https://${login}:${closed}/${SECRET}`))
    ]
    for (const apply of channels) mine.tell({ apply })
    const carried = new Set<number>()
    const wanted = [1, 2, 3, 4, 5, 6, 7, 12, 13, 15]
    await until(
      () => `all carry: ${wanted.filter((id) => !carried.has(id))} ${JSON.stringify(mine.seen())}`,
      () => {
        for (const id of wanted) if (mine.seen().legs[id]?.connState === CONNECTION.connected) carried.add(id)
        return carried.size === wanted.length
      },
      25_000
    )
    await mine.reaches(CONNECTION.refused, [8, 9, 10, 14])
    assert.doesNotMatch(JSON.stringify(mine.seen()), /hush/)
    for (const apply of channels) mine.tell({ apply: { ...apply, enable: false } })
    // Of channel 2 there is nothing while nobody sends to it: nginx, and our port.
    await until('all ends', () => mine.seen().processes === 2)
    processes.end()
    const seen = [...processes.seen]
    // That it was looked at while they ran.
    for (const line of [
      /hidden:1/,
      /headend-srt port/,
      /nginx/,
      /VEIL=5/,
      what === 'ffmpeg in its place' ? /-passphrase hidden:1/ : /headend-srt call/
    ])
      assert.ok(
        seen.some((each) => line.test(each)),
        `${line}`
      )
    // The pass of a leg of ours at the RTMP port, too.
    assert.deepEqual(
      seen.filter((each) => /hush|\bpass=/.test(each)),
      []
    )
  })

test('without the library a leg with an address says what is missing, and nothing runs; the others carry', async () => {
  const udp = await freeUdpPort()
  send('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
  engine = startToldEngine({ veil: '/no/such/library' })
  const processes = watch(engine.pid)
  engine.tell({
    apply: channel(1, source(101, `udp://127.0.0.1:${udp}`), [
      { id: 11, name: 'A', protocol: RTMP, config: { url: `rtmp://joe:${SECRET}@127.0.0.1:1/live`, key: SECRET } }
    ])
  })
  for (const [id, scheme] of [
    [2, 'rtsp'],
    [3, 'rtmp'],
    [4, 'http']
  ] as const)
    engine.tell({ apply: channel(id, source(id, `${scheme}://joe:${SECRET}@127.0.0.1:1/a/${SECRET}`)) })
  await engine.reaches(CONNECTION.creationFailed, [2, 3, 4, 11])
  await engine.reaches(CONNECTION.connected, [1])
  for (const id of [2, 3, 4, 11])
    assert.equal(engine.seen().legs[id]?.reason, 'install-with apt-get install -y gcc libc6-dev && make native')
  assert.match(engine.seen().missing.join(), /RTMP, RTSP and HTTP are not carried: .*make native/)
  processes.end()
  assert.deepEqual(
    [...processes.seen].filter((each) => each.includes('hush')),
    []
  )
})

test('where it cannot be loaded ffmpeg is not told the address, and the leg says so', async () => {
  // What ffmpeg may run, and not load.
  engine = startToldEngine({ veil: process.execPath })
  const processes = watch(engine.pid)
  engine.tell({ apply: channel(1, source(101, `rtmp://joe:${SECRET}@127.0.0.1:1/a/${SECRET}`)) })
  await engine.reaches(CONNECTION.creationFailed, [1])
  assert.equal(engine.seen().legs[1]?.reason, 'not-veiled')
  processes.end()
  assert.deepEqual(
    [...processes.seen].filter((each) => each.includes('hush')),
    []
  )
})

test.run()
