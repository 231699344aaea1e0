import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { suite } from 'uvu'
import type { Tap } from '../../../engine/interfaces/relay.ts'
import { TS_PACKET_SIZE } from '../../../engine/mpegts/packet.ts'
import { createPacketQueue, GROUP_MAX, type PacketQueue } from '../../../engine/mpegts/packet-queue.ts'
import { buildPatSection, buildPmtSection, packetizeSection, type TsProgram } from '../../../engine/mpegts/tables.ts'
import { writeTimestamp } from '../../../engine/mpegts/timestamps.ts'
import { RtspPath } from '../../../engine/rtsp/rtsp-path.ts'

const test = suite('RTSP path')

const VIDEO_PID = 0x100
const NO_DESCRIPTORS = Buffer.alloc(0)
const PROGRAM: TsProgram = {
  number: 1,
  pmtPid: 0x1000,
  pcrPid: VIDEO_PID,
  descriptors: NO_DESCRIPTORS,
  streams: [{ type: 27, pid: VIDEO_PID, descriptors: NO_DESCRIPTORS }]
}
const TABLES = Buffer.concat([
  packetizeSection(0, buildPatSection(PROGRAM, 0)),
  packetizeSection(PROGRAM.pmtPid, buildPmtSection(PROGRAM, 0))
])
/** Packets of a group of pictures: about a second at 8 Mbps. */
const GROUP_PACKETS = 5000
/** Packets that are pushed at once. */
const BATCH_PACKETS = 200

/** A group of pictures: one frame whose packets are filled with its number. */
function createGroup(number: number): Buffer {
  const group = Buffer.alloc(GROUP_PACKETS * TS_PACKET_SIZE, number)
  for (let offset = 0; offset < group.length; offset += TS_PACKET_SIZE)
    group.set([0x47, (offset === 0 ? 0x40 : 0) | (VIDEO_PID >> 8), VIDEO_PID & 0xff, 0x10], offset)
  group.set([0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5], 4)
  writeTimestamp(group, 13, number * 90_000)
  return group
}

/** A path whose packets come from the test. */
function createPath() {
  const queues: PacketQueue[] = []
  let tap: Tap | undefined
  const path = new RtspPath(
    'eye',
    { queues: () => queues, disconnect() {} },
    (sink) => {
      tap = sink
      return { attach() {}, cancel() {} }
    },
    () => 0
  )
  return {
    begin(queue: PacketQueue): void {
      path.begin(queue)
      queues.push(queue)
    },
    push(group: Buffer): void {
      for (let offset = 0; offset < group.length; offset += BATCH_PACKETS * TS_PACKET_SIZE)
        tap?.media(group.subarray(offset, offset + BATCH_PACKETS * TS_PACKET_SIZE), offset === 0 ? [0] : [], TABLES)
    }
  }
}

test('a player that is slow to take its first group of pictures gets it whole while the next ones arrive', async () => {
  const { begin, push } = createPath()
  const taken: Buffer[] = []
  let release = () => {}
  const pipe = new Writable({
    write(chunk: Buffer, _encoding, done) {
      release = () => {
        taken.push(Buffer.from(chunk))
        done()
      }
    }
  })
  push(createGroup(1))
  begin(createPacketQueue(pipe, () => 8000, { groupBytes: GROUP_MAX }))
  push(createGroup(2))
  push(createGroup(3))
  while (pipe.writableLength > 0) {
    release()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const bytes = Buffer.concat(taken).subarray(TABLES.length)
  const fills = Array.from(
    { length: bytes.length / TS_PACKET_SIZE },
    (_, index) => bytes[(index + 1) * TS_PACKET_SIZE - 1]
  )
  assert.deepEqual(
    [1, 2, 3].map((number) => fills.filter((fill) => fill === number).length),
    [GROUP_PACKETS, GROUP_PACKETS, GROUP_PACKETS]
  )
  assert.deepEqual(fills, [...fills].sort())
})

test('a group of pictures uses the memory of the one before', () => {
  const { push } = createPath()
  const groups = Array.from({ length: 20 }, (_, index) => createGroup(index + 1))
  const [first, second, ...others] = groups as [Buffer, Buffer, ...Buffer[]]
  push(first)
  push(second)
  const before = process.memoryUsage().arrayBuffers
  for (const group of others) push(group)
  assert.ok(process.memoryUsage().arrayBuffers - before < first.length)
})

test.run()
