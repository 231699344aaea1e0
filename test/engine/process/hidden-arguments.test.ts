// No login, passphrase or stream key appears in the process list or in an environment, at any time from the start of a
// leg to its end.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, RTSP, SRT } from '../../../contract/stream/protocols.ts'
import { cleanUpMedia, clipPath, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { descendantsOf, readIfPresent } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { type RemoteEngine, startRemoteEngine } from '../remote-engine.ts'

const test = suite('hidden arguments')

/** Part of every secret in these tests. */
const SECRET = 'hush-hush-hush'

let engine: RemoteEngine | undefined
let web: Server
let webPort = 0
test.before(async () => {
  const body = readFileSync(clipPath())
  const login = `Basic ${Buffer.from(`joe:${SECRET}`).toString('base64')}`
  web = createServer((request, response) => {
    const isAuthorized = request.headers.authorization === login && request.url === `/${SECRET}.ts?token=${SECRET}`
    if (!isAuthorized) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="Stage"' }).end()
    response.end(body)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webPort = (web.address() as { port: number }).port
})
test.after.each(() => engine?.kill())
test.after(async () => {
  web.closeAllConnections()
  web.close()
  await cleanUpMedia()
})

/** Samples the command lines and environments of all descendants of a process every 2 ms. */
function sampleProcesses(pid: number): { samples: ReadonlySet<string>; stop(): void } {
  const samples = new Set<string>()
  const timer = setInterval(() => {
    for (const child of descendantsOf(pid))
      for (const file of ['cmdline', 'environ'])
        samples.add(readIfPresent(`/proc/${child}/${file}`).replaceAll('\0', ' '))
  }, 2)
  return { samples, stop: () => clearInterval(timer) }
}

for (const [program, options] of [
  ['headend-srt', {}],
  ['ffmpeg instead of headend-srt', { srtProgram: '/no/such/program' }]
] as const)
  test(`legs of every protocol show no secret while they start, carry, fail and end: ${program}`, async () => {
    const [udp, listener, listens] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
    const [rtsp, closed] = [await freeTcpPort(), await freeTcpPort()]
    sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
    const remote = startRemoteEngine({ ...options, timeouts: { start: 8000 } })
    engine = remote
    const processes = sampleProcesses(remote.pid)
    const login = `joe:${SECRET}@127.0.0.1`
    const access = { 'push-key': `PUSH-${SECRET}`, 'play-key': `PLAY-${SECRET}`, srt: true, rtmp: true, 'allow-ip': [] }
    remote.sendCommand({ apply: { ...channel(2, { id: 0, name: 'Pushed', kind: 'pushed', channel: 2 }), access } })
    remote.sendCommand({ ports: { srt: { port: 0, 'pb-key-len': 16, passphrase: SECRET }, rtmp: { port: 0 } } })
    await until(() => remote.lastReport().ports.rtmp.port !== undefined, 'the ports are open')
    const rtmp = remote.lastReport().ports.rtmp.port
    const login2 = { 'enable-auth': true, username: 'joe', password: SECRET }
    const encrypted = { enc: 'aes-128', passphrase: SECRET, 'stream-id': SECRET } as const
    const channels = [
      channel(1, urlInput(101, `udp://127.0.0.1:${udp}`), [
        { id: 11, name: 'A', protocol: SRT, config: { mode: 'listener', 'bind-port': listener, ...encrypted } },
        { id: 12, name: 'B', protocol: RTSP, config: { port: rtsp, key: SECRET, ...login2 } },
        {
          id: 13,
          name: 'C',
          protocol: RTMP,
          config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: access['push-key'], ...login2 }
        },
        { id: 14, name: 'D', protocol: RTMP, config: { url: `rtmp://${login}:${closed}/live`, key: SECRET } },
        {
          id: 15,
          name: 'E',
          protocol: SRT,
          config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': listens, ...encrypted }
        }
      ]),
      channel(3, urlInput(103, `srt://127.0.0.1:${listener}?mode=caller&passphrase=${SECRET}&streamid=${SECRET}`)),
      channel(4, urlInput(104, `rtsp://${login}:${rtsp}/${SECRET}?mw-tcp-first=1`)),
      channel(5, urlInput(105, `rtmp://127.0.0.1:${rtmp}/live/${access['play-key']}`)),
      channel(6, urlInput(106, `srt://:${listens}?mode=listener&passphrase=${SECRET}`)),
      channel(7, urlInput(107, `http://${login}:${webPort}/${SECRET}.ts?token=${SECRET}`)),
      channel(8, urlInput(108, `rtsp://${login}:${closed}/${SECRET}`)),
      channel(9, urlInput(109, `rtmp://${login}:${closed}/live/${SECRET}`)),
      channel(10, urlInput(110, `https://${login}:${closed}/${SECRET}`))
    ]
    for (const apply of channels) remote.sendCommand({ apply })
    const carried = new Set<number>()
    const expectedLegs = [1, 2, 3, 4, 5, 6, 7, 12, 13, 15]
    await until(
      () => {
        for (const id of expectedLegs)
          if (remote.lastReport().legs[id]?.connState === CONNECTION_STATE.connected) carried.add(id)
        return carried.size === expectedLegs.length
      },
      () =>
        `all legs are connected: ${expectedLegs.filter((id) => !carried.has(id))} ${JSON.stringify(remote.lastReport())}`
    )
    await remote.waitForState(CONNECTION_STATE.refused, [8, 9, 10, 14])
    assert.doesNotMatch(JSON.stringify(remote.lastReport()), /hush/)
    for (const apply of channels) remote.sendCommand({ apply: { ...apply, enable: false } })
    // Only the two port programs and the relay of channel 2 are left, which has no other process without a publisher.
    await until(() => remote.lastReport().processes === 3, 'the processes of the legs have ended')
    processes.stop()
    const samples = [...processes.samples]
    // The samples were taken while the programs ran.
    for (const line of [
      /hidden:1/,
      /headend-srt port/,
      /nginx/,
      /HIDE_ARGS_FD=5/,
      program === 'ffmpeg instead of headend-srt' ? /-passphrase hidden:1/ : /headend-srt call/
    ])
      assert.ok(
        samples.some((sample) => line.test(sample)),
        `${line}`
      )
    // `pass` is the secret of the engine's own legs at the RTMP port.
    assert.deepEqual(
      samples.filter((sample) => /hush|\bpass=/.test(sample)),
      []
    )
  })

test('without the library a leg with a secret URL reports the missing library and starts no process, and other legs carry data', async () => {
  const udp = await freeUdpPort()
  sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
  engine = startRemoteEngine({ hideArgsLibrary: '/no/such/library' })
  const processes = sampleProcesses(engine.pid)
  engine.sendCommand({
    apply: channel(1, urlInput(101, `udp://127.0.0.1:${udp}`), [
      { id: 11, name: 'A', protocol: RTMP, config: { url: `rtmp://joe:${SECRET}@127.0.0.1:1/live`, key: SECRET } }
    ])
  })
  for (const [id, scheme] of [
    [2, 'rtsp'],
    [3, 'rtmp'],
    [4, 'http']
  ] as const)
    engine.sendCommand({ apply: channel(id, urlInput(id, `${scheme}://joe:${SECRET}@127.0.0.1:1/a/${SECRET}`)) })
  await engine.waitForState(CONNECTION_STATE.creationFailed, [2, 3, 4, 11])
  await engine.waitForState(CONNECTION_STATE.connected, [1])
  for (const id of [2, 3, 4, 11])
    assert.equal(engine.lastReport().legs[id]?.reason, 'install-with apt-get install -y gcc libc6-dev && make native')
  assert.match(engine.lastReport().missing.join(), /no-hide-args .*make native/)
  processes.stop()
  assert.deepEqual(
    [...processes.samples].filter((sample) => sample.includes('hush')),
    []
  )
})

test('if the library cannot be loaded, ffmpeg does not get the URL and the leg reports it', async () => {
  // A file that exists but is not a library.
  engine = startRemoteEngine({ hideArgsLibrary: process.execPath })
  const processes = sampleProcesses(engine.pid)
  engine.sendCommand({ apply: channel(1, urlInput(101, `rtmp://joe:${SECRET}@127.0.0.1:1/a/${SECRET}`)) })
  await engine.waitForState(CONNECTION_STATE.creationFailed, [1])
  assert.equal(engine.lastReport().legs[1]?.reason, 'not-veiled')
  processes.stop()
  assert.deepEqual(
    [...processes.samples].filter((sample) => sample.includes('hush')),
    []
  )
})

test.run()
