// Errors of priority 1 and 2 of ETSI TR 101 290: a real stream with each fault made, and without.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { TRANSPORT_ERRORS, type TransportError } from '../../../contract/stream/transport.ts'
import { clipPath } from '../../kit/engine/media.ts'
import { createSender, fixture, relayForEach } from '../../kit/engine/relay-fixture.ts'
import { packetsOf } from '../../kit/engine/transport-stream.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('errors of a transport stream')
relayForEach(test)

const PAT = 0
const PMT = 0x1000
const VIDEO = 0x100
const AUDIO = 0x101
const DATAGRAM = 7 * 188

const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff
const isUnitStart = (packet: Buffer) => ((packet[1] ?? 0) & 0x40) !== 0
const hasClock = (packet: Buffer) =>
  ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x10) !== 0

/** Copies of the packets of a clip. */
const clipPackets = (seconds?: number) => packetsOf(Buffer.from(readFileSync(clipPath(seconds))))

type ErrorCounts = Partial<Record<TransportError, number>>

/** The errors that have been counted. */
function countedErrors(): ErrorCounts {
  const { errors } = fixture.relay.report().source.transport
  return Object.fromEntries(
    TRANSPORT_ERRORS.flatMap((name, index) => {
      const count = errors[index]?.count ?? 0
      return count > 0 ? [[name, count]] : []
    })
  )
}

/** Waits until the relay has taken all of a stream but a few packets. */
const untilTaken = (bytes: number) =>
  until(
    () => fixture.relay.report().source.bytes >= bytes - 10 * 188,
    () => `${fixture.relay.report().source.bytes} of ${bytes} bytes are counted`
  )

/** Sends a stream through a connection, which loses nothing and does not know packets. Returns its errors. */
async function errorsOf(parts: readonly Buffer[]): Promise<ErrorCounts> {
  const stream = Buffer.concat(parts)
  const feed = await fixture.relay.openFeed()
  feed.write(stream)
  await untilTaken(stream.length)
  return countedErrors()
}

/** Sends packets as datagrams of seven. Returns the port. */
async function sendDatagrams(...streams: Buffer[]): Promise<void> {
  const port = await freeUdpPort()
  await fixture.relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  const sender = createSender(port)
  for (const stream of streams) await sender.replay(stream)
}

/** Index of the first of five video packets without adaptation field, in the middle of a stream. */
const videoRun = (packets: readonly Buffer[]) =>
  packets.findIndex(
    (_, index) =>
      index > packets.length / 2 &&
      packets.slice(index, index + 5).every((packet) => pidOf(packet) === VIDEO && ((packet[3] ?? 0) & 0x20) === 0)
  )

/** All packets of a PID but those of the first part of the stream. */
const withoutLater = (packets: readonly Buffer[], pid: number, first: number) =>
  packets.filter((packet, index) => pidOf(packet) !== pid || index < packets.length * first)

function assertOnly(
  errors: ErrorCounts,
  expected: Partial<Record<TransportError, readonly [min: number, max: number]>>
) {
  assert.deepEqual(Object.keys(errors).sort(), Object.keys(expected).sort(), JSON.stringify(errors))
  for (const [name, [min, max]] of Object.entries(expected)) {
    const count = errors[name as TransportError] ?? 0
    assert.ok(count >= min && count <= max, `${name}: ${count}`)
  }
}

test('a stream without faults has no errors, also while strangers send to its port', async () => {
  const clip = readFileSync(clipPath(8))
  const half = Math.floor(clip.length / 2 / DATAGRAM) * DATAGRAM
  const noise = Buffer.concat(Array.from({ length: 5 }, () => randomBytes(DATAGRAM)))
  await sendDatagrams(clip.subarray(0, half), noise, clip.subarray(half))
  await untilTaken(clip.length)
  assert.deepEqual(countedErrors(), {})
})

test('a file that begins again has one clock discontinuity and nothing else', async () => {
  const clip = readFileSync(clipPath())
  await sendDatagrams(clip, clip)
  await untilTaken(2 * clip.length)
  assert.deepEqual(countedErrors(), { 'pcr-discontinuity': 1 })
})

test('missing bytes are a loss of synchronization, a damaged sync byte is not', async () => {
  const packets = clipPackets()
  const index = videoRun(packets)
  packets[index] = (packets[index] as Buffer).subarray(0, 138)
  assert.deepEqual(await errorsOf(packets), { 'sync-loss': 1, 'sync-byte': 1, continuity: 1 })
})

test('a damaged sync byte costs its packet and is no loss of synchronization', async () => {
  const packets = clipPackets()
  packets[videoRun(packets)]?.writeUInt8(0x46)
  assert.deepEqual(await errorsOf(packets), { 'sync-byte': 1, continuity: 1 })
})

test('a damaged sync byte in a datagram is counted', async () => {
  const packets = clipPackets()
  packets[Math.floor(packets.length / 14) * 7 + 3]?.writeUInt8(0)
  const stream = Buffer.concat(packets)
  await sendDatagrams(stream)
  await untilTaken(stream.length - DATAGRAM)
  assertOnly(countedErrors(), { 'sync-byte': [1, 1], continuity: [1, 7] })
})

for (const [name, pid] of [
  ['pat', PAT],
  ['pmt', PMT]
] as const)
  test(`a stream without ${name.toUpperCase()} has an error each time that 0.5 s have passed`, async () => {
    assertOnly(await errorsOf(withoutLater(clipPackets(), pid, 0.2)), { [name]: [3, 6] })
  })

test('a PAT and a PMT with a wrong checksum are counted, and are no missing tables', async () => {
  const packets = clipPackets()
  let damaged = 0
  for (const pid of [PAT, PMT]) {
    const tables = packets.filter((packet) => pidOf(packet) === pid)
    for (const packet of tables.filter((_, index) => index % 4 === 2)) {
      // The last byte of the section.
      const last = 5 + 3 + (packet.readUInt16BE(6) & 0xfff) - 1
      packet.writeUInt8((packet[last] ?? 0) ^ 1, last)
      damaged++
    }
  }
  assert.ok(damaged > 4)
  assert.deepEqual(await errorsOf(packets), { crc: damaged })
})

test('packets that their sender has marked as damaged are counted', async () => {
  const packets = clipPackets()
  const index = videoRun(packets)
  for (const packet of packets.slice(index, index + 3)) packet.writeUInt8((packet[1] ?? 0) | 0x80, 1)
  assert.deepEqual(await errorsOf(packets), { transport: 3 })
})

test('clock references that are missing for more than 100 ms are one error', async () => {
  const packets = clipPackets()
  const clocks = packets.filter(hasClock)
  const middle = Math.floor(clocks.length / 2)
  for (const packet of clocks.slice(middle, middle + 3)) packet.writeUInt8((packet[5] ?? 0) & ~0x10, 5)
  assert.deepEqual(await errorsOf(packets), { 'pcr-repetition': 1 })
})

test('a clock reference that jumps is an error unless the stream announces it', async () => {
  const packets = clipPackets()
  const clocks = packets.filter(hasClock)
  const [first, second, third] = [0.25, 0.5, 0.75].map((part) => Math.floor(clocks.length * part))
  // 0.8 s ahead, which is no missing reference, and back; then 10 s ahead and announced.
  clocks.forEach((packet, index) => {
    const isAhead = index >= (first ?? 0) && index < (second ?? 0)
    const ticks = isAhead ? 72_000 : index >= (third ?? 0) ? 900_000 : 0
    packet.writeUInt32BE(packet.readUInt32BE(6) + ticks / 2, 6)
    if (index === third) packet.writeUInt8((packet[5] ?? 0) | 0x80, 5)
  })
  assert.deepEqual(await errorsOf(packets), { 'pcr-discontinuity': 2 })
})

test('audio without time stamps has an error each time that 0.7 s have passed', async () => {
  const packets = clipPackets()
  const starts = packets.filter((packet) => pidOf(packet) === AUDIO && isUnitStart(packet))
  for (const packet of starts.slice(starts.length / 4)) {
    const header = ((packet[3] ?? 0) & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0)
    packet.writeUInt8((packet[header + 7] ?? 0) & 0x3f, header + 7)
  }
  assertOnly(await errorsOf(packets), { pts: [2, 4] })
})

test('a listed stream that does not arrive for 5 s is missing', async () => {
  const packets = withoutLater(clipPackets(8), AUDIO, 0.2)
  assertOnly(await errorsOf(packets), { pid: [1, 1], pts: [5, 9] })
})

test.run()
