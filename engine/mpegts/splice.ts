// Joins consecutive MPEG-TS streams into one that receivers play without a new setup: the PIDs stay the same,
// timestamps and continuity counters only increase, and a discontinuity indicator marks each join.

import { mapTracks, OutputProgram, type Track } from './output-program.ts'
import { discontinuityPacket, headerLength, NULL_PID, TS_PACKET_SIZE } from './packet.ts'
import { SentPackets, type SentState } from './sent-packets.ts'
import { readTables } from './tables.ts'
import {
  addTime,
  decodingTime,
  pcrOffset,
  readPcr,
  readTimestamp,
  TICKS_PER_SECOND,
  timeDifference,
  timestampOffsets,
  writePcr,
  writeTimestamp
} from './timestamps.ts'

/**
 * Bytes of packets that are put together from several sources. The memory is reused, because new memory makes garbage
 * collection frequent.
 */
class PacketBuffer {
  #memory: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  /** Copies packets to the end. */
  append(packets: Buffer): void {
    const length = this.#length + packets.length
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length)
      this.#memory.copy(larger, 0, 0, this.#length)
      this.#memory = larger
    }
    packets.copy(this.#memory, this.#length)
    this.#length = length
  }

  /** All packets, valid until the next change. */
  bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }
}

/**
 * Minimum time from the last frame of a stream to the first of the next, in 90 kHz units: one frame at 25 per second.
 */
const FRAME = TICKS_PER_SECOND / 25
/** A stream whose timestamps jump by more than this has restarted. */
const JUMP_BACK = 2 * TICKS_PER_SECOND
const JUMP_FORWARD = 10 * TICKS_PER_SECOND
/**
 * Longest time that a join adds for a pause: a quarter of the range of the timestamps, so that later ones still compare
 * as later.
 */
const PAUSE_MAX = 2 ** 31

/**
 * How a source continues the timestamps of the one before: after the time that has passed, at once, or with the same
 * timestamps, because its frames are the same. Of those, the ones that have been sent are skipped.
 */
export type Continuation = 'after-pause' | 'at-once' | 'same-frames'

interface SpliceSink {
  /** Takes packets; the parameters are those of `Tap.media`, but the tables are those of the newest start point. */
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The next packets have other codecs or other tracks. */
  onLayoutChange(): void
}

/**
 * How a packet of the source reaches the output: as it is, or after `#gap`; replaced by the PAT or PMT of the output;
 * or not at all. A packet whose timestamps jump is not taken.
 */
type Rewriting = 'pass' | 'pass-after-gap' | 'replace-pat' | 'replace-pmt' | 'skip' | 'jump'

export class Splice {
  readonly #sink: SpliceSink
  readonly #now: () => number
  readonly #output = new OutputProgram()
  readonly #sent = new SentPackets()
  /** A copy of the packets of the source, which is rewritten, and the packets to be sent. */
  readonly #copy = new PacketBuffer()
  readonly #out = new PacketBuffer()
  /** PAT and PMT as they were last sent at the newest start point. */
  #startTables: Buffer = Buffer.alloc(0)
  /** A packet with the discontinuity indicator, for the packet that was rewritten last. */
  #gap: Buffer = Buffer.alloc(0)
  /** By PID of the source. */
  #tracks = new Map<number, Track>()
  /** PAT and PMT packets of the source, and its PMT PID. */
  #sourceTables: Buffer | undefined
  #sourcePmtPid = -1
  /** PID of the source whose frames mark the start points. */
  #leadPid = -1
  /** Whether packets of the source are being passed on. */
  #isFlowing = false
  /**
   * Whether the first frame after a join has not been rewritten yet. Its timestamps are right, however long the pause
   * was.
   */
  #isJoining = false
  /** How the next source continues the timestamps. */
  #continuation: Continuation = 'after-pause'
  /** Whether the source repeats frames that have been sent. */
  #isRepeating = false
  /** Whether anything has been sent. */
  #hasStarted = false
  /** Added to all timestamps of the source. */
  #timeOffset = 0
  /** The newest clock reference of the source, and of the output. */
  #pcr: number | undefined
  #sentPcr: number | undefined

  /** @param now milliseconds of a monotonic clock */
  constructor(sink: SpliceSink, now: () => number) {
    this.#sink = sink
    this.#now = now
  }

  /** Takes packets of the current source; the parameters are those of `Tap.media`. */
  push(data: Buffer, starts: readonly number[], tables: Buffer): void {
    let from = 0
    // Each turn takes packets or finds no start point: the frame at a start point is never a jump.
    while (from < data.length) {
      if ((!this.#isFlowing || !this.#sourceTables?.equals(tables)) && !this.#readSourceTables(tables)) return
      this.#out.clear()
      if (!this.#isFlowing) {
        const start = starts.find((each) => each >= from) ?? data.length
        this.#readClocks(data.subarray(from, start))
        if (start === data.length) return
        from = start
        this.#join(data.subarray(from, from + TS_PACKET_SIZE))
        if (this.#hasStarted) this.#appendTables()
      }
      from += this.#rewrite(data.subarray(from), from, starts)
      // The timestamps jump: the source has restarted and is joined again at its next start point.
      if (from < data.length) this.#isFlowing = false
    }
  }

  /** Ends the current source. The next packets are of another one, which starts at its first key frame. */
  cut(continuation: Continuation = 'after-pause'): void {
    this.#isFlowing = false
    this.#pcr = undefined
    this.#continuation = continuation
  }

  /** What is added to the timestamps of the source, in 1/90,000 s. */
  get timeOffset(): number {
    return this.#timeOffset
  }

  /** Stream types of the output. */
  streamTypes(): number[] {
    return this.#output.streamTypes()
  }

  /** Assigns output PIDs to the tracks of the source. Returns false if its tables are incomplete. */
  #readSourceTables(tables: Buffer): boolean {
    const program = readTables(tables)
    if (!program) return false
    this.#sourceTables = Buffer.from(tables)
    this.#sourcePmtPid = program.pmtPid
    const mapped = mapTracks(program, this.#output, this.#isFlowing ? this.#tracks : new Map())
    this.#tracks = mapped.tracks
    if (this.#output.update(mapped.program)) this.#sink.onLayoutChange()
    return true
  }

  /**
   * Chooses the offset of the timestamps so that the first frame follows the last one after the time that has passed.
   */
  #join(first: Buffer): void {
    this.#leadPid = first.readUInt16BE(1) & 0x1fff
    this.#readClocks(first)
    if (!this.#hasStarted) this.#timeOffset = 0
    else if (this.#continuation !== 'same-frames') this.#continueTime(decodingTime(first))
    this.#isRepeating = this.#continuation === 'same-frames'
    this.#continuation = 'after-pause'
    this.#isFlowing = true
    this.#isJoining = true
    for (const track of this.#tracks.values()) {
      track.counterShift = undefined
      track.isSkipping = track.role !== 'clock'
    }
  }

  #continueTime(time: number | undefined): void {
    if (time === undefined) return
    const track = this.#tracks.get(this.#leadPid)
    const last = track && this.#sent.find(track.pid)
    // The first frame of a new track follows the newest frame of any track.
    const lead = last?.time === undefined ? this.#sent.newestFrame() : last
    if (lead?.time !== undefined) {
      const isPause = this.#continuation === 'after-pause'
      const passed = isPause ? Math.round(((this.#now() - lead.at) * TICKS_PER_SECOND) / 1000) : 0
      this.#timeOffset = timeDifference(addTime(lead.time, Math.min(Math.max(FRAME, passed), PAUSE_MAX)), time)
    }
    if (this.#pcr !== undefined && this.#sentPcr !== undefined) {
      const behind = timeDifference(this.#sentPcr, addTime(this.#pcr, this.#timeOffset))
      if (behind >= 0) this.#timeOffset += behind + 1
    }
  }

  /**
   * Rewrites packets and sends them after those in `#out`.
   * @param from offset of `data` in the buffer that `starts` refers to
   * @returns bytes taken; fewer than all if the timestamps jump
   */
  #rewrite(data: Buffer, from: number, starts: readonly number[]): number {
    const out = this.#out
    this.#copy.clear()
    this.#copy.append(data)
    const copy = this.#copy.bytes()
    const outStarts: number[] = []
    let offset = 0
    /** Rewritten packets from here on are not in `out` yet. */
    let pending = 0
    const flush = (next: number) => {
      if (offset > pending) out.append(copy.subarray(pending, offset))
      pending = next
    }
    for (; offset < copy.length; offset += TS_PACKET_SIZE) {
      const result = this.#rewritePacket(copy, offset)
      if (result === 'jump') break
      const table = this.#nextTable(result)
      // A table of one packet takes the place of that of the source.
      if (table?.length === TS_PACKET_SIZE) {
        table.copy(copy, offset)
        continue
      }
      if (result !== 'pass') flush(result === 'pass-after-gap' ? offset : offset + TS_PACKET_SIZE)
      if (table) out.append(table)
      if (result === 'pass-after-gap') out.append(this.#gap)
      const isPassed = result === 'pass' || result === 'pass-after-gap'
      if (isPassed && starts.includes(from + offset)) outStarts.push(out.length + offset - pending)
    }
    // Most batches pass whole and need no second copy.
    const isWhole = out.length === 0 && pending === 0
    if (!isWhole) flush(offset)
    const packets = isWhole ? copy.subarray(0, offset) : out.bytes()
    if (packets.length > 0) {
      this.#hasStarted = true
      if (outStarts.length > 0) this.#startTables = this.#sentTables()
      this.#sink.media(packets, outStarts, this.#startTables)
    }
    return offset
  }

  /** Rewrites the packet at an offset of `data`. */
  #rewritePacket(data: Buffer, offset: number): Rewriting {
    const flags = data[offset + 1] ?? 0
    const pid = ((flags & 0x1f) << 8) | (data[offset + 2] ?? 0)
    const isStart = (flags & 0x40) !== 0
    if (pid === 0) return isStart ? 'replace-pat' : 'skip'
    if (pid === this.#sourcePmtPid) return isStart ? 'replace-pmt' : 'skip'
    const track = this.#tracks.get(pid)
    if (!track) return pid === NULL_PID ? 'pass' : 'skip'
    const control = data[offset + 3] ?? 0
    // Most packets have neither the start of a frame nor a clock reference, and need no view of their own.
    const packet = isStart || (control & 0x20) !== 0 ? data.subarray(offset, offset + TS_PACKET_SIZE) : undefined
    const payload = packet ? headerLength(packet) : 4
    const hasPayload = (control & 0x10) !== 0 && payload < TS_PACKET_SIZE
    const sentState = this.#sent.state(track.pid)
    if (packet && hasPayload && isStart && track.role !== 'clock') {
      if (!this.#rewriteTimestamps(packet, payload, pid, track, sentState)) return 'jump'
    }
    if (track.isSkipping) return 'skip'
    let result: Rewriting = 'pass'
    if (track.counterShift === undefined) {
      if (sentState.counter === undefined) track.counterShift = 0
      else {
        this.#gap = discontinuityPacket(track.pid, sentState.counter)
        result = 'pass-after-gap'
        track.counterShift = sentState.counter + (hasPayload ? 1 : 0) - (control & 15)
      }
    }
    data[offset + 1] = (flags & 0xe0) | (track.pid >> 8)
    data[offset + 2] = track.pid & 0xff
    sentState.counter = ((control & 15) + track.counterShift + 16) & 15
    data[offset + 3] = (control & 0xf0) | sentState.counter
    if (packet) this.#rewritePcr(packet)
    return result
  }

  /** Moves the timestamps of a frame. Returns false if they jump. */
  #rewriteTimestamps(packet: Buffer, payload: number, pid: number, track: Track, sentState: SentState): boolean {
    const { pts, dts } = timestampOffsets(packet, payload)
    const offset = this.#timeOffset
    const time = pts < 0 ? undefined : addTime(readTimestamp(packet, dts < 0 ? pts : dts), offset)
    const step = time === undefined || sentState.time === undefined ? FRAME : timeDifference(time, sentState.time)
    if (pid === this.#leadPid) {
      const isRepeated = this.#isRepeating && step <= 0
      if (!this.#isJoining && !isRepeated && (step < -JUMP_BACK || step > JUMP_FORWARD)) return false
      this.#isRepeating &&= isRepeated
      this.#isJoining = false
    }
    // A frame that is not newer than the last one, such as audio that runs ahead of video, was already sent.
    track.isSkipping = step <= 0
    if (track.isSkipping) {
      track.counterShift = undefined
      return true
    }
    if (time !== undefined) {
      sentState.time = time
      sentState.at = this.#now()
    }
    if (pts >= 0) writeTimestamp(packet, pts, addTime(readTimestamp(packet, pts), offset))
    if (dts >= 0) writeTimestamp(packet, dts, addTime(readTimestamp(packet, dts), offset))
    return true
  }

  /** Moves the clock reference of a packet, so that it always increases. */
  #rewritePcr(packet: Buffer): void {
    const offset = pcrOffset(packet)
    if (offset < 0) return
    this.#pcr = readPcr(packet, offset)
    const moved = addTime(this.#pcr, this.#timeOffset)
    const isLate = this.#sentPcr !== undefined && timeDifference(moved, this.#sentPcr) <= 0
    this.#sentPcr = isLate ? addTime(this.#sentPcr ?? 0, 1) : moved
    writePcr(packet, offset, this.#sentPcr)
  }

  /** Notes the newest clock reference of packets that are not passed on. */
  #readClocks(data: Buffer): void {
    for (let start = 0; start < data.length; start += TS_PACKET_SIZE) {
      const packet = data.subarray(start, start + TS_PACKET_SIZE)
      const offset = pcrOffset(packet)
      if (offset >= 0) this.#pcr = readPcr(packet, offset)
    }
  }

  #appendTables(): void {
    this.#out.append(this.#nextPat())
    this.#out.append(this.#nextPmt())
  }

  /** The packets with which the table of a packet is replaced, if it is one. */
  #nextTable(result: Rewriting): Buffer | undefined {
    if (result === 'replace-pat') return this.#nextPat()
    return result === 'replace-pmt' ? this.#nextPmt() : undefined
  }

  #nextPat(): Buffer {
    return this.#sent.withCounters(this.#output.pat, 0, true)
  }

  #nextPmt(): Buffer {
    return this.#sent.withCounters(this.#output.pmt, this.#output.pmtPid, true)
  }

  /** PAT and PMT as they were last sent. */
  #sentTables(): Buffer {
    const { pat, pmt, pmtPid } = this.#output
    return Buffer.concat([this.#sent.withCounters(pat, 0, false), this.#sent.withCounters(pmt, pmtPid, false)])
  }
}
