// Reads MPEG-TS (ISO/IEC 13818-1) as it comes from a pipe: cuts it into whole packets, keeps the newest PAT and PMT, and finds
// the places where a decoder can start. It changes no byte.
export const PACKET = 188
const SYNC = 0x47
const NULL_PID = 0x1fff

/** Video frames without a start point after which any frame will do: an encoder with intra refresh never makes a key frame. */
const FRAMES_WITHOUT_KEY = 600

type Codec = 'mpeg2' | 'h264' | 'hevc' | 'other'

/** Stream types that are video (13818-1 table 2-34, and SMPTE's for VC-1). */
const VIDEO: Readonly<Record<number, Codec>> = {
  1: 'mpeg2',
  2: 'mpeg2',
  16: 'other',
  27: 'h264',
  32: 'other',
  33: 'other',
  36: 'hevc',
  51: 'other',
  66: 'other',
  234: 'other'
}

/** Whole packets in the order in which they came. */
export type TsSink = (
  data: Buffer,
  /** Offsets in `data` of packets with which a decoder can start. */
  starts: readonly number[]
) => void

/** Seven packets that carry nothing: one SRT message with which a pipe can be kept moving. */
export const NULL_PACKETS: Buffer = Buffer.alloc(7 * PACKET, 0xff)
for (let at = 0; at < NULL_PACKETS.length; at += PACKET) NULL_PACKETS.set([SYNC, 0x1f, 0xff, 0x10], at)

/** Collects the packets of one table until its section is whole. */
interface Section {
  packets: Buffer[]
  bytes: Buffer
}

export interface TsReader {
  /** Takes bytes cut anywhere; hands whole packets on before it returns. */
  push(chunk: Buffer): void
  /** The newest PAT and PMT as packets; undefined until both were seen. */
  tables(): Buffer | undefined
  /** Counts how often the PMT has changed: what was set up for the old one no longer fits. */
  revision(): number
  /** Counts where the counter of a PID's packets is not the next one: something is missing there. */
  gaps(): number
}

export function createTsReader(sink: TsSink): TsReader {
  let rest: Buffer = Buffer.alloc(0)
  let pmtPid = -1
  let pat: Section | undefined
  let pmt: Section | undefined
  let wholePat: Buffer | undefined
  let wholePmt: Buffer | undefined
  let pmtBytes: Buffer | undefined
  let revision = 0
  let startPid = -1
  let codec: Codec | 'audio' = 'other'
  let framesWithoutKey = 0
  /** The counter of each PID's last packet; -1 before the first. */
  const counters = new Int8Array(NULL_PID).fill(-1)
  let gaps = 0

  function programme(bytes: Buffer): void {
    if (pmtBytes?.equals(bytes)) return
    if (pmtBytes) revision++
    pmtBytes = bytes
    startPid = -1
    framesWithoutKey = 0
    const end = bytes.length - 4
    for (
      let at = 12 + (bytes.readUInt16BE(10) & 0xfff);
      at + 5 <= end;
      at += 5 + (bytes.readUInt16BE(at + 3) & 0xfff)
    ) {
      const pid = bytes.readUInt16BE(at + 1) & 0x1fff
      const video = VIDEO[bytes[at] ?? 0]
      if (video) {
        startPid = pid
        codec = video
        return
      }
      // Without video a decoder can start with any frame of the first stream.
      if (startPid < 0) {
        startPid = pid
        codec = 'audio'
      }
    }
  }

  function association(bytes: Buffer): void {
    for (let at = 8; at + 4 <= bytes.length - 4; at += 4) {
      if (bytes.readUInt16BE(at) === 0) continue
      const pid = bytes.readUInt16BE(at + 2) & 0x1fff
      if (pid !== pmtPid) {
        pmtPid = pid
        pmt = undefined
        wholePmt = undefined
      }
      return
    }
  }

  /** Only packets with a payload count; one may come twice, and a break may be announced. */
  function count(bytes: Buffer, at: number, pid: number): void {
    const control = bytes[at + 3] ?? 0
    if ((control & 0x10) === 0) return
    const before = counters[pid] ?? -1
    const counter = control & 15
    counters[pid] = counter
    if (before < 0 || counter === before || counter === ((before + 1) & 15)) return
    const announced = (control & 0x20) !== 0 && (bytes[at + 4] ?? 0) > 0 && ((bytes[at + 5] ?? 0) & 0x80) !== 0
    if (!announced) gaps++
  }

  /** One packet; tells whether a decoder can start with it. */
  function read(bytes: Buffer, at: number): boolean {
    const pid = (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0)
    if (pid === NULL_PID) return false
    count(bytes, at, pid)
    if (pid !== 0 && pid !== pmtPid && pid !== startPid) return false
    const packet = bytes.subarray(at, at + PACKET)
    const payload = payloadOf(packet)
    if (payload < 0) return false
    const first = ((packet[1] ?? 0) & 0x40) !== 0
    if (pid === 0) {
      pat = collect(pat, packet, payload, first)
      const whole = pat && wholeSection(pat, 0)
      if (pat && whole) {
        wholePat = Buffer.concat(pat.packets)
        association(whole)
        pat = undefined
      }
      return false
    }
    if (pid === pmtPid) {
      pmt = collect(pmt, packet, payload, first)
      const whole = pmt && wholeSection(pmt, 2)
      if (pmt && whole) {
        wholePmt = Buffer.concat(pmt.packets)
        programme(whole)
        pmt = undefined
      }
      return false
    }
    if (!first || !wholePmt) return false
    if (codec === 'audio') return true
    if (randomAccess(packet) || keyFrame(packet, payload, codec)) {
      framesWithoutKey = 0
      return true
    }
    return ++framesWithoutKey > FRAMES_WITHOUT_KEY
  }

  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      while (bytes.length - at >= PACKET) {
        if (!aligned(bytes, at)) {
          at++
          continue
        }
        const from = at
        const starts: number[] = []
        while (bytes.length - at >= PACKET && bytes[at] === SYNC) {
          if (read(bytes, at)) starts.push(at - from)
          at += PACKET
        }
        sink(bytes.subarray(from, at), starts)
      }
      // A copy, so that less than a packet does not keep a whole chunk alive.
      rest = at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at))
    },
    tables: () => wholePat && wholePmt && Buffer.concat([wholePat, wholePmt]),
    revision: () => revision,
    gaps: () => gaps
  }
}

/** 0x47 is also a byte like any other: where the next packet can be seen, it must start with it too. */
function aligned(bytes: Buffer, at: number): boolean {
  return bytes[at] === SYNC && (at + PACKET >= bytes.length || bytes[at + PACKET] === SYNC)
}

/** Offset of the payload; -1 without one. */
function payloadOf(packet: Buffer): number {
  const control = ((packet[3] ?? 0) >> 4) & 3
  if ((control & 1) === 0) return -1
  const at = (control & 2) === 0 ? 4 : 5 + (packet[4] ?? 0)
  return at < PACKET ? at : -1
}

function randomAccess(packet: Buffer): boolean {
  return ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x40) !== 0
}

function collect(section: Section | undefined, packet: Buffer, payload: number, first: boolean): Section | undefined {
  if (!first) {
    if (!section) return undefined
    section.packets.push(Buffer.from(packet))
    section.bytes = Buffer.concat([section.bytes, packet.subarray(payload)])
    // 1021 bytes is the longest section: beyond it the start was missed.
    return section.bytes.length > 1024 + PACKET ? undefined : section
  }
  const start = payload + 1 + (packet[payload] ?? 0)
  return start < PACKET ? { packets: [Buffer.from(packet)], bytes: Buffer.from(packet.subarray(start)) } : undefined
}

function wholeSection(section: Section, tableId: number): Buffer | undefined {
  const { bytes } = section
  if (bytes.length < 3 || bytes[0] !== tableId) return undefined
  const length = 3 + (bytes.readUInt16BE(1) & 0xfff)
  return length >= 16 && bytes.length >= length ? bytes.subarray(0, length) : undefined
}

/**
 * Whether the first packet of a frame shows that it is a key frame. Not every encoder sets the random access flag, but all put
 * what a decoder needs to start (parameter sets, sequence header) before the picture, and so into the first packet.
 */
function keyFrame(packet: Buffer, payload: number, codec: Codec): boolean {
  const pes = packet.readUIntBE(payload, Math.min(3, PACKET - payload))
  if (pes !== 1 || payload + 9 > PACKET) return false
  for (let at = payload + 9 + (packet[payload + 8] ?? 0); at + 3 < PACKET; at++) {
    if (packet[at] !== 0 || packet[at + 1] !== 0 || packet[at + 2] !== 1) continue
    const code = packet[at + 3] ?? 0
    if (codec === 'h264' && ((code & 31) === 5 || (code & 31) === 7)) return true
    const type = (code >> 1) & 63
    if (codec === 'hevc' && ((type >= 16 && type <= 21) || type === 32 || type === 33)) return true
    if (codec === 'mpeg2' && code === 0xb3) return true
  }
  return false
}
