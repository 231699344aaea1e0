// Jitter of a UDP output of 10 Mbps while clients and devices load the hub, compared with the same without load in the
// same run. BENCH_DEVICES=1000 changes the number of devices, JITTER_SECONDS=10 the duration of each of the two
// measurements.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../contract/stream/channel.ts'
import { CONNECTION_STATE, UDP } from '../contract/stream/protocols.ts'
import { addInput, addOutput } from '../contract/stream/source.ts'
import { openStore } from '../hub/store/store.ts'
import { startFleet } from '../test/kit/fleet/fleet-process.ts'
import { type HubProcess, startHubProcess } from '../test/kit/hub/hub-process.ts'
import { freeUdpPort } from '../test/kit/net/free-port.ts'
import { until } from '../test/kit/until.ts'
import { acceptUntilOnline } from './fleet.ts'
import { AT_LOW_PRIORITY, startClients } from './jitter/clients.ts'
import type { Measurement, Suite } from './measurement.ts'
import { preciseCpuSecondsOf, processTreeOf } from './process-usage.ts'
import {
  type Counts,
  closePeers,
  compilePeer,
  encodeClip,
  loop,
  startCounter,
  startFfmpeg,
  startPeer
} from './streams/peers.ts'

const DEVICES = Number(process.env.BENCH_DEVICES ?? 5000)
const SECONDS = Number(process.env.JITTER_SECONDS ?? 20)
/** Lines of the log that each search reads. */
const LOG_LINES = 100_000
/** kbit/s of the stream with its null packets, and of its video. */
const RATE = 10_000
const VIDEO_RATE = 8000
/** kbit/s that ffmpeg sends: more, because some of its datagrams are shorter, and the sender must never wait for it. */
const MUX_RATE = 1.01 * RATE
/** Bytes of a datagram. */
const DATAGRAM = 1316
/** Unit of `Counts.steps`, and the nominal distance of two datagrams, in milliseconds. */
const STEP = 0.01
const DISTANCE = (DATAGRAM * 8) / RATE
/** How much higher the jitter may be under load, in milliseconds. */
const LIMIT = 2
/** Milliseconds until the streams and the load have settled. */
const SETTLE = 5000

/** Jitter: deviation of the distance of two datagrams from the nominal one. @returns milliseconds */
function jitter(before: Counts, after: Counts, share: number): number {
  const deviations = [...after.steps].map(([step, count]) => ({
    count: count - (before.steps.get(step) ?? 0),
    deviation: Math.abs((step + 0.5) * STEP - DISTANCE)
  }))
  deviations.sort((a, b) => a.deviation - b.deviation)
  let remaining = share * deviations.reduce((sum, { count }) => sum + count, 0)
  for (const { count, deviation } of deviations) {
    remaining -= count
    if (remaining <= 0 && count > 0) return deviation
  }
  return Number.NaN
}

/** Fills the operation log before the hub starts. */
function fillLog(data: string): void {
  const store = openStore(data)
  store.database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LOG_LINES})
     INSERT INTO operation_log (time, user, ip, event, detail, code, objects)
     SELECT ? + i, 'user' || (i % 9), '192.0.2.' || (i % 250), '/channel/add', 'Hall ' || i, 0, '' FROM n`,
    Date.now() - LOG_LINES
  )
  store.close()
}

/** Adds a channel from a UDP port to another one and enables it. @returns its ID */
async function addUdpChannel(hub: HubProcess, from: number, to: number): Promise<number> {
  const { id } = await hub.send(addChannel, { name: 'Jitter' })
  const { id: input } = await hub.send(addInput, { name: 'In', config: { type: 1, url: `udp://127.0.0.1:${from}` } })
  await hub.send(setChannelInput, { id, input })
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': to }
  const { id: output } = await hub.send(addOutput, { name: 'Out', protocol: UDP, config })
  await hub.send(addChannelOutputs, { id, outputs: [output] })
  await hub.send(enableChannel, { id, enable: true })
  return id
}

/** Starts the sender, and the counters of the output and of a second copy that the sender sends past the hub. */
async function startStream(hub: HubProcess) {
  const [source, input, output, direct] = [
    await freeUdpPort(),
    await freeUdpPort(),
    await freeUdpPort(),
    await freeUdpPort()
  ]
  const peer = compilePeer()
  const clip = encodeClip(VIDEO_RATE)
  const readOutput = startCounter(peer, [output])
  const readDirect = startCounter(peer, [direct])
  const channel = await addUdpChannel(hub, input, output)
  startPeer(peer, ['smooth', RATE, source, input, direct])
  startFfmpeg([
    ...loop(clip),
    '-f',
    'mpegts',
    '-muxrate',
    `${MUX_RATE}k`,
    `udp://127.0.0.1:${source}?pkt_size=${DATAGRAM}`
  ])
  await until(async () => {
    const { outputs } = (await hub.send(queryChannel, { id: channel })).channel
    return outputs.list.every((leg) => leg['conn-state'] === CONNECTION_STATE.connected)
  }, 'the channel is connected')
  return {
    channel,
    /** Measures the jitter for `SECONDS`, in milliseconds, the lost packets, and the rate. */
    async measure() {
      const before = { output: await readOutput(), direct: await readDirect() }
      await sleep(SECONDS * 1000)
      const after = { output: await readOutput(), direct: await readDirect() }
      const difference = (key: 'bytes' | 'gaps') =>
        (after.output.ports[0]?.[key] ?? Number.NaN) - (before.output.ports[0]?.[key] ?? Number.NaN)
      return {
        p50: jitter(before.output, after.output, 0.5),
        p99: jitter(before.output, after.output, 0.99),
        p999: jitter(before.output, after.output, 0.999),
        sender: jitter(before.direct, after.direct, 0.99),
        mbps: (difference('bytes') * 8) / SECONDS / 1e6,
        gaps: difference('gaps'),
        busy: loadavg()[0] ?? Number.NaN
      }
    }
  }
}

/** Stops the supervisor, which first stops its processes. */
async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** CPU time of the supervisor and of all its processes, in seconds. */
const cpuSecondsOfTree = ({ child }: HubProcess): number =>
  processTreeOf(child.pid ?? 0).reduce((sum, pid) => sum + preciseCpuSecondsOf(pid), 0)

type StreamRun = Awaited<ReturnType<Awaited<ReturnType<typeof startStream>>['measure']>>

/** Rows of one measurement, which took place `when`: without load or under load. */
function rowsOf(when: string, { p50, p99, p999, sender, mbps, gaps, busy }: StreamRun): Measurement[] {
  const row = (what: string, unit: string, ours: number, reference = Number.NaN): Measurement => ({
    name: `${when}: ${what}`,
    unit,
    referenceName: 'limit',
    ours,
    reference
  })
  return [
    row('jitter, p50', 'ms', p50),
    row('jitter, p99', 'ms', p99),
    row('jitter, p99.9', 'ms', p999),
    row('jitter of the sender itself, p99', 'ms', sender),
    row('received', 'Mbps', mbps),
    row('lost packets', 'gaps', gaps, 0),
    row('load average of the machine', '', busy)
  ]
}

export const suite: Suite = {
  title: 'jitter',
  strict: true,
  async run() {
    const data = mkdtempSync(join(tmpdir(), 'headend-bench-'))
    const rows: Measurement[] = []
    const add = (name: string, unit: string, ours: number, reference = Number.NaN) =>
      rows.push({ name, unit, referenceName: 'limit', ours, reference })
    fillLog(data)
    const hub = await startHubProcess(data, { web: 0, link: 0 }, 'supervisor/main.ts')
    try {
      const stream = await startStream(hub)
      await sleep(SETTLE)
      const quiet = await stream.measure()
      rows.push(...rowsOf('without load', quiet))
      const fleet = await startFleet(data, hub.linkPort, DEVICES, undefined, AT_LOW_PRIORITY)
      try {
        add(`until ${DEVICES} devices are online`, 's', await acceptUntilOnline(hub, DEVICES))
        const clients = startClients({ url: hub.url, cookie: hub.cookie(), channel: stream.channel })
        try {
          await sleep(SETTLE)
          const sample = async () => ({ ...(await clients.counts()), used: cpuSecondsOfTree(hub) })
          const before = await sample()
          const loaded = await stream.measure()
          const after = await sample()
          rows.push(...rowsOf('under load', loaded))
          add('calls during that', 'calls/s', (after.calls - before.calls) / SECONDS)
          add(`searches over ${LOG_LINES} lines`, 'searches/s', (after.searches - before.searches) / SECONDS)
          add('CPU of supervisor, hub and engine', '% of a core', (100 * (after.used - before.used)) / SECONDS)
          add('uploaded', 'MB/s', (after.uploaded - before.uploaded) / SECONDS / 1e6)
          add('jitter under load above that without load, p99', 'ms', loaded.p99 - quiet.p99, LIMIT)
        } finally {
          await clients.end()
        }
      } finally {
        await fleet.kill('SIGTERM')
      }
    } finally {
      await stopProgram(hub.child)
      await closePeers()
      rmSync(data, { recursive: true, force: true })
    }
    return rows
  }
}
