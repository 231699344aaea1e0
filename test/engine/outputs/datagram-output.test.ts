// Outputs over UDP and RTP, with ffmpeg and a plain socket at the other end.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION, RTP, SOURCE, UDP } from '../../../contract/stream/protocols.ts'
import type { UdpOutput } from '../../../contract/stream/source.ts'
import { payloadOf } from '../../../engine/outputs/datagram-output.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach, replaceBench } from '../bench.ts'
import { look, until } from '../media.ts'
import { channel, source } from '../wanted.ts'

const test = suite('datagram output')

let sockets: Socket[]
benchForEach(test)
test.before.each(() => {
  sockets = []
})
test.after.each(() => {
  for (const socket of sockets) socket.close()
})

function apply(protocol: typeof UDP | typeof RTP, config: UdpOutput): void {
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Out', protocol, config }]
  })
}

/** What arrives at a port. */
async function arriving(port: number, group?: string): Promise<Buffer[]> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  sockets.push(socket)
  const packets: Buffer[] = []
  socket.on('message', (packet) => packets.push(packet))
  await new Promise<void>((resolve) => socket.bind(port, group, resolve))
  if (group) socket.addMembership(group, '127.0.0.1')
  return packets
}

test('a packet holds as many of MPEG-TS as its size allows, with the headers of each protocol', () => {
  assert.deepEqual([payloadOf(UDP), payloadOf(RTP)], [1316, 1316])
  assert.deepEqual([payloadOf(UDP, 228), payloadOf(RTP, 228)], [188, 188])
  assert.deepEqual([payloadOf(UDP, 1344), payloadOf(RTP, 1344)], [1316, 1128])
})

test('UDP carries the picture, and counts what it carries', async () => {
  const port = await freeUdpPort()
  const watching = look(`udp://127.0.0.1:${port}?timeout=15000000`)
  apply(UDP, { 'dst-ip': '127.0.0.1', 'dst-port': port })
  await bench.reaches(1, CONNECTION.connected, 3)
  const seen = await watching
  assert.equal(seen.codec, 'h264', seen.text)
  assert.ok(seen.different > 6, seen.text)
})

test('packets keep to the size that was chosen, begin with the tables, and their bytes are those that are counted', async () => {
  const port = await freeUdpPort()
  const packets = await arriving(port)
  apply(UDP, { 'dst-ip': 'localhost', 'dst-port': port, mtu: 600 })
  await until('many packets', () => packets.length > 200)
  assert.equal(Math.max(...packets.map((packet) => packet.length)), 564)
  assert.ok(packets.every((packet) => packet.length % 188 === 0 && packet[0] === 0x47))
  assert.equal((packets[0]?.readUInt16BE(1) ?? -1) & 0x1fff, 0, 'the first packet is a PAT')
  const { packets: counted = 0 } = bench.engine.figures(1, 3)?.report(0) ?? {}
  assert.ok(Math.abs(counted - packets.length) < 0.05 * packets.length + 200, `${counted} of ${packets.length}`)
})

test('RTP numbers its packets one by one, in units of 1/90,000 s, and ffmpeg reads them', async () => {
  const port = await freeUdpPort()
  const packets = await arriving(port)
  const began = performance.now()
  apply(RTP, { 'dst-ip': '127.0.0.1', 'dst-port': port })
  await until('many packets', () => packets.length > 100)
  const elapsed = performance.now() - began
  const numbers = packets.map((packet) => packet.readUInt16BE(2))
  assert.ok(numbers.every((number, at) => at === 0 || number === (((numbers[at - 1] ?? 0) + 1) & 0xffff)))
  assert.ok(packets.every((packet) => packet[0] === 0x80 && packet[1] === 33 && (packet.length - 12) % 188 === 0))
  const times = packets.map((packet) => packet.readUInt32BE(4))
  const span = ((times.at(-1) ?? 0) - (times[0] ?? 0) + 2 ** 32) % 2 ** 32
  assert.ok(span > 0 && span < elapsed * 90, `${span} in ${elapsed} ms`)
  assert.equal(new Set(packets.map((packet) => packet.readUInt32BE(8))).size, 1)
})

test('a group on the loopback is reached through the interface that was named', async () => {
  const port = await freeUdpPort()
  const packets = await arriving(port, '239.255.77.1')
  apply(UDP, { 'dst-ip': '239.255.77.1', 'dst-port': port, iface: '127.0.0.1', 'mcast-time-to-live': 3 })
  await until('packets of the group', () => packets.length > 20)
  // An input joins the group there, too, and takes what its one sender sends.
  const take = (sender: string) =>
    bench.engine.apply(channel(2, source(4, `udp://239.255.77.1:${port}?iface=127.0.0.1&source=${sender}`)))
  take('127.0.0.1')
  await bench.reaches(2, CONNECTION.connected)
  take('127.0.0.9')
  await bench.reaches(2, CONNECTION.waitingForData)
  const before = packets.length
  await until('more of the group', () => packets.length > before + 100)
  assert.equal(bench.engine.observe(2).connState, CONNECTION.waitingForData)
})

test('a port where nobody listens is shown as refused, and carries as soon as somebody does', async () => {
  const port = await freeUdpPort()
  apply(UDP, { 'dst-ip': '127.0.0.1', 'dst-port': port })
  await bench.reaches(1, CONNECTION.refused, 3)
  const packets = await arriving(port)
  await bench.reaches(1, CONNECTION.connected, 3)
  assert.ok(packets.length > 0)
})

test('a name that nobody knows and an interface that is not there are failures with their reason', async () => {
  apply(UDP, { 'dst-ip': 'nowhere.invalid', 'dst-port': 9 })
  await bench.reaches(1, CONNECTION.nameNotFound, 3)
  apply(UDP, { 'dst-ip': '239.255.77.1', 'dst-port': 9, iface: 'none9' })
  await bench.reaches(1, CONNECTION.creationFailed, 3)
  assert.match(bench.engine.observe(1).outputs.get(3)?.reason ?? '', /none9/)
})

test('where clouds keep their secrets nothing goes, and nothing private where that is forbidden', async () => {
  apply(UDP, { 'dst-ip': '169.254.169.254', 'dst-port': 9 })
  await bench.reaches(1, CONNECTION.creationFailed, 3)
  assert.equal(bench.engine.observe(1).outputs.get(3)?.reason, 'forbidden')
  await replaceBench({ forbidPrivate: () => true })
  apply(UDP, { 'dst-ip': 'localhost', 'dst-port': 9 })
  await bench.reaches(1, CONNECTION.creationFailed, 3)
  assert.equal(bench.engine.observe(1).outputs.get(3)?.state, SOURCE.addFailed)
})

test.run()
