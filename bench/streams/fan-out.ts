// Channels without transcoding, each from UDP to three SRT targets, compared with plain ffmpeg with one process per
// channel: CPU, memory and lost data. STREAM_CHANNELS=5 STREAM_SECONDS=600 changes the number of channels and the
// duration.
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import { TsReader } from '../../engine/mpegts/ts-reader.ts'
import { createLauncher } from '../../engine/process/launcher.ts'
import { SRT_PROGRAM } from '../../engine/srt/caller.ts'
import { SrtPort } from '../../engine/srt/srt-port.ts'
import { openLinkedSockets } from '../../test/kit/engine/linked-sockets.ts'
import { freeUdpPort } from '../../test/kit/net/free-port.ts'
import type { Measurement, Suite } from '../measurement.ts'
import { cpuSecondsOf, megabytesOf, processTreeOf } from '../process-usage.ts'
import type { RelayReport, RelayRequest } from './engine-process.ts'

const CHANNELS = Number(process.env.STREAM_CHANNELS ?? 20)
const SECONDS = Number(process.env.STREAM_SECONDS ?? 60)
const OUTPUTS = 3
/** Duration of the clip in seconds, and its bit rate. */
const CLIP = 20
const RATE = '2M'
/** Milliseconds until all targets must receive data, and until the streams have settled. */
const CONNECT_TIMEOUT = 60_000
const SETTLE = 5000

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Sends a clip of 2 Mbps and 25 frames per second in a loop to all ports. */
async function startSender(folder: string, ports: readonly number[]) {
  const clip = join(folder, 'clip.ts')
  const encoded = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25', '-f', 'lavfi', '-i', 'sine=f=440:r=48000'],
    ...['-t', String(CLIP), '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-b:v', RATE, '-minrate', RATE],
    ...['-maxrate', RATE, '-bufsize', '1M', '-nal-hrd', 'cbr', '-c:a', 'aac', '-b:a', '128k', '-f', 'mpegts', clip]
  ])
  if (encoded.status !== 0) throw new Error(`The clip cannot be encoded: ${encoded.stderr}`)
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  let sentBytes = 0
  socket.on('message', (datagram) => {
    sentBytes += datagram.length
    for (const port of ports) socket.send(datagram, port, '127.0.0.1')
  })
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts'],
      `udp://127.0.0.1:${socket.address().port}?pkt_size=1316`
    ],
    { stdio: 'ignore' }
  )
  return {
    /** Bytes sent to each port. */
    sent: () => sentBytes,
    close() {
      child.kill('SIGKILL')
      socket.close()
    }
  }
}

interface Receivers {
  port: number
  /** Received bytes and continuity gaps, for each target. */
  arrived(): number[]
  gaps(): number
  close(): Promise<void>
}

/** Starts an SRT port that receives the streams of all targets and counts their continuity gaps. */
async function startReceivers(count: number): Promise<Receivers> {
  const bytes: number[] = Array(count).fill(0)
  const gaps: number[] = Array(count).fill(0)
  const sockets = openLinkedSockets()
  const port = new SrtPort({
    launcher: createLauncher(),
    program: SRT_PROGRAM,
    host: '127.0.0.1',
    port: 0,
    keyLength: 0,
    onConnect({ id, token }) {
      const index = Number(token.split('-')[1])
      const before = gaps[index] ?? 0
      const reader = new TsReader((data) => {
        bytes[index] = (bytes[index] ?? 0) + data.length
      })
      const address = sockets.address((socket) => {
        socket.on('data', (chunk: Buffer) => {
          reader.push(chunk)
          gaps[index] = before + reader.continuityGaps()
        })
      })
      port.link(id, address)
    },
    onDisconnect() {},
    onRefusal() {},
    onChange() {},
    now: () => performance.now()
  })
  port.setKeys(
    bytes.map((_, index) => ({
      token: `sink-${index}`,
      isPublisher: true,
      name: `SINK-${index}`,
      passphrase: '',
      keyLength: 0,
      latency: 120,
      maxClients: 1,
      allowIp: []
    }))
  )
  while (port.port() === undefined) await wait(20)
  return {
    port: port.port() ?? 0,
    arrived: () => [...bytes],
    gaps: () => gaps.reduce((sum, each) => sum + each, 0),
    async close() {
      await port.close()
      sockets.close()
    }
  }
}

interface Relay {
  /** Process IDs of the relay. */
  processes(): number[]
  /** Packets that the relay reports as dropped; NaN when it reports none. */
  dropped(): Promise<number>
  end(): Promise<void>
}

async function startEngineRelay(inputs: readonly number[], port: number): Promise<Relay> {
  const child = fork(join(import.meta.dirname, 'engine-process.ts'))
  const sendRequest = (request: RelayRequest) => child.send(request)
  sendRequest({
    apply: inputs.map((inputPort, index): WantedChannel => {
      const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port: inputPort, path: '' } as const
      return {
        id: index + 1,
        name: `Channel ${index}`,
        enable: true,
        input: { id: 1000 + index, name: 'In', kind: 'url', url },
        outputs: Array.from({ length: OUTPUTS }, (_, output) => ({
          id: 2000 + index * OUTPUTS + output,
          name: 'Out',
          protocol: 2,
          config: {
            mode: 'caller',
            'dst-ip': '127.0.0.1',
            'dst-port': port,
            latency: 120,
            'stream-id': `SINK-${index * OUTPUTS + output}`
          }
        }))
      }
    })
  })
  return {
    processes: () => processTreeOf(child.pid ?? 0),
    async dropped() {
      sendRequest({ ask: 'report' })
      const [report] = (await once(child, 'message')) as [RelayReport]
      return report.dropped
    },
    async end() {
      child.disconnect()
      await once(child, 'exit')
    }
  }
}

async function startFfmpegRelay(inputs: readonly number[], port: number): Promise<Relay> {
  const children: ChildProcess[] = inputs.map((inputPort, index) => {
    const targets = Array.from({ length: OUTPUTS }, (_, output) => [
      ...['-map', '0', '-c', 'copy', '-f', 'mpegts', '-srt_streamid', `SINK-${index * OUTPUTS + output}`],
      `srt://127.0.0.1:${port}?mode=caller&pkt_size=1316`
    ])
    const source = `udp://127.0.0.1:${inputPort}?localaddr=127.0.0.1&fifo_size=56000&overrun_nonfatal=1&buffer_size=1048576`
    const args = ['-v', 'error', '-nostdin', '-analyzeduration', '1000000', '-i', source, ...targets.flat()]
    return spawn('ffmpeg', args, { stdio: 'ignore' })
  })
  return {
    processes: () => children.flatMap((child) => processTreeOf(child.pid ?? 0)),
    dropped: async () => Number.NaN,
    async end() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return
          child.kill('SIGKILL')
          await once(child, 'exit')
        })
      )
    }
  }
}

/** Datagrams that the kernel dropped because a receive buffer was full, for the given ports. */
function overrun(ports: readonly number[]): number {
  const lines = readFileSync('/proc/net/udp', 'utf8').trim().split('\n').slice(1)
  return lines.reduce((sum, line) => {
    const fields = line.trim().split(/\s+/)
    return ports.includes(Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)) ? sum + Number(fields.at(-1)) : sum
  }, 0)
}

interface RelayUsage {
  /** Percent of one CPU core and MB per channel. */
  processor: number
  memory: number
  /** Percent of the sent bytes that arrived. */
  arrived: number
  gaps: number
  overrun: number
  dropped: number
}

async function measure(start: typeof startEngineRelay): Promise<RelayUsage> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-bench-'))
  const inputs: number[] = []
  while (inputs.length < CHANNELS) inputs.push(await freeUdpPort())
  const sinks = await startReceivers(CHANNELS * OUTPUTS)
  const relay = await start(inputs, sinks.port)
  const sender = await startSender(folder, inputs)
  try {
    const began = performance.now()
    while (sinks.arrived().some((bytes) => bytes === 0)) {
      if (performance.now() - began > CONNECT_TIMEOUT) throw new Error('Not all targets receive data')
      await wait(100)
    }
    await wait(SETTLE)
    const processes = relay.processes()
    const sample = async () => ({
      at: performance.now(),
      used: processes.map(cpuSecondsOf),
      sent: sender.sent(),
      arrived: sinks.arrived(),
      gaps: sinks.gaps(),
      overrun: overrun(inputs),
      dropped: await relay.dropped()
    })
    const before = await sample()
    await wait(SECONDS * 1000)
    const after = await sample()
    const used = after.used.reduce((sum, value, index) => sum + value - (before.used[index] ?? 0), 0)
    const arrived = after.arrived.reduce((sum, value, index) => sum + value - (before.arrived[index] ?? 0), 0)
    return {
      processor: (100_000 * used) / (after.at - before.at) / CHANNELS,
      memory: processes.map(megabytesOf).reduce((sum, value) => sum + value, 0) / CHANNELS,
      arrived: (100 * arrived) / ((after.sent - before.sent) * CHANNELS * OUTPUTS),
      gaps: after.gaps - before.gaps,
      overrun: after.overrun - before.overrun,
      dropped: after.dropped - before.dropped
    }
  } finally {
    sender.close()
    await relay.end()
    await sinks.close()
    rmSync(folder, { recursive: true })
  }
}

export const suite: Suite = {
  title: 'fan-out',
  async run() {
    const ours = await measure(startEngineRelay)
    const theirs = await measure(startFfmpegRelay)
    const row = (what: string, unit: string, key: keyof RelayUsage): Measurement => ({
      name: `${CHANNELS} x ${OUTPUTS}: ${what}`,
      unit,
      referenceName: 'plain ffmpeg',
      ours: ours[key],
      reference: theirs[key]
    })
    return [
      row('CPU per channel', '%', 'processor'),
      row('memory per channel', 'MB', 'memory'),
      row('arrived of sent bytes', '%', 'arrived'),
      row('gaps at the targets', 'gaps', 'gaps'),
      row('datagrams dropped by the kernel', 'datagrams', 'overrun'),
      row('packets dropped by the output', 'packets', 'dropped')
    ]
  }
}
