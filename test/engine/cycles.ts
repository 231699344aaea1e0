// Starts and stops a channel with all that one can have, again and again, and tells what that leaves behind.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { CONNECTION, HTTP, RTSP } from '../../contract/stream/protocols.ts'
import { createEngine } from '../../engine/engine.ts'
import type { Wanted } from '../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../kit/free-port.ts'
import { childrenOf } from '../kit/system-processes.ts'
import { send, until } from './media.ts'
import { NO_DEVICES } from './no-devices.ts'
import { source } from './wanted.ts'

/** What this process holds. */
export interface Holdings {
  processes: number
  descriptors: number
  /** Timers, sockets and whatever else keeps a process alive. */
  resources: number
  /** In the folder for temporary files. */
  files: number
  /** Sockets that wait for somebody on one of the ports. */
  listening: number
  /** Megabytes; only after a garbage collection does that say anything. */
  heap: number
}

/** @param others children that are not the engine's */
function holdings(ports: readonly number[], others: number): Holdings {
  const wanted = new Set(ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0')))
  const sockets = ['udp', 'tcp'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1))
  const waits = (line: string) => {
    const [, local = '', , state = ''] = line.trim().split(/\s+/)
    return wanted.has(local.split(':')[1] ?? '') && (state === '07' || state === '0A')
  }
  return {
    processes: Math.max(0, childrenOf(process.pid).length - others),
    descriptors: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().length,
    files: readdirSync(tmpdir()).filter((name) => /^headend-[0-9a-f]{32}$/.test(name)).length,
    listening: sockets.filter(waits).length,
    heap: process.memoryUsage().heapUsed / 1e6
  }
}

/**
 * Every other time the channel carries before it is stopped; else it is stopped while it starts.
 * @param warm cycles before what is held is counted for the first time
 * @param each called after a cycle with its number
 */
export async function cycle(
  count: number,
  warm: number,
  each: (cycle: number) => void = () => {}
): Promise<{ before: Holdings; after: Holdings; milliseconds: number }> {
  const [first, backup, listener] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const [closed, rtsp] = [await freeTcpPort(), await freeTcpPort()]
  const taker = createSocket('udp4', () => {}).bind(0, '127.0.0.1')
  await once(taker, 'listening')
  const target = (port: number) => `udp://127.0.0.1:${port}?pkt_size=1316`
  // What was tested before in this process may have left a helper running, as esbuild does.
  const others = childrenOf(process.pid).length + 2
  const senders = [send('mpegts', target(first)), send('mpegts', target(backup))]
  const engine = createEngine(NO_DEVICES)
  const wanted: Wanted = {
    ...{
      id: 1,
      name: 'Stage',
      enable: true,
      input: source(2, `udp://127.0.0.1:${first}`),
      backups: [source(3, `udp://127.0.0.1:${backup}`)],
      slate: true
    },
    outputs: [
      { id: 11, name: 'SRT', protocol: 2, config: { mode: 'listener', 'bind-port': listener } },
      { id: 12, name: 'UDP', protocol: 4, config: { 'dst-ip': '127.0.0.1', 'dst-port': taker.address().port } },
      { id: 13, name: 'RTMP', protocol: 1, config: { url: `rtmp://127.0.0.1:${closed}/live`, key: 'key' } },
      { id: 14, name: 'RTSP', protocol: RTSP, config: { port: rtsp, key: 'key' } },
      { id: 15, name: 'HLS', protocol: HTTP, config: { key: 'key' } },
      { id: 16, name: 'Call', protocol: 2, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': closed } }
    ]
  }
  /** What never carries, as nobody is there: one is fetched through a proxy of the hub's own. */
  const idle: Wanted[] = [{ protocol: HTTP, scheme: 'http' } as const, { protocol: RTSP, scheme: 'rtsp' } as const].map(
    (kind, at) => ({
      ...{ id: 2 + at, name: kind.scheme, enable: true, outputs: [] },
      input: {
        id: 20 + at,
        name: kind.scheme,
        kind: 'url',
        url: { ...kind, host: '127.0.0.1', port: closed, path: '/a' }
      }
    })
  )
  const ports = [first, backup, listener, rtsp]
  const settled = async () => {
    await until('its processes to end', () => engine.processes() === 0)
    // The system takes a moment to bury a process, and other tests have files of the same kind for a moment.
    const gone = ({ processes, files, listening }: Holdings) => processes + files + listening === 0
    await until(
      () => `nothing to be left: ${JSON.stringify(holdings(ports, others))}`,
      () => gone(holdings(ports, others))
    )
    // What is closed is let go in the turns of the loop that follow.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
  }
  const shown = () => {
    const { outputs, ...channel } = engine.observe(1)
    return `it to carry: ${JSON.stringify([channel, ...outputs])}`
  }
  let before: Holdings | undefined
  let began = 0
  try {
    for (let number = 0; number < warm + count; number++) {
      if (number === warm) {
        await settled()
        before = holdings(ports, others)
        began = performance.now()
      }
      for (const channel of [wanted, ...idle]) engine.apply(channel)
      if (number % 2 === 0)
        await until(shown, () => engine.observe(1).outputs.get(12)?.connState === CONNECTION.connected)
      for (const channel of [wanted, ...idle]) engine.apply({ ...channel, enable: false })
      if (number % 10 === 9) await settled()
      each(number)
    }
    await settled()
    const after = holdings(ports, others)
    return { before: before ?? after, after, milliseconds: (performance.now() - began) / count }
  } finally {
    await engine.close()
    taker.close()
    await Promise.all(senders.map((sender) => sender.kill()))
  }
}
