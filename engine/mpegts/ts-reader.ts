// Parses MPEG-TS (ISO/IEC 13818-1) from a byte stream: cuts it into whole packets, keeps the newest PAT and PMT, and
// finds the packets at which a decoder can start. It changes no byte.
import { isUnitStart, NULL_PID, payloadOffset, SYNC_BYTE, TS_PACKET_SIZE } from './packet.ts'
import { SectionCollector } from './section-collector.ts'
import { hasRandomAccessIndicator, isKeyFrame, VIDEO_CODECS, type VideoCodec } from './start-points.ts'

const PAT_TABLE_ID = 0
const PMT_TABLE_ID = 2

/**
 * Video frames without a start point after which every frame counts as one: an encoder with intra refresh sends no key
 * frames.
 */
const FRAMES_WITHOUT_KEY = 600

/**
 * Receives whole packets in their order.
 * @param starts offsets in `data` of packets at which a decoder can start
 */
type TsSink = (data: Buffer, starts: readonly number[]) => void

export class TsReader {
  readonly #sink: TsSink
  /** Bytes of an incomplete packet. */
  #rest: Buffer = Buffer.alloc(0)
  readonly #patCollector = new SectionCollector(PAT_TABLE_ID)
  readonly #pmtCollector = new SectionCollector(PMT_TABLE_ID)
  #pmtPid = -1
  #pat: Buffer | undefined
  #pmt: Buffer | undefined
  #pmtSection: Buffer | undefined
  #revision = 0
  /** PID of the stream that determines the start points. */
  #startPid = -1
  #codec: VideoCodec | 'audio' = 'other'
  #framesWithoutKey = 0
  /** Continuity counter of each PID's last packet; -1 before the first. */
  readonly #counters = new Int8Array(NULL_PID).fill(-1)
  #gaps = 0

  constructor(sink: TsSink) {
    this.#sink = sink
  }

  /** Takes bytes cut at any position. Passes whole packets to the sink before it returns. */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let offset = 0
    while (bytes.length - offset >= TS_PACKET_SIZE) {
      if (!isAligned(bytes, offset)) {
        offset++
        continue
      }
      const from = offset
      const starts: number[] = []
      while (bytes.length - offset >= TS_PACKET_SIZE && bytes[offset] === SYNC_BYTE) {
        if (this.#read(bytes, offset)) starts.push(offset - from)
        offset += TS_PACKET_SIZE
      }
      this.#sink(bytes.subarray(from, offset), starts)
    }
    // A copy, so that the rest does not keep the whole chunk in memory.
    this.#rest = offset === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(offset))
  }

  /** The newest PAT and PMT as packets; undefined until both were received. */
  tables(): Buffer | undefined {
    return this.#pat && this.#pmt && Buffer.concat([this.#pat, this.#pmt])
  }

  /** Number of changes of the PMT so far. */
  revision(): number {
    return this.#revision
  }

  /** Number of gaps in the continuity counters so far; each means missing packets. */
  continuityGaps(): number {
    return this.#gaps
  }

  /** Reads one packet. Returns whether a decoder can start at it. */
  #read(bytes: Buffer, offset: number): boolean {
    const pid = (((bytes[offset + 1] ?? 0) & 0x1f) << 8) | (bytes[offset + 2] ?? 0)
    if (pid === NULL_PID) return false
    this.#checkContinuity(bytes, offset, pid)
    if (pid !== 0 && pid !== this.#pmtPid && pid !== this.#startPid) return false
    const packet = bytes.subarray(offset, offset + TS_PACKET_SIZE)
    const payload = payloadOffset(packet)
    if (payload < 0) return false
    const isFirst = isUnitStart(packet)
    if (pid === 0) {
      const section = this.#patCollector.push(packet, payload, isFirst)
      if (section) this.#readPat(section.bytes, section.packets)
      return false
    }
    if (pid === this.#pmtPid) {
      const section = this.#pmtCollector.push(packet, payload, isFirst)
      if (section) this.#readPmt(section.bytes, section.packets)
      return false
    }
    return isFirst && this.#pmt !== undefined && this.#isStartPoint(packet, payload)
  }

  /** Packets without payload do not count, a packet may be repeated once, and a discontinuity may be announced. */
  #checkContinuity(bytes: Buffer, offset: number, pid: number): void {
    const control = bytes[offset + 3] ?? 0
    if ((control & 0x10) === 0) return
    const last = this.#counters[pid] ?? -1
    const counter = control & 15
    this.#counters[pid] = counter
    if (last < 0 || counter === last || counter === ((last + 1) & 15)) return
    const isAnnounced =
      (control & 0x20) !== 0 && (bytes[offset + 4] ?? 0) > 0 && ((bytes[offset + 5] ?? 0) & 0x80) !== 0
    if (!isAnnounced) this.#gaps++
  }

  #readPat(section: Buffer, packets: Buffer): void {
    this.#pat = packets
    for (let offset = 8; offset + 4 <= section.length - 4; offset += 4) {
      if (section.readUInt16BE(offset) === 0) continue
      const pid = section.readUInt16BE(offset + 2) & 0x1fff
      if (pid !== this.#pmtPid) {
        this.#pmtPid = pid
        this.#pmtCollector.reset()
        this.#pmt = undefined
      }
      return
    }
  }

  #readPmt(section: Buffer, packets: Buffer): void {
    this.#pmt = packets
    if (this.#pmtSection?.equals(section)) return
    if (this.#pmtSection) this.#revision++
    this.#pmtSection = section
    this.#startPid = -1
    this.#framesWithoutKey = 0
    const end = section.length - 4
    for (
      let offset = 12 + (section.readUInt16BE(10) & 0xfff);
      offset + 5 <= end;
      offset += 5 + (section.readUInt16BE(offset + 3) & 0xfff)
    ) {
      const pid = section.readUInt16BE(offset + 1) & 0x1fff
      const codec = VIDEO_CODECS[section[offset] ?? 0]
      if (codec) {
        this.#startPid = pid
        this.#codec = codec
        return
      }
      // Without video a decoder can start at any frame of the first stream.
      if (this.#startPid < 0) {
        this.#startPid = pid
        this.#codec = 'audio'
      }
    }
  }

  /** Whether a decoder can start at the first packet of a frame. */
  #isStartPoint(packet: Buffer, payload: number): boolean {
    if (this.#codec === 'audio') return true
    if (hasRandomAccessIndicator(packet) || isKeyFrame(packet, payload, this.#codec)) {
      this.#framesWithoutKey = 0
      return true
    }
    return ++this.#framesWithoutKey > FRAMES_WITHOUT_KEY
  }
}

/**
 * Whether a packet starts at an offset. 0x47 can also be payload, so the next packet, if received, must start with it
 * too.
 */
function isAligned(bytes: Buffer, offset: number): boolean {
  const next = offset + TS_PACKET_SIZE
  return bytes[offset] === SYNC_BYTE && (next >= bytes.length || bytes[next] === SYNC_BYTE)
}
