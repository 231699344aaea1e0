// PAT and PMT of MPEG-TS (ISO/IEC 13818-1, 2.4.4): reads them from packets and writes new ones.
import { headerLength, isUnitStart, TS_PACKET_SIZE } from './packet.ts'

export interface ElementaryStream {
  pid: number
  /** Stream type of table 2-34. */
  type: number
  /** Unparsed descriptors. */
  descriptors: Buffer
}

export interface TsProgram {
  number: number
  pmtPid: number
  pcrPid: number
  descriptors: Buffer
  streams: ElementaryStream[]
}

/** Reads the first program from PAT and PMT packets. Returns undefined if the tables are incomplete. */
export function readTables(packets: Buffer): TsProgram | undefined {
  const sections = collectSections(packets)
  const pat = completeSection(sections.get(0))
  if (!pat) return undefined
  for (let offset = 8; offset + 4 <= pat.length - 4; offset += 4) {
    const number = pat.readUInt16BE(offset)
    const pmtPid = pat.readUInt16BE(offset + 2) & 0x1fff
    const pmt = number === 0 ? undefined : completeSection(sections.get(pmtPid))
    if (pmt) return readPmt(number, pmtPid, pmt)
  }
  return undefined
}

/** The last section of each PID. */
function collectSections(packets: Buffer): Map<number, Buffer> {
  const sections = new Map<number, Buffer>()
  for (let offset = 0; offset + TS_PACKET_SIZE <= packets.length; offset += TS_PACKET_SIZE) {
    const packet = packets.subarray(offset, offset + TS_PACKET_SIZE)
    const pid = packet.readUInt16BE(1) & 0x1fff
    let payload = headerLength(packet)
    if (isUnitStart(packet)) {
      payload += 1 + (packet[payload] ?? 0)
      sections.set(pid, packet.subarray(payload))
    } else sections.set(pid, Buffer.concat([sections.get(pid) ?? Buffer.alloc(0), packet.subarray(payload)]))
  }
  return sections
}

function readPmt(number: number, pmtPid: number, section: Buffer): TsProgram {
  const length = section.readUInt16BE(10) & 0xfff
  const streams: ElementaryStream[] = []
  const end = section.length - 4
  for (let offset = 12 + length; offset + 5 <= end; ) {
    const descriptorLength = section.readUInt16BE(offset + 3) & 0xfff
    streams.push({
      pid: section.readUInt16BE(offset + 1) & 0x1fff,
      type: section[offset] ?? 0,
      descriptors: Buffer.from(section.subarray(offset + 5, Math.min(offset + 5 + descriptorLength, end)))
    })
    offset += 5 + descriptorLength
  }
  return {
    number,
    pmtPid,
    pcrPid: section.readUInt16BE(8) & 0x1fff,
    descriptors: Buffer.from(section.subarray(12, 12 + length)),
    streams
  }
}

/** Cuts a section to its length. Returns undefined if it is incomplete. */
function completeSection(section: Buffer | undefined): Buffer | undefined {
  if (!section || section.length < 3) return undefined
  const length = 3 + (section.readUInt16BE(1) & 0xfff)
  return length >= 16 && section.length >= length ? section.subarray(0, length) : undefined
}

/**
 * Reads the section of a PMT without its PAT, so that the PID of the PMT is unknown (0). Undefined if it is incomplete.
 */
export function readPmtSection(section: Buffer): TsProgram | undefined {
  const whole = completeSection(section)
  return whole && readPmt(whole.readUInt16BE(3), 0, whole)
}

/**
 * Builds the section of a PAT with one program.
 * @param version 0 to 31; must change with the content
 */
export function buildPatSection({ number, pmtPid }: TsProgram, version: number): Buffer {
  const body = Buffer.alloc(4)
  body.writeUInt16BE(number, 0)
  body.writeUInt16BE(0xe000 | pmtPid, 2)
  return buildSection(0, 1, version, body)
}

/** @param version 0 to 31; must change with the content */
export function buildPmtSection({ number, pcrPid, descriptors, streams }: TsProgram, version: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xe000 | pcrPid, 0)
  head.writeUInt16BE(0xf000 | descriptors.length, 2)
  const entries = streams.flatMap((stream) => {
    const entry = Buffer.alloc(5)
    entry[0] = stream.type
    entry.writeUInt16BE(0xe000 | stream.pid, 1)
    entry.writeUInt16BE(0xf000 | stream.descriptors.length, 3)
    return [entry, stream.descriptors]
  })
  return buildSection(2, number, version, Buffer.concat([head, descriptors, ...entries]))
}

function buildSection(tableId: number, id: number, version: number, body: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + body.length + 4)
  bytes[0] = tableId
  bytes.writeUInt16BE(0xb000 | (bytes.length - 3), 1)
  bytes.writeUInt16BE(id, 3)
  bytes[5] = 0xc1 | ((version & 31) << 1)
  body.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}

/** CRC-32 of ISO/IEC 13818-1, annex A. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

/** Splits a section into packets. Their continuity counters are 0; the sender must set them. */
export function packetizeSection(pid: number, section: Buffer): Buffer {
  // The pointer field, then the section.
  const data = Buffer.concat([Buffer.alloc(1), section])
  const packets: Buffer[] = []
  for (let offset = 0; offset < data.length; offset += TS_PACKET_SIZE - 4) {
    const packet = Buffer.alloc(TS_PACKET_SIZE, 0xff)
    packet.set([0x47, ((offset === 0 ? 0x40 : 0) | (pid >> 8)) & 0xff, pid & 0xff, 0x10])
    data.copy(packet, 4, offset, offset + TS_PACKET_SIZE - 4)
    packets.push(packet)
  }
  return Buffer.concat(packets)
}
