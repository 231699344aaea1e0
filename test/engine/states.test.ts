// Every source state and every connection state, each by a cause that makes it for real on the loopback.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { suite } from 'uvu'
import { NOT_IMPLEMENTED, UNSUPPORTED } from '../../contract/codes.ts'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { LegObserved, WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { LinkError } from '../../hub/devices/link/link-error.ts'
import { nextStep } from '../../hub/messages/next-steps.ts'
import { reasonText } from '../../hub/messages/reasons.ts'
import { freeTcpPort, freeUdpPort } from '../kit/free-port.ts'
import { type Bench, createBench } from './bench.ts'
import { clip, endAll, run, send, until } from './media.ts'
import { channel, source } from './wanted.ts'

const test = suite('states')

const nameOf = (of: Readonly<Record<string, number>>, value: number) =>
  Object.keys(of).find((key) => of[key] === value) ?? value

let bench: Bench
const open: { close(): void }[] = []

test.before(async () => {
  clip()
  bench = createBench({
    async order(sn, order) {
      if (sn === 'OLD') throw new LinkError(NOT_IMPLEMENTED, 'it does not know the order')
      if (sn === 'DECODER') throw new LinkError(UNSUPPORTED, 'it is reached at an address')
      if (sn === 'CAMERA')
        send('mpegts', '-passphrase', order.passphrase, `srt://127.0.0.1:${order.port}?mode=caller&pkt_size=1316`)
    }
  })
  bench.setOnline('GONE', false)
})
test.after(async () => {
  await bench.engine.close()
  for (const one of open) one.close()
  await endAll()
})

const device = (sn: string, latency = 120): WantedInput => ({
  ...{ id: 10, name: sn, kind: 'device', sn },
  manner: { latency, 'stream-index': 0 }
})

async function listening(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A UDP port that somebody has, who answers nothing. */
function mutePort(): Promise<number> {
  const socket = createSocket('udp4')
  open.push(socket)
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)))
}

/** A web server that refuses, knows nothing, or sends a clip and ends. */
function web(): Promise<number> {
  const media = readFileSync(clip())
  return listening(
    createWebServer((request, response) => {
      if (request.url === '/locked.ts') response.writeHead(401).end()
      else if (request.url === '/clip.ts') response.writeHead(200, { 'content-type': 'video/mp2t' }).end(media)
      else response.writeHead(404).end()
    })
  )
}

/** A TCP port whose answers fit no protocol. */
const babble = () =>
  listening(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 ready\r\n'.repeat(400))
    })
  )

/** Whoever takes RTMP. */
async function rtmpTarget(): Promise<string> {
  const port = await freeTcpPort()
  run(['-v', 'error', '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/k`, '-f', 'null', '-'])
  return `rtmp://127.0.0.1:${port}/live`
}

/** Sends MPEG-2, which RTMP cannot carry. */
function sendMpeg2(port: number): void {
  const made = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-t', '2', '-c:v', 'mpeg2video', '-g', '12'],
    ...['-f', 'mpegts', '-y', `${clip()}.mpeg2.ts`]
  ])
  assert.equal(made.status, 0)
  const file = `${clip()}.mpeg2.ts`
  const target = `udp://127.0.0.1:${port}?pkt_size=1316`
  run(['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'mpegts', target])
}

interface Cause {
  what: string
  state: number
  connState: number
  /** What the channel is to be; `provoke` makes the cause when it runs. */
  input: WantedInput | null
  enable?: boolean
  output?: WantedOutput
  provoke?(apply: (input: WantedInput) => void, seen: () => LegObserved | undefined): Promise<void>
}

async function causes(): Promise<Cause[]> {
  const [mute, taken, site, noise] = [await mutePort(), await mutePort(), await web(), await babble()]
  const [closed, listen, udp, mpeg2] = [
    await freeTcpPort(),
    await freeUdpPort(),
    await freeUdpPort(),
    await freeUdpPort()
  ]
  const { running, adding, failed } = SOURCE
  const row = (
    what: string,
    state: number,
    connState: number,
    input: WantedInput | null,
    more: Partial<Cause> = {}
  ) => ({
    ...{ what, state, connState, input },
    ...more
  })
  const caller = source(10, `srt://127.0.0.1:${mute}?mode=caller`)
  return [
    row('the channel is off', SOURCE.initializing, CONNECTION.waiting, device('CAMERA'), { enable: false }),
    row('nobody has answered yet', adding, CONNECTION.connecting, caller),
    row('nobody has called yet', running, CONNECTION.waiting, source(10, `srt://127.0.0.1:${listen}?mode=listener`)),
    row(
      'nobody sends to the port',
      running,
      CONNECTION.waitingForData,
      source(10, `udp://127.0.0.1:${await freeUdpPort()}`)
    ),
    row('it carries', running, CONNECTION.connected, source(10, `udp://127.0.0.1:${udp}`), {
      provoke: async () => void send('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
    }),
    row(
      'another has the port',
      SOURCE.addFailed,
      CONNECTION.creationFailed,
      source(10, `srt://127.0.0.1:${taken}?mode=listener`)
    ),
    row('it is wanted in another way', SOURCE.configuring, CONNECTION.connecting, device('CAMERA'), {
      async provoke(apply, seen) {
        await until('the device to send', () => seen()?.connState === CONNECTION.connected)
        apply(device('CAMERA', 500))
      }
    }),
    row('the device cannot push', SOURCE.unsupported, CONNECTION.failed, device('DECODER')),
    row(
      'RTMP cannot carry MPEG-2',
      SOURCE.unsupported,
      CONNECTION.streamFailed,
      source(10, `udp://127.0.0.1:${mpeg2}`),
      {
        output: { id: 1, name: 'RTMP', protocol: 1, config: { url: await rtmpTarget(), key: 'k' } },
        provoke: async () => sendMpeg2(mpeg2)
      }
    ),
    row('the device does not know the order', SOURCE.firmwareTooOld, CONNECTION.failed, device('OLD')),
    row('the device is offline', SOURCE.offline, CONNECTION.disconnected, device('GONE')),
    row('nobody answers the call', failed, CONNECTION.failed, caller),
    row('the other end hangs up', failed, CONNECTION.disconnected, source(10, `http://127.0.0.1:${site}/clip.ts`)),
    row('the port is closed', failed, CONNECTION.refused, source(10, `rtmp://127.0.0.1:${closed}/live/a`)),
    row('nobody knows the name', failed, CONNECTION.nameNotFound, source(10, 'rtsp://no.such.invalid:554/a')),
    row('no way leads to the port', failed, CONNECTION.tcpPortFailed, source(10, 'http://127.255.255.255:81/a.ts')),
    row('it does not speak TLS', failed, CONNECTION.handshakeFailed, source(10, `rtmps://127.0.0.1:${noise}/live/a`)),
    row('it does not speak RTMP', failed, CONNECTION.handshakeFailed, source(10, `rtmp://127.0.0.1:${noise}/live/a`)),
    row('there is no such stream', failed, CONNECTION.streamFailed, source(10, `http://127.0.0.1:${site}/other.ts`)),
    row('it wants a password', failed, CONNECTION.notAuthorized, source(10, `http://127.0.0.1:${site}/locked.ts`))
  ]
}

test('an output that has nothing to send says why, be it connected already or not', async () => {
  const { engine } = bench
  const outputs: WantedOutput[] = [
    { id: 1, name: 'RTMP', protocol: 1, config: { url: 'rtmp://127.0.0.1/live', key: 'k' } },
    { id: 2, name: 'UDP', protocol: 4, config: { 'dst-ip': '127.0.0.1', 'dst-port': await freeUdpPort() } }
  ]
  engine.apply(channel(1, source(10, `udp://127.0.0.1:${await freeUdpPort()}`), outputs))
  const why = () => [...engine.observe(1).outputs.values()].map(({ reason }) => reason).join()
  await until(why, () => why() === 'input-silent,input-silent')
})

test('every state is made by a real cause, which is said with what to do next', async () => {
  const { engine } = bench
  const rows = await causes()
  const seen = rows.map(() => new Map<string, LegObserved>())
  const wanted = rows.map(({ state, connState }) => `${state} ${connState}`)
  const legOf = (at: number): LegObserved | undefined =>
    rows[at]?.output ? engine.observe(at + 1).outputs.get(1) : engine.observe(at + 1).input
  const look = setInterval(() => {
    for (const at of rows.keys()) {
      const leg = legOf(at)
      if (leg) seen[at]?.set(`${leg.state} ${leg.connState}`, leg)
    }
  }, 5)
  const begun = rows.map(({ what, input, output, enable = true, provoke }, at) => {
    const apply = (given: WantedInput | null) =>
      engine.apply({ id: at + 1, name: what, enable, input: given, outputs: output ? [output] : [] })
    apply(input)
    return provoke?.(apply, () => legOf(at))
  })
  await Promise.all(begun)
  const missing = () => rows.filter((_, at) => !seen[at]?.has(wanted[at] ?? '')).map((row) => row.what)
  await until(
    () =>
      missing()
        .map((what) => `${what}: ${JSON.stringify([...(seen[rows.findIndex((row) => row.what === what)] ?? [])])}`)
        .join('; '),
    () => missing().length === 0,
    25_000
  )
  clearInterval(look)
  for (const [at, { what, connState }] of rows.entries()) {
    const leg = seen[at]?.get(wanted[at] ?? '')
    if (!leg || connState < CONNECTION.failed) continue
    assert.ok(leg.reason, what)
    assert.notEqual(reasonText('en', leg.reason), leg.reason, what)
    assert.ok(nextStep('en', leg), what)
  }
  const made = (pick: (row: Cause) => number) => new Set(rows.map(pick))
  for (const [all, states] of [
    [SOURCE, made(({ state }) => state)],
    [CONNECTION, made(({ connState }) => connState)]
  ] as const)
    for (const state of Object.values(all)) assert.ok(states.has(state), `nothing makes ${nameOf(all, state)}`)
})

test.run()
