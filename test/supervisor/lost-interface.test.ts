// The address of a network interface is taken away while streams use it: in a network of the engine's own. Within 5 s
// each call of the hub names the interface, and not the sources and targets, in both languages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { suite } from 'uvu'
import { UDP } from '../../contract/stream/protocols.ts'
import type { TypedOutput } from '../../contract/stream/source.ts'
import { NEXT_STEP_SENTENCES } from '../../contract/text/health-sentences.ts'
import { openSignedIn } from '../kit/browser/browser.ts'
import { cleanUpMedia, clipPath, runProcess } from '../kit/engine/media.ts'
import { ConsoleLanguages, type ShownCause } from '../kit/fault/console-languages.ts'
import { assertReports, assertWords, waitUntilOnAir } from '../kit/fault/fault-report.ts'
import { type Fault, startChannel } from '../kit/fault/faults.ts'
import { createPeer, endPeers } from '../kit/fault/media.ts'
import { VerdictWatch } from '../kit/fault/verdict-watch.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { createPrivateNetwork, type PrivateNetwork } from '../kit/net/private-network.ts'

const test = suite('address of the interface gone')

const IFACE = 'stage0'
const ADDRESS = '10.99.0.1'
const NEIGHBOUR = '10.99.0.2'
const GROUP = '239.99.0.1'
const ON_AIR = ['on-air']

const MISSING = {
  en: /the hub has no network interface stage0 with an address/i,
  zh: /中控没有网络接口 stage0，或该接口没有地址/
}
/** What the console shows of the channels. */
const SHOWN: Readonly<Record<string, ShownCause>> = {
  'multicast in': ['◆', MISSING],
  'multicast out': ['▲', MISSING],
  'to a neighbour': ['▲', { en: /network is unreachable|unreachable/i, zh: /网络不可达/ }]
}

let data: string
let network: PrivateNetwork
let engine: EngineProcess
let hub: HubProcess
let watch: VerdictWatch
let faults: Fault[]
let context: BrowserContext

/** Sends the clip inside the network. */
function send(target: string): void {
  const [program = '', ...enter] = network.enter
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts', target]
  createPeer(() => runProcess([...enter, 'ffmpeg', '-nostdin', ...args], program))
}

/** An output inside the network to a program that receives it. */
function createLocalTarget(port: number): TypedOutput {
  const [program = '', ...enter] = network.enter
  const script = `require('node:dgram').createSocket('udp4').bind(${port}, '127.0.0.1')`
  createPeer(() => runProcess([...enter, process.execPath, '-e', script], program))
  return { protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': port } }
}

/** A channel that receives on the loopback, with an output into the network and one that nobody can take away. */
async function startSender(title: string, target: { 'dst-ip': string; iface?: string }, cause: string): Promise<Fault> {
  const port = await freeUdpPort()
  send(`udp://127.0.0.1:${port}?pkt_size=1316`)
  const output: TypedOutput = { protocol: UDP, config: { ...target, 'dst-port': await freeUdpPort() } }
  const outputs = [output, createLocalTarget(await freeUdpPort())]
  return {
    title,
    channel: await startChannel(hub, title, `udp://127.0.0.1:${port}`, outputs),
    cause() {},
    mend() {},
    expected: { channel: 'degraded: outputs-failed', input: 'on-air', outputs: [[`down: ${cause}`], ON_AIR] },
    problem: `output warn: ${cause}`
  }
}

async function startReceiver(title: string): Promise<Fault> {
  const port = await freeUdpPort()
  send(`udp://${GROUP}:${port}?localaddr=${ADDRESS}&pkt_size=1316`)
  const LOST = 'down: interface-missing'
  return {
    title,
    channel: await startChannel(hub, title, `udp://${GROUP}:${port}?iface=${IFACE}`, [
      createLocalTarget(await freeUdpPort())
    ]),
    cause() {},
    mend() {},
    expected: { channel: LOST, input: LOST, outputs: [['waiting: input-silent']] },
    problem: 'channel bad: interface-missing'
  }
}

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-interface-'))
  network = await createPrivateNetwork(IFACE, `${ADDRESS}/24`, NEIGHBOUR)
  engine = await startEngineProcess(data, network.enter)
  hub = await startHubProcess(data)
  watch = new VerdictWatch(() => hub)
  faults = [
    await startReceiver('multicast in'),
    await startSender('multicast out', { 'dst-ip': GROUP, iface: IFACE }, 'interface-missing'),
    await startSender('to a neighbour', { 'dst-ip': NEIGHBOUR }, 'unreachable')
  ]
  await waitUntilOnAir(watch, faults)
  context = await openSignedIn(hub.url)
})
test.after(async () => {
  await context?.browser()?.close()
  await watch?.close()
  await hub?.kill()
  await engine?.kill()
  await endPeers()
  await network?.close()
  rmSync(data, { recursive: true, force: true })
  await cleanUpMedia()
})

test('streams whose interface has lost its address say so within 5 s, in the API and on each page in both languages, and nothing else', async () => {
  const channels = new Map(faults.map(({ title, channel }) => [title, channel]))
  const console = await ConsoleLanguages.open(context, hub.url, channels)
  await console.assertCauses(
    (name) => SHOWN[name] as ShownCause,
    async () => {
      const at = Date.now()
      await assertReports(watch, faults, async () => network.removeAddress())
      return new Map(faults.map(({ title }) => [title, at]))
    }
  )
  await console.close()
})

test('all places name the interface and say what to do, in both languages', async () => {
  const [en, zh] = NEXT_STEP_SENTENCES['check-interface']
  for (const fault of faults.slice(0, 2))
    await assertWords(hub, fault, {
      en: { cause: `the hub has no network interface ${IFACE} with an address`, step: en },
      zh: { cause: `中控没有网络接口 ${IFACE}，或该接口没有地址`, step: zh }
    })
})

test('the channels are on air again when the interface has its address', async () => {
  network.addAddress()
  await waitUntilOnAir(watch, faults)
})

test.run()
