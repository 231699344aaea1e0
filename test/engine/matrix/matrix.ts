// The matrix of every kind of input to every kind of output, with real streams on the loopback interface. One channel
// passes one input to all outputs at once, and ffprobe, which shares no code with the hub, checks each output.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type * as uvu from 'uvu'
import { CONNECTION_STATE, HTTP, RTMP, RTP, RTSP, SOURCE_STATE, SRT, UDP } from '../../../contract/stream/protocols.ts'
import type { WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { createHlsHandler } from '../../../hub/http/hls.ts'
import type { HttpServer } from '../../../web-server/server.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import { hlsFilesOf } from '../../kit/engine/hls-fetch.ts'
import { cleanUpMedia, clipPath, type RunningProcess, runProcess } from '../../kit/engine/media.ts'
import { urlInput } from '../../kit/engine/wanted-channels.ts'
import { serve } from '../../kit/hub/web-server.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

/** Seconds of each output that ffprobe reads. */
const PROBE_SECONDS = 1.5

/**
 * Seconds of the clip that all senders send once. They do not loop, because ffmpeg repeats a timestamp at the start of
 * a loop.
 */
const CLIP_SECONDS = 50

export type InputKind = 'device' | 'SRT caller' | 'SRT listener' | 'UDP' | 'RTP' | 'RTSP' | 'RTMP' | 'HTTP' | 'HLS'

/**
 * The URL of an input, and a function that starts its sender once the hub listens. Senders that listen themselves are
 * already running.
 */
interface Sender {
  url: string
  start?(): void
}

const sendLongClip = (format: string, ...target: string[]) =>
  runProcess(['-v', 'error', '-re', '-i', clipPath(CLIP_SECONDS), '-c', 'copy', '-f', format, ...target])

class Matrix {
  readonly #fixture: EngineFixture
  readonly #hlsServer: HttpServer
  /** A web server outside the hub, for the HLS playlists that ffmpeg writes. */
  readonly #fileServer: Server
  readonly #folder: string

  constructor(fixture: EngineFixture, hlsServer: HttpServer, fileServer: Server, folder: string) {
    this.#fixture = fixture
    this.#hlsServer = hlsServer
    this.#fileServer = fileServer
    this.#folder = folder
  }

  async close(): Promise<void> {
    await this.#fixture.engine.close()
    await this.#hlsServer.close()
    this.#fileServer.closeAllConnections()
    this.#fileServer.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Passes an input to all outputs, and checks each of them. */
  async testInput(kind: InputKind, id: number): Promise<void> {
    const { engine, waitForState } = this.#fixture
    const ports = await freeOutputPorts()
    const outputs = outputsOf(id, ports)
    // Receivers that listen must run before the outputs connect.
    const probes = new Map<string, RunningProcess>([
      // The engine reports the progress of ffmpeg twice a second while a receiver is connected. This receiver gets
      // buffered media at once, so it must read longer to be seen.
      ['RTMP', startRtmpProbe(ports.rtmp, 2 * PROBE_SECONDS)],
      ['SRT caller', startProbe(`srt://127.0.0.1:${ports.srtCaller}?mode=listener`)],
      ['UDP', startProbe(`udp://127.0.0.1:${ports.udp}?timeout=20000000`)],
      ['RTP', startProbe(`rtp://127.0.0.1:${ports.rtp}`)]
    ])
    const { input, start } = await this.#createInput(kind, id)
    engine.apply({ id, name: kind, enable: true, input, outputs })
    if (start) {
      await until(() => engine.observe(id).state === SOURCE_STATE.running, `the ${kind} input listens`)
      start()
    }
    await waitForState(id, CONNECTION_STATE.connected)
    probes.set('SRT listener', startProbe(`srt://127.0.0.1:${ports.srtListener}`))
    probes.set('RTSP', startProbe(`rtsp://127.0.0.1:${ports.rtsp}/eye`, '-rtsp_transport', 'tcp'))
    await until(() => engine.hlsStores.get(`web-${id}`)?.playlist() !== undefined, 'there is an HLS segment')
    probes.set('HLS', startProbe(`http://127.0.0.1:${this.#hlsServer.port}/hls/web-${id}/index.m3u8`))
    await Promise.all([...probes].map(([name, probe]) => checkProbe(`${kind} to ${name}`, probe)))
    for (const output of outputs) {
      const bytes = () => engine.byteTotals(id).outputs.get(output.id) ?? 0
      // On a busy machine ffprobe can read buffered media and leave before bytes are counted. The output connects to
      // the next one.
      for (let seconds = 4 * PROBE_SECONDS; output.protocol === RTMP && bytes() <= 10_000; seconds *= 2)
        await startRtmpProbe(ports.rtmp, seconds).exited
      await until(
        () => bytes() > 10_000,
        () => `${kind} to ${output.name}: only ${bytes()} bytes are counted`
      )
    }
    engine.remove(id)
  }

  async #createInput(kind: InputKind, id: number): Promise<{ input: WantedInput; start?: () => void }> {
    if (kind === 'device') return { input: { id, name: 'Camera', kind: 'device', sn: 'A1' } }
    const { url, start } = await this.#createSender(kind)
    return { input: urlInput(id, url, kind), ...(start && { start }) }
  }

  #createSender(kind: Exclude<InputKind, 'device'>): Promise<Sender> {
    switch (kind) {
      case 'RTSP':
        return this.#createRtspSender()
      case 'HLS':
        return this.#createHlsSender()
      default:
        return SENDERS[kind]()
    }
  }

  /**
   * Uses the RTSP output of another channel of the same engine, which ffprobe checks too: no other program here serves
   * RTSP.
   */
  async #createRtspSender(): Promise<Sender> {
    const port = await freeTcpPort()
    const output = { id: 901, name: 'Eye', protocol: RTSP, config: { port, key: 'eye' } } as const
    const input = { id: 900, name: 'Other', kind: 'device', sn: 'RTSP' } as const
    this.#fixture.engine.apply({ id: 900, name: 'Other', enable: true, input, outputs: [output] })
    await this.#fixture.waitForState(900, CONNECTION_STATE.connected)
    return { url: `rtsp://127.0.0.1:${port}/eye?mw-tcp-first=1` }
  }

  async #createHlsSender(): Promise<Sender> {
    const playlist = join(this.#folder, 'live.m3u8')
    sendLongClip('hls', '-hls_time', '1', '-hls_list_size', '4', playlist)
    await until(() => readText(playlist).split('.ts').length > 2, 'there is a playlist')
    return { url: `http://127.0.0.1:${(this.#fileServer.address() as { port: number }).port}/live.m3u8` }
  }
}

const SENDERS: Record<Exclude<InputKind, 'device' | 'RTSP' | 'HLS'>, () => Promise<Sender>> = {
  async 'SRT caller'() {
    const url = `srt://127.0.0.1:${await freeUdpPort()}`
    sendLongClip('mpegts', '-passphrase', '0123456789', `${url}?mode=listener&pkt_size=1316`)
    return { url: `${url}?mode=caller&passphrase=0123456789&latency=80` }
  },
  async 'SRT listener'() {
    const url = `srt://127.0.0.1:${await freeUdpPort()}`
    const start = () => sendLongClip('mpegts', '-srt_streamid', 'hall', `${url}?pkt_size=1316`)
    return { url: `${url}?mode=listener&streamid=hall`, start }
  },
  async UDP() {
    const url = `udp://127.0.0.1:${await freeUdpPort()}`
    return { url, start: () => sendLongClip('mpegts', `${url}?pkt_size=1316`) }
  },
  async RTP() {
    const url = `rtp://127.0.0.1:${await freeUdpPort()}`
    return { url, start: () => sendLongClip('rtp_mpegts', `${url}?pkt_size=1316`) }
  },
  async RTMP() {
    const url = `rtmp://127.0.0.1:${await freeTcpPort()}/live/x`
    // ffmpeg serves one player when it listens as an output.
    sendLongClip('flv', '-listen', '1', url)
    return { url }
  },
  async HTTP() {
    const url = `http://127.0.0.1:${await freeTcpPort()}/live.ts`
    sendLongClip('mpegts', '-listen', '1', url)
    return { url }
  }
}

interface OutputPorts {
  rtmp: number
  rtsp: number
  srtCaller: number
  srtListener: number
  udp: number
  rtp: number
}

async function freeOutputPorts(): Promise<OutputPorts> {
  return {
    rtmp: await freeTcpPort(),
    rtsp: await freeTcpPort(),
    srtCaller: await freeUdpPort(),
    srtListener: await freeUdpPort(),
    udp: await freeUdpPort(),
    rtp: await freeUdpPort()
  }
}

/** Returns an output of each kind, with IDs after that of the channel. */
function outputsOf(id: number, ports: OutputPorts): WantedOutput[] {
  const target = (port: number) => ({ 'dst-ip': '127.0.0.1', 'dst-port': port })
  return [
    { id: id + 1, name: 'RTMP', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${ports.rtmp}/live`, key: 'k' } },
    {
      id: id + 2,
      name: 'SRT caller',
      protocol: SRT,
      config: { mode: 'caller', ...target(ports.srtCaller), bandwidth: 25 }
    },
    { id: id + 3, name: 'SRT listener', protocol: SRT, config: { mode: 'listener', 'bind-port': ports.srtListener } },
    { id: id + 4, name: 'UDP', protocol: UDP, config: target(ports.udp) },
    { id: id + 5, name: 'RTP', protocol: RTP, config: target(ports.rtp) },
    { id: id + 6, name: 'RTSP', protocol: RTSP, config: { port: ports.rtsp, key: 'eye' } },
    { id: id + 7, name: 'HLS', protocol: HTTP, config: { key: `web-${id}`, 'seg-duration': 1, 'seg-count': 3 } }
  ]
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Starts a receiver to which an RTMP output connects. */
const startRtmpProbe = (port: number, seconds: number): RunningProcess =>
  startProbe(`rtmp://127.0.0.1:${port}/live/k`, '-listen', '1', '-read_intervals', `%+${seconds}`)

/** Starts an ffprobe that prints the streams of an output and the times of their packets. */
function startProbe(url: string, ...options: string[]): RunningProcess {
  return runProcess(
    [
      ...[
        '-v',
        'error',
        '-probesize',
        '200000',
        '-analyzeduration',
        '1000000',
        '-read_intervals',
        `%+${PROBE_SECONDS}`
      ],
      ...['-show_entries', 'stream=index,codec_name,codec_type:packet=stream_index,dts_time', '-of', 'csv'],
      ...[...options, url]
    ],
    'ffprobe'
  )
}

/** Checks that ffprobe has found video and audio of about the probed duration, with strictly increasing times. */
async function checkProbe(pair: string, probe: RunningProcess): Promise<void> {
  await Promise.race([
    probe.exited,
    until(
      () => !probe.isRunning(),
      () => `${pair} is probed: ${probe.output().slice(-500)}`
    )
  ])
  const output = probe.output()
  const packets = [...output.matchAll(/^packet,(\d+),([\d.-]+)/gm)].map(([, stream, time]) => [
    Number(stream),
    Number(time)
  ])
  for (const [type, codec] of [
    ['video', 'h264'],
    ['audio', 'aac']
  ] as const) {
    const [, index] = new RegExp(`^stream,(\\d+),${codec},${type}`, 'm').exec(output) ?? []
    assert.ok(index !== undefined, `${pair}: no ${type}: ${output.slice(-500)}`)
    const times = packets.filter(([stream]) => stream === Number(index)).map(([, time]) => time ?? 0)
    const isIncreasing = times.every((time, position) => position === 0 || time > (times[position - 1] ?? 0))
    assert.ok(isIncreasing, `${pair}: the times of ${type} do not increase: ${times.join(' ')}`)
    const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0)
    assert.ok(
      seconds > PROBE_SECONDS * 0.6 && seconds < PROBE_SECONDS * 3,
      `${pair}: ${seconds} s of ${type}: ${times.join(' ')}`
    )
  }
}

async function openMatrix(): Promise<Matrix> {
  clipPath(CLIP_SECONDS)
  const fixture = createFixture({
    async orderPush(_, { port, passphrase, 'stream-id': id }) {
      sendLongClip('mpegts', '-passphrase', passphrase, '-srt_streamid', id, `srt://127.0.0.1:${port}?pkt_size=1316`)
    },
    async cancelOrder() {}
  })
  const handleHls = createHlsHandler(hlsFilesOf(fixture.engine))
  const hlsServer = await serve((request, { address }) => handleHls(request, address))
  const folder = mkdtempSync(join(tmpdir(), 'headend-matrix-'))
  const fileServer = createServer((request, response) => {
    try {
      response.end(readFileSync(join(folder, basename(request.url ?? ''))))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => fileServer.listen(0, '127.0.0.1', resolve))
  return new Matrix(fixture, hlsServer, fileServer, folder)
}

/** Adds a test for each kind of input. All kinds run at the same time, from before the first test. */
export function addMatrixTests(test: uvu.Test, kinds: readonly InputKind[]): void {
  let matrix: Matrix
  let results: Map<InputKind, Promise<void>>
  test.before(async () => {
    matrix = await openMatrix()
    results = new Map(kinds.map((kind, index) => [kind, matrix.testInput(kind, 100 * (index + 1))]))
    // Each result is awaited by its test, which may start after the result has failed.
    for (const result of results.values()) result.catch(() => {})
  })
  test.after(async () => {
    await matrix.close()
    await cleanUpMedia()
  })
  for (const kind of kinds)
    test(`a ${kind} input reaches every output, with video, audio and increasing timestamps`, () => results.get(kind))
}
