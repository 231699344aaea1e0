// The seam where a backup takes over, as a receiver of the output sees it.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CONNECTION_STATE, UDP } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('switch seams')
fixtureForEach(test)

const PACKET_BYTES = 188

/** Counts, by PID, the packets with a discontinuity indicator, and gaps of the continuity counter without one. */
function inspect(bytes: Buffer): { indicators: Map<number, number>; gaps: number } {
  const counters = new Map<number, number>()
  const indicators = new Map<number, number>()
  let gaps = 0
  for (let offset = 0; offset + PACKET_BYTES <= bytes.length; offset += PACKET_BYTES) {
    const packet = bytes.subarray(offset, offset + PACKET_BYTES)
    const pid = packet.readUInt16BE(1) & 0x1fff
    const control = packet[3] ?? 0
    const isMarked = (control & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x80) !== 0
    if (isMarked) indicators.set(pid, (indicators.get(pid) ?? 0) + 1)
    const expected = ((counters.get(pid) ?? control) + ((control & 0x10) === 0 ? 0 : 1)) & 15
    if (pid !== 0x1fff && counters.has(pid) && !isMarked && (control & 15) !== expected) gaps++
    counters.set(pid, control & 15)
  }
  return { indicators, gaps }
}

test('where a backup takes over, each track has a discontinuity indicator, and no counter has a gap', async () => {
  const [main, backup] = [await freeUdpPort(), await freeUdpPort()]
  const received: Buffer[] = []
  const target = createSocket('udp4', (data) => received.push(data)).bind(0, '127.0.0.1')
  await once(target, 'listening')
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': target.address().port }
  const sender = sendClip('mpegts', `udp://127.0.0.1:${main}?pkt_size=1316`)
  fixture.engine.apply({
    ...channel(1, urlInput(2, `udp://127.0.0.1:${main}`), [{ id: 11, name: 'Out', protocol: UDP, config }]),
    backups: [urlInput(3, `udp://127.0.0.1:${backup}`)],
    switch: { 'after-s': 2, back: 'never', 'back-after-s': 30 }
  })
  const onAir = () => fixture.engine.observe(1).onAir?.inputId
  await until(() => onAir() === 2 && received.length > 50, 'the main input is on air')
  // On a loaded machine, a backup that begins at the same time would be put on air instead.
  sendClip('mpegts', `udp://127.0.0.1:${backup}?pkt_size=1316`)
  const backupState = () => fixture.engine.observe(1).backups?.get(3)?.connState
  await until(() => backupState() === CONNECTION_STATE.connected, 'the backup has media')
  await sender.kill()
  await until(() => onAir() === 3, 'the backup is on air')
  const before = received.length
  await until(() => received.length > before + 50, 'the backup arrives')
  target.close()
  const { indicators, gaps } = inspect(Buffer.concat(received))
  assert.equal(gaps, 0)
  assert.ok((indicators.get(256) ?? 0) >= 1 && (indicators.get(257) ?? 0) >= 1, JSON.stringify([...indicators]))
})

test('where an operator switches between inputs with media, no counter has a gap', async () => {
  const [main, backup] = [await freeUdpPort(), await freeUdpPort()]
  const received: Buffer[] = []
  const target = createSocket('udp4', (data) => received.push(data)).bind(0, '127.0.0.1')
  await once(target, 'listening')
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': target.address().port }
  sendClip('mpegts', `udp://127.0.0.1:${main}?pkt_size=1316`)
  sendClip('mpegts', `udp://127.0.0.1:${backup}?pkt_size=1316`)
  const wanted = {
    ...channel(1, urlInput(2, `udp://127.0.0.1:${main}`), [{ id: 11, name: 'Out', protocol: UDP, config }]),
    backups: [urlInput(3, `udp://127.0.0.1:${backup}`)],
    switch: { 'after-s': 2, back: 'first' as const, 'back-after-s': 5 }
  }
  fixture.engine.apply(wanted)
  const onAir = () => fixture.engine.observe(1).onAir?.inputId
  const isActive = () => fixture.engine.observe(1).backups?.get(3)?.connState === CONNECTION_STATE.connected
  await until(() => onAir() === 2 && isActive() && received.length > 50, 'both inputs have media')
  for (const [index, input] of [3, 2, 3].entries()) {
    fixture.engine.apply({ ...wanted, hold: { input, version: index } })
    await until(() => onAir() === input, `${input} is on air`)
    const before = received.length
    await until(() => received.length > before + 50, 'it arrives')
  }
  target.close()
  assert.equal(inspect(Buffer.concat(received)).gaps, 0)
})

test.run()
