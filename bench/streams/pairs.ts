// Processor time of channels, for each pair of protocols, compared with one `ffmpeg -c copy` per channel that does the
// same at the same time. Environment variables: STREAM_PAIRS='UDP-UDP SRT-RTMP' selects pairs, STREAM_CHANNELS and
// STREAM_SECONDS change the number of channels and the duration of a measurement.
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { basename, join } from 'node:path'
import { HTTP, RTMP, RTP, RTSP, SRT, UDP } from '../../contract/stream/protocols.ts'
import type { WantedChannel, WantedOutput } from '../../engine/interfaces/channel.ts'
import { channel, urlInput } from '../../test/kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../test/kit/net/free-port.ts'
import type { Measurement } from '../measurement.ts'
import { preciseCpuSecondsOf, processTreeOf } from '../process-usage.ts'
import { endEngine, sentBytes, startEngine } from './engine-child.ts'
import {
  closePeers,
  compilePeer,
  compileSrtFloor,
  encodeClip,
  loop,
  peerFolder,
  startFfmpeg,
  startPeer
} from './peers.ts'

const CHANNELS = Number(process.env.STREAM_CHANNELS ?? 3)
const SECONDS = Number(process.env.STREAM_SECONDS ?? 10)
/** Bit rate of the video in kbit/s. */
const RATE = 8000
/** Milliseconds until all connections are up. */
const SETTLE = 6000
/**
 * Milliseconds from then on until the engine takes what it takes in the long run: its code is compiled, and HLS outputs
 * hold as many segments as they keep.
 */
const WARM_UP = 24_000

type Name = 'UDP' | 'RTP' | 'SRT' | 'RTMP' | 'RTSP' | 'HLS'
const NAMES: readonly Name[] = ['UDP', 'RTP', 'SRT', 'RTMP', 'RTSP', 'HLS']

/**
 * Maximum processor time against ffmpeg: that of the costlier protocol. An SRT connection is a process of its own, so
 * SRT to SRT has three programs in place of one.
 */
const LIMITS: Readonly<Record<Name, number>> = { UDP: 0.7, RTP: 0.7, SRT: 1.1, RTMP: 1.3, RTSP: 1.3, HLS: 1.3 }

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A source for one receiver. */
interface Source {
  /** URL for the engine. */
  url: string
  /** ffmpeg options that read the same. */
  args: string[]
  /** Starts the sender, once the receiver listens. */
  start?(): void
}

/** A target for one sender. */
interface Target {
  output: WantedOutput
  /** ffmpeg options that write the same. */
  args: string[]
  /** Starts the receiver of the engine's output, or of ffmpeg's, if it is not running yet. */
  play?(): void
}

interface Bench {
  clip: string
  fileServer: Server
  peer: string
  /** Starts an RTSP server with the clip. Returns its URL. */
  rtspUrl(): Promise<string>
  close(): Promise<void>
}

const address = (server: Server) => (server.address() as { port: number }).port

async function createBench(to: Name): Promise<Bench> {
  // ffmpeg cannot send AAC from MPEG-TS over RTSP.
  const clip = encodeClip(RATE, to === 'RTSP' ? 'libmp3lame' : 'aac')
  const peer = compilePeer()
  const fileServer = createServer((request, response) => {
    const path = join(
      peerFolder(),
      ...(request.url ?? '')
        .split('/')
        .slice(1)
        .map((part) => basename(part))
    )
    if (existsSync(path)) response.end(readFileSync(path))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => fileServer.listen(0, '127.0.0.1', resolve))
  let rtsp: Promise<string> | undefined
  const servers: ChildProcess[] = []
  return {
    clip,
    peer,
    fileServer,
    // An engine of its own serves RTSP: ffmpeg cannot.
    rtspUrl: () => (rtsp ??= startRtspServer(clip, servers)),
    async close() {
      for (const server of servers) await endEngine(server)
      fileServer.closeAllConnections()
      fileServer.close()
      await closePeers()
    }
  }
}

async function startRtspServer(clip: string, servers: ChildProcess[]): Promise<string> {
  const [udp, port] = [await freeUdpPort(), await freeTcpPort()]
  const output: WantedOutput = { id: 902, name: 'Eye', protocol: RTSP, config: { port, key: 'eye' } }
  servers.push(startEngine([channel(900, urlInput(901, `udp://127.0.0.1:${udp}`), [output])]))
  startFfmpeg([...loop(clip), '-f', 'mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`])
  return `rtsp://127.0.0.1:${port}/eye`
}

const SOURCES: Readonly<Record<Name, (bench: Bench, number: number) => Promise<Source>>> = {
  async UDP({ clip }) {
    const url = `udp://127.0.0.1:${await freeUdpPort()}`
    const options = 'localaddr=127.0.0.1&fifo_size=56000&overrun_nonfatal=1&buffer_size=1048576'
    return {
      url,
      args: ['-i', `${url}?${options}`],
      start: () => startFfmpeg([...loop(clip), '-f', 'mpegts', `${url}?pkt_size=1316`])
    }
  },
  async RTP({ clip }) {
    const url = `rtp://127.0.0.1:${await freeUdpPort()}`
    return {
      url,
      args: ['-i', `${url}?localaddr=127.0.0.1&buffer_size=1048576`],
      start: () => startFfmpeg([...loop(clip), '-f', 'rtp_mpegts', `${url}?pkt_size=1328`])
    }
  },
  async SRT({ clip }) {
    const url = `srt://127.0.0.1:${await freeUdpPort()}`
    return {
      url: `${url}?mode=listener`,
      args: ['-i', `${url}?mode=listener`],
      start: () => startFfmpeg([...loop(clip), '-f', 'mpegts', `${url}?mode=caller&pkt_size=1316`])
    }
  },
  async RTMP({ clip }) {
    const url = `rtmp://127.0.0.1:${await freeTcpPort()}/live/x`
    startFfmpeg([...loop(clip), '-f', 'flv', '-listen', '1', url])
    return { url, args: ['-rtmp_live', 'live', '-i', url] }
  },
  async RTSP({ rtspUrl }) {
    const url = await rtspUrl()
    return { url: `${url}?mw-tcp-first=1`, args: ['-rtsp_transport', 'tcp', '-i', url] }
  },
  async HLS({ clip, fileServer }, number) {
    const name = `in-${number}`
    startFfmpeg([
      ...loop(clip),
      '-f',
      'hls',
      '-hls_time',
      '2',
      '-hls_flags',
      'delete_segments',
      join(peerFolder(name), 'live.m3u8')
    ])
    const url = `http://127.0.0.1:${address(fileServer)}/${name}/live.m3u8`
    return { url, args: ['-re', '-i', url] }
  }
}

const target = (port: number) => ({ 'dst-ip': '127.0.0.1', 'dst-port': port })
const TS = ['-map', '0', '-c', 'copy', '-f', 'mpegts']
/** Reads and drops a stream. */
const drop = (...args: string[]) => startFfmpeg([...args, '-map', '0', '-c', 'copy', '-f', 'null', '-'])

const TARGETS: Readonly<Record<Name, (bench: Bench, id: number) => Promise<Target>>> = {
  async UDP({ peer }, id) {
    const port = await freeUdpPort()
    startPeer(peer, ['count', port])
    const args = [...TS, `udp://127.0.0.1:${port}?pkt_size=1316`]
    return { output: { id, name: 'Out', protocol: UDP, config: target(port) }, args }
  },
  async RTP({ peer }, id) {
    const port = await freeUdpPort()
    startPeer(peer, ['count', port])
    const args = ['-map', '0', '-c', 'copy', '-f', 'rtp_mpegts', `rtp://127.0.0.1:${port}?pkt_size=1328`]
    return { output: { id, name: 'Out', protocol: RTP, config: target(port) }, args }
  },
  async SRT(_, id) {
    const port = await freeUdpPort()
    drop('-f', 'data', '-i', `srt://127.0.0.1:${port}?mode=listener`)
    const output: WantedOutput = {
      id,
      name: 'Out',
      protocol: SRT,
      config: { mode: 'caller', ...target(port), latency: 120 }
    }
    return { output, args: [...TS, `srt://127.0.0.1:${port}?mode=caller&pkt_size=1316`] }
  },
  async RTMP(_, id) {
    const port = await freeTcpPort()
    drop('-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/k`)
    const output: WantedOutput = {
      id,
      name: 'Out',
      protocol: RTMP,
      config: { url: `rtmp://127.0.0.1:${port}/live`, key: 'k' }
    }
    return { output, args: ['-c', 'copy', '-f', 'flv', `rtmp://127.0.0.1:${port}/live/k`] }
  },
  async RTSP(_, id) {
    const [port, push] = [await freeTcpPort(), await freeTcpPort()]
    // ffmpeg cannot serve RTSP, so it pushes to a server.
    drop('-rtsp_flags', 'listen', '-i', `rtsp://127.0.0.1:${push}/x`)
    return {
      output: { id, name: 'Out', protocol: RTSP, config: { port, key: 'eye' } },
      args: ['-map', '0', '-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp', `rtsp://127.0.0.1:${push}/x`],
      play: () => drop('-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${port}/eye`)
    }
  },
  async HLS(_, id) {
    const path = join(peerFolder(`out-${id}`), 'live.m3u8')
    const options = ['-hls_time', '2', '-hls_list_size', '5', '-hls_flags', 'delete_segments']
    return {
      output: { id, name: 'Out', protocol: HTTP, config: { key: `web-${id}`, 'seg-duration': 2, 'seg-count': 5 } },
      args: ['-map', '0', '-c', 'copy', '-f', 'hls', ...options, path]
    }
  }
}

/** Percent of one core per channel. */
interface Usage {
  ours: number
  reference: number
  /** What the pair costs at least; only for SRT to SRT. */
  floor?: number
}

/** Starts the minimal program as another channel from SRT to SRT. */
async function startSrtFloor(bench: Bench, program: string, number: number) {
  const source = await SOURCES.SRT(bench, number)
  const { output } = await TARGETS.SRT(bench, 100 * (number + 1))
  const { 'dst-port': to } = output.config as { 'dst-port': number }
  const process = startPeer(program, [new URL(source.url).port, to])
  return { process, start: () => source.start?.() }
}

/** Measures all at once, so that other load on the machine affects all. */
async function measurePair(bench: Bench, from: Name, to: Name): Promise<Usage> {
  const channels: WantedChannel[] = []
  const starts: (() => void)[] = []
  const plays: (() => void)[] = []
  const ffmpegs: ChildProcess[] = []
  const floors: ChildProcess[] = []
  const floor = from === 'SRT' && to === 'SRT' ? compileSrtFloor() : undefined
  for (let number = 0; number < CHANNELS; number++) {
    const id = 100 * (number + 1)
    const ours = await SOURCES[from](bench, number)
    const theirs = await SOURCES[from](bench, CHANNELS + number)
    const [ourTarget, theirTarget] = [await TARGETS[to](bench, id + 1), await TARGETS[to](bench, id + 51)]
    channels.push(channel(id, urlInput(id + 2, ours.url), [ourTarget.output]))
    starts.push(() => {
      ours.start?.()
      theirs.start?.()
    })
    if (ourTarget.play) plays.push(ourTarget.play)
    // ffmpeg that pulls needs its source first.
    const begin = () => ffmpegs.push(startFfmpeg([...theirs.args, ...theirTarget.args]))
    if (theirs.start) begin()
    else starts.push(begin)
    if (!floor) continue
    const minimal = await startSrtFloor(bench, floor, 2 * CHANNELS + number)
    floors.push(minimal.process)
    starts.push(minimal.start)
  }
  await wait(from === 'HLS' ? SETTLE : 1000)
  const engine = startEngine(channels)
  await wait(1500)
  for (const start of starts) start()
  await wait(SETTLE / 2)
  for (const play of plays) play()
  await wait(SETTLE / 2)
  await wait(WARM_UP)
  const sample = () => ({
    at: performance.now(),
    ours: processTreeOf(engine.pid ?? 0).reduce((sum, pid) => sum + preciseCpuSecondsOf(pid), 0),
    theirs: ffmpegs.reduce((sum, { pid = 0 }) => sum + preciseCpuSecondsOf(pid), 0),
    minimal: floors.reduce((sum, { pid = 0 }) => sum + preciseCpuSecondsOf(pid), 0)
  })
  const sentBefore = await sentBytes(engine)
  const before = sample()
  const detail = processTreeOf(engine.pid ?? 0).map((pid) => [pid, preciseCpuSecondsOf(pid)] as const)
  await wait(SECONDS * 1000)
  const after = sample()
  if (process.env.DETAIL)
    for (const [pid, used] of detail)
      console.log(
        pid,
        (((preciseCpuSecondsOf(pid) - used) / SECONDS) * 100).toFixed(2),
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 150)
      )
  const references = [...ffmpegs, ...floors]
  const ended = references.filter(({ exitCode }) => exitCode !== null).length
  const kbps = ((await sentBytes(engine)) - sentBefore) / 125 / SECONDS / CHANNELS
  await endEngine(engine)
  if (kbps < RATE / 2) throw new Error(`${from} to ${to}: the channels sent ${Math.round(kbps)} kbit/s`)
  if (ended > 0) throw new Error(`${from} to ${to}: ${ended} reference processes have ended`)
  const percent = 100_000 / (after.at - before.at) / CHANNELS
  return {
    ours: (after.ours - before.ours) * percent,
    reference: (after.theirs - before.theirs) * percent,
    ...(floor && { floor: (after.minimal - before.minimal) * percent })
  }
}

/** One row for each pair. */
export async function measurePairs(): Promise<Measurement[]> {
  const wanted = process.env.STREAM_PAIRS?.split(' ')
  const rows: Measurement[] = []
  for (const from of NAMES) {
    for (const to of NAMES) {
      const name = `${from}-${to}`
      if (wanted && !wanted.includes(name)) continue
      const bench = await createBench(to)
      const most = Math.max(LIMITS[from], LIMITS[to])
      const failed: Usage = { ours: Number.NaN, reference: Number.NaN }
      const { floor, ...values } = await measurePair(bench, from, to)
        .catch((error: Error) => {
          // A pair that cannot be measured misses its limit.
          console.error(`${name}: ${error.message}`)
          return failed
        })
        .finally(() => bench.close())
      rows.push({ name: `${from} to ${to}, CPU per channel`, unit: '%', referenceName: 'ffmpeg', ...values, most })
      if (floor !== undefined) {
        const { reference } = values
        const floorName = `${from} to ${to}, CPU of the minimal program`
        rows.push({ name: floorName, unit: '%', referenceName: 'ffmpeg', ours: floor, reference })
      }
      console.log(`${from} to ${to}: ${values.ours.toFixed(2)} % against ${values.reference.toFixed(2)} %`)
    }
  }
  return rows
}
