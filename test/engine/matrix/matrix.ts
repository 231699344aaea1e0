// Every kind of input to every kind of output, for real on the loopback: one channel brings one input to all outputs at once, and each of
// them is looked at by ffprobe, which knows nothing of the hub.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type * as uvu from 'uvu'
import { CONNECTION, HTTP, RTMP, RTP, RTSP, SOURCE, SRT, UDP } from '../../../contract/stream/protocols.ts'
import type { WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { createHls } from '../../../hub/http/hls.ts'
import { listen } from '../../../hub/http/server.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/free-port.ts'
import { createBench } from '../bench.ts'
import { clip, endAll, type Running, run, until } from '../media.ts'
import { source } from '../wanted.ts'

/** Seconds of each output that are looked at. */
const SECONDS = 1.5

export type InputKind = 'device' | 'SRT caller' | 'SRT listener' | 'UDP' | 'RTP' | 'RTSP' | 'RTMP' | 'HTTP' | 'HLS'

/** Somebody who sends: the URL of the input, and what is begun when the hub listens. */
interface Sender {
  url: string
  begin?(): void
}

/** Seconds for which everybody sends. Not in a loop: where it begins again ffmpeg repeats a time. */
const LONG = 50

/** Sends a clip once. */
const sends = (format: string, ...target: string[]) =>
  run(['-v', 'error', '-re', '-i', clip(LONG), '-c', 'copy', '-f', format, ...target])

/** @param kinds what is brought, all at the same time */
export async function createMatrix(kinds: readonly InputKind[]) {
  clip(LONG)
  const bench = createBench({
    async order(_, { port, passphrase, 'stream-id': id }) {
      sends('mpegts', '-passphrase', passphrase, '-srt_streamid', id, `srt://127.0.0.1:${port}?pkt_size=1316`)
    },
    async endOrder() {}
  })
  const hls = createHls(bench.engine)
  const none = () => new Response('none', { status: 404 })
  const web = await listen(
    async (request, { address }) => hls(request, address) ?? none(),
    () => {},
    0,
    '127.0.0.1'
  )
  const folder = mkdtempSync(join(tmpdir(), 'headend-matrix-'))
  /** A web server that is none of the hub's, for playlists that ffmpeg writes. */
  const files = createServer((request, response) => {
    try {
      response.end(readFileSync(join(folder, basename(request.url ?? ''))))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))

  const SENDERS: Record<Exclude<InputKind, 'device'>, () => Promise<Sender>> = {
    async 'SRT caller'() {
      const at = `srt://127.0.0.1:${await freeUdpPort()}`
      sends('mpegts', '-passphrase', '0123456789', `${at}?mode=listener&pkt_size=1316`)
      return { url: `${at}?mode=caller&passphrase=0123456789&latency=80` }
    },
    async 'SRT listener'() {
      const at = `srt://127.0.0.1:${await freeUdpPort()}`
      const begin = () => sends('mpegts', '-srt_streamid', 'hall', `${at}?pkt_size=1316`)
      return { url: `${at}?mode=listener&streamid=hall`, begin }
    },
    async UDP() {
      const url = `udp://127.0.0.1:${await freeUdpPort()}`
      return { url, begin: () => sends('mpegts', `${url}?pkt_size=1316`) }
    },
    async RTP() {
      const url = `rtp://127.0.0.1:${await freeUdpPort()}`
      return { url, begin: () => sends('rtp_mpegts', `${url}?pkt_size=1316`) }
    },
    async RTSP() {
      // Nothing but the hub serves RTSP here: another channel of it, whose output ffprobe has looked at.
      const port = await freeTcpPort()
      const output = { id: 901, name: 'Eye', protocol: RTSP, config: { port, key: 'eye' } } as const
      const input = { id: 900, name: 'Other', kind: 'device', sn: 'RTSP' } as const
      bench.engine.apply({ id: 900, name: 'Other', enable: true, input, outputs: [output] })
      await bench.reaches(900, CONNECTION.connected)
      return { url: `rtsp://127.0.0.1:${port}/eye?mw-tcp-first=1` }
    },
    async RTMP() {
      const url = `rtmp://127.0.0.1:${await freeTcpPort()}/live/x`
      // ffmpeg serves one player when it listens as an output.
      sends('flv', '-listen', '1', url)
      return { url }
    },
    async HTTP() {
      const url = `http://127.0.0.1:${await freeTcpPort()}/live.ts`
      sends('mpegts', '-listen', '1', url)
      return { url }
    },
    async HLS() {
      const list = join(folder, 'live.m3u8')
      sends('hls', '-hls_time', '1', '-hls_list_size', '4', list)
      await until('a playlist', () => text(list).split('.ts').length > 2)
      return { url: `http://127.0.0.1:${(files.address() as { port: number }).port}/live.m3u8` }
    }
  }

  async function inputOf(kind: InputKind, id: number): Promise<{ input: WantedInput; begin?: () => void }> {
    if (kind === 'device') return { input: { id, name: 'Camera', kind: 'device', sn: 'A1' } }
    const sender = await SENDERS[kind]()
    return { input: source(id, sender.url, kind), ...(sender.begin && { begin: sender.begin }) }
  }

  /** Brings an input to all outputs, and looks at each. */
  async function cross(kind: InputKind, id: number): Promise<void> {
    const [rtmp, rtsp] = [await freeTcpPort(), await freeTcpPort()]
    const [call, served, udp, rtp] = [
      await freeUdpPort(),
      await freeUdpPort(),
      await freeUdpPort(),
      await freeUdpPort()
    ]
    const to = (port: number) => ({ 'dst-ip': '127.0.0.1', 'dst-port': port })
    const outputs: WantedOutput[] = [
      { id: id + 1, name: 'RTMP', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: 'k' } },
      { id: id + 2, name: 'SRT caller', protocol: SRT, config: { mode: 'caller', ...to(call), bandwidth: 25 } },
      { id: id + 3, name: 'SRT listener', protocol: SRT, config: { mode: 'listener', 'bind-port': served } },
      { id: id + 4, name: 'UDP', protocol: UDP, config: to(udp) },
      { id: id + 5, name: 'RTP', protocol: RTP, config: to(rtp) },
      { id: id + 6, name: 'RTSP', protocol: RTSP, config: { port: rtsp, key: 'eye' } },
      { id: id + 7, name: 'HLS', protocol: HTTP, config: { key: `web-${id}`, 'seg-duration': 1, 'seg-count': 3 } }
    ]
    // Those that are sent to are there first.
    const seen = new Map<string, Running>([
      // What ffmpeg carried is heard of twice a second, while somebody takes it: who is served the past at once must stay for a while.
      ['RTMP', probe(`rtmp://127.0.0.1:${rtmp}/live/k`, '-listen', '1', '-read_intervals', `%+${2 * SECONDS}`)],
      ['SRT caller', probe(`srt://127.0.0.1:${call}?mode=listener`)],
      ['UDP', probe(`udp://127.0.0.1:${udp}?timeout=20000000`)],
      ['RTP', probe(`rtp://127.0.0.1:${rtp}`)]
    ])
    const { input, begin } = await inputOf(kind, id)
    bench.engine.apply({ id, name: kind, enable: true, input, outputs })
    if (begin) {
      await until(`${kind} is awaited`, () => bench.engine.observe(id).state === SOURCE.running)
      begin()
    }
    await bench.reaches(id, CONNECTION.connected)
    seen.set('SRT listener', probe(`srt://127.0.0.1:${served}`))
    seen.set('RTSP', probe(`rtsp://127.0.0.1:${rtsp}/eye`, '-rtsp_transport', 'tcp'))
    await until('a segment', () => bench.engine.shelves.get(`web-${id}`)?.playlist() !== undefined)
    seen.set('HLS', probe(`http://127.0.0.1:${web.port}/hls/web-${id}/index.m3u8`))
    await Promise.all([...seen].map(([name, running]) => judge(`${kind} to ${name}`, running)))
    for (const output of outputs) {
      const bytes = bench.engine.counted(id).outputs.get(output.id) ?? 0
      assert.ok(bytes > 10_000, `${kind} to ${output.name}: ${bytes} bytes are counted`)
    }
    bench.engine.remove(id)
  }

  const crossings = new Map(kinds.map((kind, at) => [kind, cross(kind, 100 * (at + 1))]))
  // Each is awaited by its test; it may fail before.
  for (const crossing of crossings.values()) crossing.catch(() => {})

  return {
    crossed: (kind: InputKind) => crossings.get(kind),
    async close(): Promise<void> {
      await bench.engine.close()
      await web.close()
      files.closeAllConnections()
      files.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What ffprobe sees of an output: its streams, and the times of their packets. */
function probe(url: string, ...options: string[]): Running {
  return run(
    [
      ...['-v', 'error', '-probesize', '200000', '-analyzeduration', '1000000', '-read_intervals', `%+${SECONDS}`],
      ...['-show_entries', 'stream=index,codec_name,codec_type:packet=stream_index,dts_time', '-of', 'csv'],
      ...[...options, url]
    ],
    'ffprobe'
  )
}

/** Video and sound, as long as was looked, with times that only grow. */
async function judge(cell: string, running: Running): Promise<void> {
  await Promise.race([
    running.done,
    until(
      () => `${cell}: ${running.text().slice(-500)}`,
      () => !running.running(),
      25_000
    )
  ])
  const said = running.text()
  const packets = [...said.matchAll(/^packet,(\d+),([\d.-]+)/gm)].map(([, stream, time]) => [
    Number(stream),
    Number(time)
  ])
  for (const [type, codec] of [
    ['video', 'h264'],
    ['audio', 'aac']
  ] as const) {
    const [, index] = new RegExp(`^stream,(\\d+),${codec},${type}`, 'm').exec(said) ?? []
    assert.ok(index !== undefined, `${cell}: no ${type}: ${said.slice(-500)}`)
    const times = packets.filter(([stream]) => stream === Number(index)).map(([, time]) => time ?? 0)
    const grows = times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))
    assert.ok(grows, `${cell}: the times of ${type} go back: ${times.join(' ')}`)
    const length = (times.at(-1) ?? 0) - (times[0] ?? 0)
    assert.ok(length > SECONDS * 0.6 && length < SECONDS * 3, `${cell}: ${length} s of ${type}: ${times.join(' ')}`)
  }
}

/**
 * Opens a matrix before the tests of a suite and closes it after them.
 * @returns tests what comes in one of these ways
 */
export function openMatrix(test: uvu.Test, kinds: readonly InputKind[]): (kind: InputKind) => Promise<void> {
  let matrix: Awaited<ReturnType<typeof createMatrix>>
  test.before(async () => {
    matrix = await createMatrix(kinds)
  })
  test.after(async () => {
    await matrix.close()
    await endAll()
  })
  return async (kind) => matrix.crossed(kind)
}
