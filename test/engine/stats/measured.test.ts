// What is said of legs without SRT, beside what went over the wire.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import type { LegReport } from '../../../contract/stream/channel-history.ts'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../../contract/stream/source-url.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach } from '../bench.ts'
import { createPath, type Path } from '../lossy-path.ts'
import { clip, run, until } from '../media.ts'

const test = suite('measured')

let path: Path | undefined

benchForEach(test)
test.after.each(() => {
  path?.close()
  path = undefined
})

function listen(scheme: 'udp' | 'rtp', port: number): void {
  const url: SourceUrl = { protocol: scheme === 'udp' ? 4 : 8, scheme, host: '127.0.0.1', port, path: '' }
  const input = { id: 10, name: 'Near', kind: 'url', url } as const
  bench.engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs: [] })
}

const report = (): LegReport => {
  const made = bench.engine.figures(1)?.report(0)
  if (!made) throw new Error('nothing was measured')
  return made
}

const send = (format: string, target: string) =>
  run([...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', format], target])

/** What ffmpeg finds to be missing in a stream, which it is given only once. */
function gapsIn(stream: Buffer): number {
  const args = ['-v', 'debug', '-f', 'mpegts', '-i', 'pipe:0', '-map', '0', '-c', 'copy', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', args, { input: stream, maxBuffer: 1 << 26 })
  return stderr.toString().match(/Continuity check failed/g)?.length ?? 0
}

test('over UDP bytes, the seconds they came in and gaps are those of the datagrams that came', async () => {
  const port = await freeUdpPort()
  listen('udp', port)
  const passed: Buffer[] = []
  let bytes = 0
  path = await createPath({
    to: port,
    nth: 20,
    isMedia: () => true,
    passed(datagram) {
      passed.push(datagram)
      bytes += datagram.length
    }
  })
  const sender = send('mpegts', `udp://127.0.0.1:${path.port}?pkt_size=1316`)
  await bench.reaches(1, CONNECTION.connected)
  await until('ten datagrams were lost', () => (path?.lost ?? 0) >= 10)
  await sender.kill()
  let sum = 0
  await until('all was counted', () => {
    const { columns } = bench.engine.figures(1)?.history({ span: 60, fields: ['kbps'] }, performance.now()) ?? {}
    sum = (columns?.kbps ?? []).reduce<number>((all, kbps) => all + (kbps ?? 0) * 125, 0)
    return sum >= 0.97 * bench.engine.counted(1).input
  })
  const said = { ...report(), bytes: bench.engine.counted(1).input }
  assert.ok(Math.abs(said.bytes - bytes) <= 0.05 * bytes, `${said.bytes} bytes said, ${bytes} passed`)
  const gaps = gapsIn(Buffer.concat(passed))
  assert.ok(gaps >= 10, `${gaps} gaps`)
  const found = said['ts-cc-errors-total'] ?? 0
  assert.ok(Math.abs(found - gaps) <= 1, `${found} of ${gaps} gaps`)
  assert.deepEqual([said['rtt-ms'], said['pkt-loss-total'], said.packets], [undefined, undefined, undefined])
  assert.ok(Math.abs(sum - said.bytes) <= 0.05 * said.bytes, `${sum} bytes in the history of ${said.bytes}`)
})

test('a backup has figures of its own, for as long as it is one', async () => {
  const ports = [await freeUdpPort(), await freeUdpPort()] as const
  const input = (id: number, port: number) => {
    const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port, path: '' } as const
    return { id, name: `In ${id}`, kind: 'url', url } as const
  }
  const channel = { id: 1, name: 'Stage', enable: true, input: input(10, ports[0]), outputs: [] }
  bench.engine.apply({ ...channel, backups: [input(11, ports[1])] })
  send('mpegts', `udp://127.0.0.1:${ports[1]}?pkt_size=1316`)
  const bytes = (leg?: number) => bench.engine.figures(1, leg)?.report(0).bytes ?? 0
  await until('the backup is measured', () => bytes(11) > 50_000)
  assert.equal(bytes(), 0)
  await until('it is on air and heard', () => bench.engine.level(1)?.backup === 11, 20_000)
  bench.engine.apply(channel)
  assert.equal(bench.engine.figures(1, 11), undefined)
})

test('over RTP lost packets are those whose numbers did not come', async () => {
  const port = await freeUdpPort()
  listen('rtp', port)
  path = await createPath({ to: port, nth: 15, isMedia: () => true })
  send('rtp_mpegts', `rtp://127.0.0.1:${path.port}?pkt_size=1328&rtcpport=${await freeUdpPort()}`)
  await bench.reaches(1, CONNECTION.connected)
  const [before, from] = [report()['pkt-loss-total'] ?? 0, path.lost]
  await until(
    () => `twenty lost packets: ${JSON.stringify(report())}`,
    () => (path?.lost ?? 0) >= from + 20
  )
  const lost = path.lost - from
  await until(
    () => `they are told: ${JSON.stringify(report())}`,
    () => (report()['pkt-loss-total'] ?? 0) - before >= lost * 0.95
  )
  const { 'pkt-loss-total': all = 0 } = report()
  assert.ok(all <= path.lost * 1.05 + 1, `${all} of ${path.lost}`)
  assert.equal(report()['ts-cc-errors-total'], undefined)
})

test.run()
