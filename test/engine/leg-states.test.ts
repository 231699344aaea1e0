// Every source state and every connection state, each produced by a real cause on the loopback interface.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { suite } from 'uvu'
import { NOT_IMPLEMENTED, UNSUPPORTED } from '../../contract/codes.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { LinkError } from '../../device-link/link-error.ts'
import type { ObservedLeg, WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { nextStep } from '../../hub/messages/next-steps.ts'
import { reasonText } from '../../hub/messages/reasons.ts'
import { createFixture, type EngineFixture } from '../kit/engine/engine-fixture.ts'
import { cleanUpMedia, clipPath, runProcess, sendClip } from '../kit/engine/media.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('leg states')

const nameOf = (of: Readonly<Record<string, number>>, value: number) =>
  Object.keys(of).find((key) => of[key] === value) ?? value

let fixture: EngineFixture
const openServers: { close(): void }[] = []

test.before(async () => {
  clipPath()
  fixture = createFixture({
    async orderPush(sn, order) {
      if (sn === 'OLD') throw new LinkError(NOT_IMPLEMENTED, 'unknown order')
      if (sn === 'DECODER') throw new LinkError(UNSUPPORTED, 'device is only reachable at an address')
      if (sn === 'CAMERA')
        sendClip('mpegts', '-passphrase', order.passphrase, `srt://127.0.0.1:${order.port}?mode=caller&pkt_size=1316`)
    }
  })
  fixture.setOnline('GONE', false)
})
test.after(async () => {
  await fixture.engine.close()
  for (const server of openServers) server.close()
  await cleanUpMedia()
})

const device = (sn: string, latency = 120): WantedInput => ({
  id: 10,
  name: sn,
  kind: 'device',
  sn,
  push: { latency, 'stream-index': 0 }
})

async function listen(server: Server): Promise<number> {
  openServers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Opens a UDP port that never responds. */
function openSilentPort(): Promise<number> {
  const socket = createSocket('udp4')
  openServers.push(socket)
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)))
}

/** Starts a web server that refuses /locked.ts, sends /clip.ts once, and has no other path. */
function startWeb(): Promise<number> {
  const media = readFileSync(clipPath())
  return listen(
    createWebServer((request, response) => {
      if (request.url === '/locked.ts') response.writeHead(401).end()
      else if (request.url === '/clip.ts') response.writeHead(200, { 'content-type': 'video/mp2t' }).end(media)
      else response.writeHead(404).end()
    })
  )
}

/** Opens a TCP port whose responses match no protocol. */
const startGarbageServer = () =>
  listen(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 ready\r\n'.repeat(400))
    })
  )

/** Starts an RTMP server. @returns its URL */
async function startRtmpServer(): Promise<string> {
  const port = await freeTcpPort()
  runProcess(['-v', 'error', '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/k`, '-f', 'null', '-'])
  return `rtmp://127.0.0.1:${port}/live`
}

/** Sends MPEG-2, which RTMP cannot carry. */
function sendMpeg2(port: number): void {
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-t', '2', '-c:v', 'mpeg2video', '-g', '12'],
    ...['-f', 'mpegts', '-y', `${clipPath()}.mpeg2.ts`]
  ])
  assert.equal(encoder.status, 0)
  const file = `${clipPath()}.mpeg2.ts`
  const target = `udp://127.0.0.1:${port}?pkt_size=1316`
  runProcess(['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'mpegts', target])
}

interface Cause {
  description: string
  /** The expected states. */
  state: number
  connState: number
  /** The wanted channel. */
  input: WantedInput | null
  enable?: boolean
  output?: WantedOutput
  /** Produces the cause once the channel runs. */
  provoke?(apply: (input: WantedInput) => void, observeLeg: () => ObservedLeg | undefined): Promise<void>
}

const { running, adding, failed } = SOURCE_STATE

const cause = (
  description: string,
  state: number,
  connState: number,
  input: WantedInput | null,
  rest: Partial<Cause> = {}
): Cause => ({ description, state, connState, input, ...rest })

const urlCause = (
  description: string,
  state: number,
  connState: number,
  url: string,
  rest: Partial<Cause> = {}
): Cause => cause(description, state, connState, urlInput(10, url), rest)

/** Causes of the states without a failure. */
async function createNormalCauses(silentUrl: string): Promise<Cause[]> {
  const [listen, empty, udp] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  return [
    cause('the channel is disabled', SOURCE_STATE.initializing, CONNECTION_STATE.waiting, device('CAMERA'), {
      enable: false
    }),
    urlCause('the listener has not responded yet', adding, CONNECTION_STATE.connecting, silentUrl),
    urlCause(
      'no caller has connected yet',
      running,
      CONNECTION_STATE.waiting,
      `srt://127.0.0.1:${listen}?mode=listener`
    ),
    urlCause('no datagrams arrive', running, CONNECTION_STATE.waitingForData, `udp://127.0.0.1:${empty}`),
    urlCause('the input carries', running, CONNECTION_STATE.connected, `udp://127.0.0.1:${udp}`, {
      provoke: async () => void sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
    }),
    cause('the settings have changed', SOURCE_STATE.configuring, CONNECTION_STATE.connecting, device('CAMERA'), {
      async provoke(apply, seen) {
        await until(() => seen()?.connState === CONNECTION_STATE.connected, 'the device sends')
        apply(device('CAMERA', 500))
      }
    })
  ]
}

/** Causes that prevent a leg from being started. */
async function createUnsupportedCauses(): Promise<Cause[]> {
  const [used, mpeg2] = [await openSilentPort(), await freeUdpPort()]
  return [
    urlCause(
      'the port is in use',
      SOURCE_STATE.addFailed,
      CONNECTION_STATE.creationFailed,
      `srt://127.0.0.1:${used}?mode=listener`
    ),
    cause('the device cannot push', SOURCE_STATE.unsupported, CONNECTION_STATE.failed, device('DECODER')),
    urlCause(
      'RTMP cannot carry MPEG-2',
      SOURCE_STATE.unsupported,
      CONNECTION_STATE.streamFailed,
      `udp://127.0.0.1:${mpeg2}`,
      {
        output: { id: 1, name: 'RTMP', protocol: 1, config: { url: await startRtmpServer(), key: 'k' } },
        provoke: async () => sendMpeg2(mpeg2)
      }
    ),
    cause('the firmware does not know the order', SOURCE_STATE.firmwareTooOld, CONNECTION_STATE.failed, device('OLD')),
    cause('the device is offline', SOURCE_STATE.offline, CONNECTION_STATE.disconnected, device('GONE'))
  ]
}

/** Causes of failed connections. */
async function createConnectionFailures(silentUrl: string): Promise<Cause[]> {
  const [closed, web, garbage] = [await freeTcpPort(), await startWeb(), await startGarbageServer()]
  const { disconnected, refused, nameNotFound, tcpPortFailed, handshakeFailed, streamFailed, notAuthorized } =
    CONNECTION_STATE
  return [
    urlCause('the call gets no response', failed, CONNECTION_STATE.failed, silentUrl),
    urlCause('the server closes the connection', failed, disconnected, `http://127.0.0.1:${web}/clip.ts`),
    urlCause('the port is closed', failed, refused, `rtmp://127.0.0.1:${closed}/live/a`),
    urlCause('the host name is unknown', failed, nameNotFound, 'rtsp://no.such.invalid:554/a'),
    urlCause('there is no route to the port', failed, tcpPortFailed, 'http://127.255.255.255:81/a.ts'),
    urlCause('the server does not speak TLS', failed, handshakeFailed, `rtmps://127.0.0.1:${garbage}/live/a`),
    urlCause('the server does not speak RTMP', failed, handshakeFailed, `rtmp://127.0.0.1:${garbage}/live/a`),
    urlCause('there is no such stream', failed, streamFailed, `http://127.0.0.1:${web}/other.ts`),
    urlCause('the server requires a password', failed, notAuthorized, `http://127.0.0.1:${web}/locked.ts`)
  ]
}

async function createCauses(): Promise<Cause[]> {
  const silentUrl = `srt://127.0.0.1:${await openSilentPort()}?mode=caller`
  return [
    ...(await createNormalCauses(silentUrl)),
    ...(await createUnsupportedCauses()),
    ...(await createConnectionFailures(silentUrl))
  ]
}

test('an output without data reports a silent input, whether it is connected or not', async () => {
  const { engine } = fixture
  const outputs: WantedOutput[] = [
    { id: 1, name: 'RTMP', protocol: 1, config: { url: 'rtmp://127.0.0.1/live', key: 'k' } },
    { id: 2, name: 'UDP', protocol: 4, config: { 'dst-ip': '127.0.0.1', 'dst-port': await freeUdpPort() } }
  ]
  engine.apply(channel(1, urlInput(10, `udp://127.0.0.1:${await freeUdpPort()}`), outputs))
  const reasons = () => [...engine.observe(1).outputs.values()].map(({ reason }) => reason).join()
  await until(() => reasons() === 'input-silent,input-silent', reasons)
})

test('an RTMP output whose key is a single letter reports why its target refuses it', async () => {
  const { engine } = fixture
  const [udp, closed] = [await freeUdpPort(), await freeTcpPort()]
  const url = `rtmp://127.0.0.1:${closed}/live`
  const outputs: WantedOutput[] = ['o', 'e'].map((key, id) => ({ id, name: key, protocol: 1, config: { url, key } }))
  engine.apply(channel(90, urlInput(10, `udp://127.0.0.1:${udp}`), outputs))
  sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
  const reasons = () => [...engine.observe(90).outputs.values()].map(({ reason }) => reason).join()
  await until(() => reasons() === 'call-refused,call-refused', reasons)
  engine.remove(90)
})

test('every state is produced by a real cause, and has a reason and a next step', async () => {
  const { engine } = fixture
  const allCauses = await createCauses()
  const observedLegs = allCauses.map(() => new Map<string, ObservedLeg>())
  const expectedStates = allCauses.map(({ state, connState }) => `${state} ${connState}`)
  const legOf = (index: number): ObservedLeg | undefined =>
    allCauses[index]?.output ? engine.observe(index + 1).outputs.get(1) : engine.observe(index + 1).input
  const sampling = setInterval(() => {
    for (const index of allCauses.keys()) {
      const leg = legOf(index)
      if (leg) observedLegs[index]?.set(`${leg.state} ${leg.connState}`, leg)
    }
  }, 5)
  const provoked = allCauses.map(({ description, input, output, enable = true, provoke }, index) => {
    const apply = (wantedInput: WantedInput | null) =>
      engine.apply({ id: index + 1, name: description, enable, input: wantedInput, outputs: output ? [output] : [] })
    apply(input)
    return provoke?.(apply, () => legOf(index))
  })
  await Promise.all(provoked)
  const missing = () =>
    allCauses
      .filter((_, index) => !observedLegs[index]?.has(expectedStates[index] ?? ''))
      .map((cause) => cause.description)
  await until(
    () => missing().length === 0,
    () =>
      missing()
        .map(
          (description) =>
            `${description}: ${JSON.stringify([...(observedLegs[allCauses.findIndex((cause) => cause.description === description)] ?? [])])}`
        )
        .join('; ')
  )
  clearInterval(sampling)
  for (const [index, { description, connState }] of allCauses.entries()) {
    const leg = observedLegs[index]?.get(expectedStates[index] ?? '')
    if (!leg || connState < CONNECTION_STATE.failed) continue
    assert.ok(leg.reason, description)
    assert.notEqual(reasonText('en', leg.reason), leg.reason, description)
    assert.ok(nextStep('en', leg), description)
  }
  const producedBy = (pick: (cause: Cause) => number) => new Set(allCauses.map(pick))
  for (const [all, states] of [
    [SOURCE_STATE, producedBy(({ state }) => state)],
    [CONNECTION_STATE, producedBy(({ connState }) => connState)]
  ] as const)
    for (const state of Object.values(all)) assert.ok(states.has(state), `no cause produces ${nameOf(all, state)}`)
})

test.run()
