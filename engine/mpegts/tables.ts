// PAT and PMT of MPEG-TS (ISO/IEC 13818-1, 2.4.4): read from packets, and written anew for a programme put together from several.
const PACKET = 188

export interface Elementary {
  pid: number
  /** Stream type, table 2-34. */
  type: number
  /** Descriptors as they came. */
  descriptors: Buffer
}

export interface Programme {
  number: number
  pmtPid: number
  pcrPid: number
  descriptors: Buffer
  streams: Elementary[]
}

/** The first programme that PAT and PMT packets tell of; undefined when they are not whole. */
export function readTables(packets: Buffer): Programme | undefined {
  const sections = new Map<number, Buffer>()
  for (let at = 0; at + PACKET <= packets.length; at += PACKET) {
    const packet = packets.subarray(at, at + PACKET)
    const pid = packet.readUInt16BE(1) & 0x1fff
    let payload = ((packet[3] ?? 0) & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0)
    if (((packet[1] ?? 0) & 0x40) !== 0) {
      payload += 1 + (packet[payload] ?? 0)
      sections.set(pid, packet.subarray(payload))
    } else sections.set(pid, Buffer.concat([sections.get(pid) ?? Buffer.alloc(0), packet.subarray(payload)]))
  }
  const pat = whole(sections.get(0))
  if (!pat) return undefined
  for (let at = 8; at + 4 <= pat.length - 4; at += 4) {
    const number = pat.readUInt16BE(at)
    const pmtPid = pat.readUInt16BE(at + 2) & 0x1fff
    const pmt = number === 0 ? undefined : whole(sections.get(pmtPid))
    if (pmt) return readPmt(number, pmtPid, pmt)
  }
  return undefined
}

function readPmt(number: number, pmtPid: number, section: Buffer): Programme {
  const length = section.readUInt16BE(10) & 0xfff
  const streams: Elementary[] = []
  const end = section.length - 4
  for (let at = 12 + length; at + 5 <= end; ) {
    const more = section.readUInt16BE(at + 3) & 0xfff
    streams.push({
      pid: section.readUInt16BE(at + 1) & 0x1fff,
      type: section[at] ?? 0,
      descriptors: Buffer.from(section.subarray(at + 5, Math.min(at + 5 + more, end)))
    })
    at += 5 + more
  }
  return {
    number,
    pmtPid,
    pcrPid: section.readUInt16BE(8) & 0x1fff,
    descriptors: Buffer.from(section.subarray(12, 12 + length)),
    streams
  }
}

function whole(section: Buffer | undefined): Buffer | undefined {
  if (!section || section.length < 3) return undefined
  const length = 3 + (section.readUInt16BE(1) & 0xfff)
  return length >= 16 && section.length >= length ? section.subarray(0, length) : undefined
}

/** The section of a PAT with one programme. @param version 0-31, another one for other content */
export function patSection({ number, pmtPid }: Programme, version: number): Buffer {
  const body = Buffer.alloc(4)
  body.writeUInt16BE(number, 0)
  body.writeUInt16BE(0xe000 | pmtPid, 2)
  return section(0, 1, version, body)
}

export function pmtSection({ number, pcrPid, descriptors, streams }: Programme, version: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xe000 | pcrPid, 0)
  head.writeUInt16BE(0xf000 | descriptors.length, 2)
  const each = streams.flatMap((stream) => {
    const entry = Buffer.alloc(5)
    entry[0] = stream.type
    entry.writeUInt16BE(0xe000 | stream.pid, 1)
    entry.writeUInt16BE(0xf000 | stream.descriptors.length, 3)
    return [entry, stream.descriptors]
  })
  return section(2, number, version, Buffer.concat([head, descriptors, ...each]))
}

function section(tableId: number, id: number, version: number, body: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + body.length + 4)
  bytes[0] = tableId
  bytes.writeUInt16BE(0xb000 | (bytes.length - 3), 1)
  bytes.writeUInt16BE(id, 3)
  bytes[5] = 0xc1 | ((version & 31) << 1)
  body.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}

/** CRC of 13818-1, annex A. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

/** Packets that carry a section. Their continuity counters are 0: whoever sends them counts. */
export function sectionPackets(pid: number, bytes: Buffer): Buffer {
  const data = Buffer.concat([Buffer.alloc(1), bytes])
  const packets: Buffer[] = []
  for (let at = 0; at < data.length; at += PACKET - 4) {
    const packet = Buffer.alloc(PACKET, 0xff)
    packet.set([0x47, ((at === 0 ? 0x40 : 0) | (pid >> 8)) & 0xff, pid & 0xff, 0x10])
    data.copy(packet, 4, at, at + PACKET - 4)
    packets.push(packet)
  }
  return Buffer.concat(packets)
}
