// 60 channels of 8 Mbps from UDP to two UDP outputs each: lost packets, and processor time. DENSE_CHANNELS and
// DENSE_SECONDS change the number of channels and the duration.

import { UDP } from '../../contract/stream/protocols.ts'
import type { WantedChannel, WantedOutput } from '../../engine/interfaces/channel.ts'
import { channel, urlInput } from '../../test/kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../test/kit/net/free-port.ts'
import type { Measurement } from '../measurement.ts'
import { megabytesOf, preciseCpuSecondsOf, processTreeOf } from '../process-usage.ts'
import { endEngine, startEngine } from './engine-child.ts'
import { closePeers, compilePeer, encodeClip, loop, startCounter, startFfmpeg, startPeer } from './peers.ts'

const CHANNELS = Number(process.env.DENSE_CHANNELS ?? 60)
const SECONDS = Number(process.env.DENSE_SECONDS ?? 30)
const OUTPUTS = 2
/** kbit/s of the video. */
const RATE = 8000
/** Milliseconds until all targets must receive data, and until the streams have settled. */
const CONNECT_TIMEOUT = 60_000
const SETTLE = 5000

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const freePorts = async (count: number): Promise<number[]> => {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freeUdpPort())
  return ports
}

export async function measureDense(): Promise<Measurement[]> {
  const [inputs, targets, [relay = 0]] = [
    await freePorts(CHANNELS),
    await freePorts(CHANNELS * OUTPUTS),
    await freePorts(1)
  ]
  const peer = compilePeer()
  const clip = encodeClip(RATE)
  const readCounts = startCounter(peer, targets)
  // The sender's own stream, to compare with.
  const [control = 0] = await freePorts(1)
  const readControl = startCounter(peer, [control])
  const engine = startEngine(inputs.map((port, index) => toChannel(port, index, targets)))
  try {
    await wait(SETTLE)
    startPeer(peer, ['copy', relay, control, ...inputs])
    startFfmpeg([...loop(clip), '-f', 'mpegts', `udp://127.0.0.1:${relay}?pkt_size=1316`])
    const began = performance.now()
    while ((await readCounts()).ports.some(({ packets }) => packets === 0)) {
      if (performance.now() - began > CONNECT_TIMEOUT) throw new Error('Not all targets receive data')
      await wait(500)
    }
    await wait(SETTLE)
    const processes = processTreeOf(engine.pid ?? 0)
    const sample = async () => ({
      at: performance.now(),
      used: processes.reduce((sum, pid) => sum + preciseCpuSecondsOf(pid), 0),
      counts: await readCounts(),
      control: await readControl()
    })
    const before = await sample()
    await wait(SECONDS * 1000)
    const after = await sample()
    const seconds = (after.at - before.at) / 1000
    const sum = (counts: typeof before.counts, key: 'gaps' | 'bytes') =>
      counts.ports.reduce((total, port) => total + port[key], 0)
    const mbps = ((sum(after.counts, 'bytes') - sum(before.counts, 'bytes')) * 8) / seconds / 1e6
    const name = `${CHANNELS} channels with ${OUTPUTS} UDP outputs`
    const limit = { referenceName: 'limit', reference: 0, most: 1 }
    const value = { referenceName: '', reference: Number.NaN }
    return [
      { name: `${name}: gaps at the targets`, unit: 'gaps', ours: sum(after.counts, 'gaps'), ...limit },
      { name: `${name}: gaps of the sender`, unit: 'gaps', ours: sum(after.control, 'gaps'), ...value },
      { name: `${name}: sent`, unit: 'Mbps', ours: mbps, ...value },
      { name: `${name}: CPU`, unit: '% of a core', ours: (100 * (after.used - before.used)) / seconds, ...value },
      {
        name: `${name}: memory`,
        unit: 'MB',
        ours: processes.reduce((total, pid) => total + megabytesOf(pid), 0),
        ...value
      }
    ]
  } finally {
    await endEngine(engine)
    await closePeers()
  }
}

function toChannel(port: number, index: number, targets: readonly number[]): WantedChannel {
  const outputs = targets.slice(index * OUTPUTS, (index + 1) * OUTPUTS).map(
    (target, number): WantedOutput => ({
      id: 2000 + index * OUTPUTS + number,
      name: 'Out',
      protocol: UDP,
      config: { 'dst-ip': '127.0.0.1', 'dst-port': target }
    })
  )
  return channel(index + 1, urlInput(1000 + index, `udp://127.0.0.1:${port}`), outputs)
}
