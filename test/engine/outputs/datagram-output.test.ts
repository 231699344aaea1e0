// UDP and RTP outputs, received by ffmpeg and by a plain socket.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTP, SOURCE_STATE, UDP } from '../../../contract/stream/protocols.ts'
import type { UdpOutput } from '../../../contract/stream/source.ts'
import { datagramPayloadBytes } from '../../../engine/legs/rtp.ts'
import { fixture, fixtureForEach, replaceFixture } from '../../kit/engine/engine-fixture.ts'
import { decodeFrames } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('datagram output')

let sockets: Socket[]
fixtureForEach(test)
test.before.each(() => {
  sockets = []
})
test.after.each(() => {
  for (const socket of sockets) socket.close()
})

function apply(protocol: typeof UDP | typeof RTP, config: UdpOutput): void {
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Out', protocol, config }]
  })
}

/** Collects the datagrams that arrive at a port, optionally of a multicast group. */
async function collectPackets(port: number, group?: string): Promise<Buffer[]> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  sockets.push(socket)
  const packets: Buffer[] = []
  socket.on('message', (packet) => packets.push(packet))
  await new Promise<void>((resolve) => socket.bind(port, group, resolve))
  if (group) socket.addMembership(group, '127.0.0.1')
  return packets
}

test('a datagram holds as many MPEG-TS packets as its MTU allows after the headers of the protocol', () => {
  assert.deepEqual([datagramPayloadBytes(UDP), datagramPayloadBytes(RTP)], [1316, 1316])
  assert.deepEqual([datagramPayloadBytes(UDP, 228), datagramPayloadBytes(RTP, 228)], [188, 188])
  assert.deepEqual([datagramPayloadBytes(UDP, 1344), datagramPayloadBytes(RTP, 1344)], [1316, 1128])
})

test('a UDP output carries the video', async () => {
  const port = await freeUdpPort()
  const decoding = decodeFrames(`udp://127.0.0.1:${port}?timeout=15000000`)
  apply(UDP, { 'dst-ip': '127.0.0.1', 'dst-port': port })
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  const decoded = await decoding
  assert.equal(decoded.codec, 'h264', decoded.log)
  assert.ok(decoded.distinctFrames > 6, decoded.log)
})

test('datagrams fit into the MTU, start with a PAT, and are included in the statistics', async () => {
  const port = await freeUdpPort()
  const packets = await collectPackets(port)
  apply(UDP, { 'dst-ip': 'localhost', 'dst-port': port, mtu: 600 })
  await until(() => packets.length > 200, 'many packets have arrived')
  assert.equal(Math.max(...packets.map((packet) => packet.length)), 564)
  assert.ok(packets.every((packet) => packet.length % 188 === 0 && packet[0] === 0x47))
  assert.equal((packets[0]?.readUInt16BE(1) ?? -1) & 0x1fff, 0, 'the first packet is a PAT')
  const { packets: countedPackets = 0 } = fixture.engine.legStats(1, 3)?.report(0) ?? {}
  assert.ok(
    Math.abs(countedPackets - packets.length) < 0.05 * packets.length + 200,
    `${countedPackets} of ${packets.length}`
  )
})

test('RTP packets have consecutive sequence numbers and timestamps in units of 1/90,000 s', async () => {
  const port = await freeUdpPort()
  const packets = await collectPackets(port)
  const startedAt = performance.now()
  apply(RTP, { 'dst-ip': '127.0.0.1', 'dst-port': port })
  await until(() => packets.length > 100, 'many packets have arrived')
  const elapsed = performance.now() - startedAt
  const sequenceNumbers = packets.map((packet) => packet.readUInt16BE(2))
  assert.ok(
    sequenceNumbers.every(
      (number, index) => index === 0 || number === (((sequenceNumbers[index - 1] ?? 0) + 1) & 0xffff)
    )
  )
  assert.ok(packets.every((packet) => packet[0] === 0x80 && packet[1] === 33 && (packet.length - 12) % 188 === 0))
  const timestamps = packets.map((packet) => packet.readUInt32BE(4))
  const span = ((timestamps.at(-1) ?? 0) - (timestamps[0] ?? 0) + 2 ** 32) % 2 ** 32
  assert.ok(span > 0 && span < elapsed * 90, `${span} in ${elapsed} ms`)
  assert.equal(new Set(packets.map((packet) => packet.readUInt32BE(8))).size, 1)
})

test('a multicast group is reached through the configured interface', async () => {
  const port = await freeUdpPort()
  const packets = await collectPackets(port, '239.255.77.1')
  apply(UDP, { 'dst-ip': '239.255.77.1', 'dst-port': port, iface: '127.0.0.1', 'mcast-time-to-live': 3 })
  await until(() => packets.length > 20, 'packets of the group have arrived')
  // An input joins the group on the same interface and receives only from its configured source.
  const applyInput = (sender: string) =>
    fixture.engine.apply(channel(2, urlInput(4, `udp://239.255.77.1:${port}?iface=127.0.0.1&source=${sender}`)))
  applyInput('127.0.0.1')
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  applyInput('127.0.0.9')
  await fixture.waitForState(2, CONNECTION_STATE.waitingForData)
  const before = packets.length
  await until(() => packets.length > before + 100, 'more packets of the group have arrived')
  assert.equal(fixture.engine.observe(2).connState, CONNECTION_STATE.waitingForData)
})

test('an output to a port without a receiver has the state refused, and connects as soon as there is a receiver', async () => {
  const port = await freeUdpPort()
  apply(UDP, { 'dst-ip': '127.0.0.1', 'dst-port': port })
  await fixture.waitForState(1, CONNECTION_STATE.refused, 3)
  const packets = await collectPackets(port)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  assert.ok(packets.length > 0)
})

test('an unknown host name and a missing interface are failures with a reason', async () => {
  apply(UDP, { 'dst-ip': 'nowhere.invalid', 'dst-port': 9 })
  await fixture.waitForState(1, CONNECTION_STATE.nameNotFound, 3)
  apply(UDP, { 'dst-ip': '239.255.77.1', 'dst-port': 9, iface: 'none9' })
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  assert.match(fixture.engine.observe(1).outputs.get(3)?.reason ?? '', /none9/)
})

test('cloud metadata addresses are refused, and private ones if they are forbidden', async () => {
  apply(UDP, { 'dst-ip': '169.254.169.254', 'dst-port': 9 })
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  assert.equal(fixture.engine.observe(1).outputs.get(3)?.reason, 'forbidden')
  await replaceFixture({ forbidPrivate: () => true })
  apply(UDP, { 'dst-ip': 'localhost', 'dst-port': 9 })
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  assert.equal(fixture.engine.observe(1).outputs.get(3)?.state, SOURCE_STATE.addFailed)
})

test.run()
