// Statistics of legs without SRT, compared with the bytes sent over the network.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import type { LegReport } from '../../../contract/stream/channel-history.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../../contract/stream/source-url.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { createLossyPath, type LossyPath } from '../lossy-path.ts'

const test = suite('leg measurements')

let path: LossyPath | undefined

fixtureForEach(test)
test.after.each(() => {
  path?.close()
  path = undefined
})

function listen(scheme: 'udp' | 'rtp', port: number): void {
  const url: SourceUrl = { protocol: scheme === 'udp' ? 4 : 8, scheme, host: '127.0.0.1', port, path: '' }
  const input = { id: 10, name: 'Near', kind: 'url', url } as const
  fixture.engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs: [] })
}

const report = (): LegReport => {
  const legReport = fixture.engine.legStats(1)?.report(0)
  if (!legReport) throw new Error('The leg has no statistics')
  return legReport
}

const send = (format: string, target: string) =>
  runProcess([...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', format], target])

/** Counts the continuity gaps in a stream with ffmpeg. */
function countGaps(stream: Buffer): number {
  const args = ['-v', 'debug', '-f', 'mpegts', '-i', 'pipe:0', '-map', '0', '-c', 'copy', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', args, { input: stream, maxBuffer: 1 << 26 })
  return stderr.toString().match(/Continuity check failed/g)?.length ?? 0
}

test('bytes, history and continuity gaps of a UDP input match the datagrams that arrived', async () => {
  const startedAt = Date.now()
  const port = await freeUdpPort()
  listen('udp', port)
  const forwarded: Buffer[] = []
  let bytes = 0
  path = await createLossyPath({
    targetPort: port,
    loseEvery: 20,
    isMedia: () => true,
    onForward(datagram) {
      forwarded.push(datagram)
      bytes += datagram.length
    }
  })
  const sender = send('mpegts', `udp://127.0.0.1:${path.port}?pkt_size=1316`)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await until(() => (path?.lostPackets ?? 0) >= 10, 'ten datagrams are lost')
  await until(() => (report().transport?.['pcr-jitter-ms'] ?? 0) > 0, 'the jitter is measured')
  await sender.kill()
  let historyBytes = 0
  await until(() => {
    const { columns } = fixture.engine.legStats(1)?.history({ span: 60, fields: ['kbps'] }, performance.now()) ?? {}
    historyBytes = (columns?.kbps ?? []).reduce<number>((sum, kbps) => sum + (kbps ?? 0) * 125, 0)
    return historyBytes >= 0.97 * fixture.engine.byteTotals(1).input
  }, 'all bytes are counted')
  const values = { ...report(), bytes: fixture.engine.byteTotals(1).input }
  assert.ok(Math.abs(values.bytes - bytes) <= 0.05 * bytes, `${values.bytes} bytes reported, ${bytes} forwarded`)
  const gaps = countGaps(Buffer.concat(forwarded))
  assert.ok(gaps >= 10, `${gaps} gaps`)
  const reportedGaps = values['ts-cc-errors-total'] ?? 0
  assert.ok(Math.abs(reportedGaps - gaps) <= 1, `${reportedGaps} of ${gaps} gaps`)
  const { count: counted = 0, at = 0 } = values.transport?.errors.continuity ?? {}
  assert.equal(counted, reportedGaps)
  assert.ok(at >= startedAt && at <= Date.now(), `${at - startedAt} ms`)
  assert.deepEqual([values['rtt-ms'], values['pkt-loss-total'], values.packets], [undefined, undefined, undefined])
  assert.ok(
    Math.abs(historyBytes - values.bytes) <= 0.05 * values.bytes,
    `${historyBytes} bytes in the history of ${values.bytes}`
  )
})

test('a backup has its own statistics until it is removed', async () => {
  const ports = [await freeUdpPort(), await freeUdpPort()] as const
  const input = (id: number, port: number) => {
    const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port, path: '' } as const
    return { id, name: `In ${id}`, kind: 'url', url } as const
  }
  const channel = { id: 1, name: 'Stage', enable: true, input: input(10, ports[0]), outputs: [] }
  fixture.engine.apply({ ...channel, backups: [input(11, ports[1])] })
  send('mpegts', `udp://127.0.0.1:${ports[1]}?pkt_size=1316`)
  const bytes = (leg?: number) => fixture.engine.legStats(1, leg)?.report(0).bytes ?? 0
  await until(() => bytes(11) > 50_000, 'the backup is measured')
  assert.equal(bytes(), 0)
  await until(() => fixture.engine.audioLevel(1)?.backupId === 11, 'the backup is on air and its level is measured')
  fixture.engine.apply(channel)
  assert.equal(fixture.engine.legStats(1, 11), undefined)
})

test('lost packets of an RTP input are those with missing sequence numbers', async () => {
  const port = await freeUdpPort()
  listen('rtp', port)
  path = await createLossyPath({ targetPort: port, loseEvery: 15, isMedia: () => true })
  send('rtp_mpegts', `rtp://127.0.0.1:${path.port}?pkt_size=1328&rtcpport=${await freeUdpPort()}`)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const [before, from] = [report()['pkt-loss-total'] ?? 0, path.lostPackets]
  await until(
    () => (path?.lostPackets ?? 0) >= from + 20,
    () => `twenty packets are lost: ${JSON.stringify(report())}`
  )
  const lostPackets = path.lostPackets - from
  await until(
    () => (report()['pkt-loss-total'] ?? 0) - before >= lostPackets * 0.95,
    () => `they are reported: ${JSON.stringify(report())}`
  )
  const { 'pkt-loss-total': reportedLoss = 0 } = report()
  assert.ok(reportedLoss <= path.lostPackets * 1.05 + 1, `${reportedLoss} of ${path.lostPackets}`)
  // The packets of MPEG-TS pass unchanged, so each loss is also a gap in their continuity counters.
  const { 'ts-cc-errors-total': gaps = 0 } = report()
  assert.ok(gaps >= reportedLoss * 0.9, `${gaps} gaps`)
})

test.run()
