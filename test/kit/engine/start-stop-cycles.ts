// Starts and stops a channel with every kind of output many times, and measures the resources that remain in use.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { CONNECTION_STATE, HTTP, RTSP } from '../../../contract/stream/protocols.ts'
import { Engine } from '../../../engine/engine.ts'
import type { WantedChannel } from '../../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../net/free-port.ts'
import { childrenOf, descendantsOf } from '../system-processes.ts'
import { until } from '../until.ts'
import { sendClip } from './media.ts'
import { NO_DEVICES } from './no-devices.ts'
import { urlInput } from './wanted-channels.ts'

/** The resources that this process uses. */
export interface ResourceUsage {
  processes: number
  descriptors: number
  /** Timers, sockets and other things that keep a Node.js process alive. */
  resources: number
  /** Files of the engine in the folder for temporary files. */
  files: number
  /** Sockets of the engine that listen on one of the ports. */
  listening: number
  /** Used heap in MB. Comparable only after a garbage collection. */
  heap: number
}

/** Inodes of the sockets that a process has open. Without those of a process that ends meanwhile. */
function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? []
      return inode ?? []
    })
  } catch {
    return []
  }
}

/** @param otherProcesses number of child processes that do not belong to the engine */
function measureUsage(ports: readonly number[], otherProcesses: number): ResourceUsage {
  const hexPorts = new Set(ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0')))
  const sockets = ['udp', 'tcp'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1))
  const own = new Set([process.pid, ...descendantsOf(process.pid)].flatMap(socketsOf))
  const isListening = (line: string) => {
    const [, local = '', , state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
    return hexPorts.has(local.split(':')[1] ?? '') && (state === '07' || state === '0A') && own.has(inode)
  }
  return {
    processes: Math.max(0, childrenOf(process.pid).length - otherProcesses),
    descriptors: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().length,
    files: readdirSync(tmpdir()).filter((name) => /^headend-[0-9a-f]{32}$/.test(name)).length,
    listening: sockets.filter(isListening).length,
    heap: process.memoryUsage().heapUsed / 1e6
  }
}

interface CyclePorts {
  input: number
  backup: number
  srtListener: number
  rtsp: number
  /** A TCP and UDP port where nothing listens. */
  closed: number
  /** The target of the UDP output. */
  udpTarget: number
}

/** A channel with a backup, a slate and an output of each protocol. */
const carryingChannel = (ports: CyclePorts): WantedChannel => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: urlInput(2, `udp://127.0.0.1:${ports.input}`),
  backups: [urlInput(3, `udp://127.0.0.1:${ports.backup}`)],
  slate: true,
  outputs: [
    { id: 11, name: 'SRT', protocol: 2, config: { mode: 'listener', 'bind-port': ports.srtListener } },
    { id: 12, name: 'UDP', protocol: 4, config: { 'dst-ip': '127.0.0.1', 'dst-port': ports.udpTarget } },
    { id: 13, name: 'RTMP', protocol: 1, config: { url: `rtmp://127.0.0.1:${ports.closed}/live`, key: 'key' } },
    { id: 14, name: 'RTSP', protocol: RTSP, config: { port: ports.rtsp, key: 'key' } },
    { id: 15, name: 'HLS', protocol: HTTP, config: { key: 'key' } },
    { id: 16, name: 'Call', protocol: 2, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': ports.closed } }
  ]
})

/** Channels whose server does not exist. The HTTP input also starts the engine's HTTP proxy. */
const failingChannels = ({ closed }: CyclePorts): WantedChannel[] =>
  [{ protocol: HTTP, scheme: 'http' } as const, { protocol: RTSP, scheme: 'rtsp' } as const].map((kind, index) => ({
    id: 2 + index,
    name: kind.scheme,
    enable: true,
    outputs: [],
    input: {
      id: 20 + index,
      name: kind.scheme,
      kind: 'url',
      url: { ...kind, host: '127.0.0.1', port: closed, path: '/a' }
    }
  }))

/** Waits until the engine has released everything that it releases with a delay, and collects garbage if possible. */
async function waitUntilReleased(engine: Engine, measure: () => ResourceUsage): Promise<void> {
  await until(() => engine.processCount() === 0, 'the processes of the engine have ended')
  // The system takes a moment to reap a process, and other tests may create files of the same kind.
  await until(
    () => {
      const { processes, files, listening } = measure()
      return processes + files + listening === 0
    },
    () => `nothing is left: ${JSON.stringify(measure())}`
  )
  // Closed handles are released in the following turns of the event loop.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  globalThis.gc?.()
}

/**
 * Starts and stops the channels. In every other cycle the channel is stopped once it carries, in the others while it
 * starts.
 * @param warmUp number of cycles before the first measurement
 * @param onCycle called after each cycle with its number
 */
export async function runCycles(
  count: number,
  warmUp: number,
  onCycle: (cycle: number) => void = () => {}
): Promise<{ before: ResourceUsage; after: ResourceUsage; milliseconds: number }> {
  const [input, backup, srtListener] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const [closed, rtsp] = [await freeTcpPort(), await freeTcpPort()]
  const receiver = createSocket('udp4', () => {}).bind(0, '127.0.0.1')
  await once(receiver, 'listening')
  const target = (port: number) => `udp://127.0.0.1:${port}?pkt_size=1316`
  // Earlier tests in this process may have left a helper process running, such as esbuild. Two more are the senders.
  const otherProcesses = childrenOf(process.pid).length + 2
  const senders = [sendClip('mpegts', target(input)), sendClip('mpegts', target(backup))]
  const engine = new Engine(NO_DEVICES)
  const ports: CyclePorts = { input, backup, srtListener, rtsp, closed, udpTarget: receiver.address().port }
  const channels = [carryingChannel(ports), ...failingChannels(ports)]
  const measure = () => measureUsage([input, backup, srtListener, rtsp], otherProcesses)
  const describeState = () => {
    const { outputs, ...channel } = engine.observe(1)
    return `the channel carries: ${JSON.stringify([channel, ...outputs])}`
  }
  let before: ResourceUsage | undefined
  let startedAt = 0
  try {
    for (let cycle = 0; cycle < warmUp + count; cycle++) {
      if (cycle === warmUp) {
        await waitUntilReleased(engine, measure)
        before = measure()
        startedAt = performance.now()
      }
      for (const channel of channels) engine.apply(channel)
      if (cycle % 2 === 0)
        await until(() => engine.observe(1).outputs.get(12)?.connState === CONNECTION_STATE.connected, describeState)
      for (const channel of channels) engine.apply({ ...channel, enable: false })
      if (cycle % 10 === 9) await waitUntilReleased(engine, measure)
      onCycle(cycle)
    }
    await waitUntilReleased(engine, measure)
    const milliseconds = (performance.now() - startedAt) / count
    const { descriptors = 0, resources = 0 } = before ?? {}
    const isReleased = () => measure().descriptors <= descriptors && measure().resources <= resources
    // Sockets that were closed may take a moment. What stays is in the measurement.
    await until(isReleased, 'no more descriptors than before').catch(() => {})
    const after = measure()
    return { before: before ?? after, after, milliseconds }
  } finally {
    await engine.close()
    receiver.close()
    await Promise.all(senders.map((sender) => sender.kill()))
  }
}
