// Makes one MPEG-TS of several that follow each other, so that who takes it need not be set up anew: the same PIDs, times and
// continuity counters that only grow, and a discontinuity indicator where another stream begins.

import { type Elementary, type Programme, patSection, pmtSection, readTables, sectionPackets } from './tables.ts'
import { apart, moved, pcrAt, readPcr, readTime, SECOND, timesAt, writePcr, writeTime } from './timestamps.ts'

const PACKET = 188
const NULL_PID = 0x1fff
/** Where free PIDs are looked for. */
const FIRST_PID = 0x100
/** Units of 90 kHz from the last frame of one stream to the first of the next, at least: one at 25 frames a second. */
const FRAME = SECOND / 25
/** A stream whose times jump by more than this has begun anew. */
const JUMP_BACK = 2 * SECOND
const JUMP_ON = 10 * SECOND

/** Stream types of table 2-34, and those of others that are common. */
const VIDEO = new Set([1, 2, 16, 27, 32, 33, 36, 51, 66, 234])
const AUDIO = new Set([3, 4, 15, 17, 28, 129, 130, 131, 132, 133, 134, 135])

export interface Splice {
  /** Packets of the present stream, as `Tap.media` has them. */
  take(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** What comes next is another stream: it begins with its first key frame. */
  cut(): void
  /** Stream types of what was last given. */
  types(): number[]
}

export interface SpliceSink {
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The next stream has other codecs, or other tracks. */
  different(): void
}

/** A track as it is given: what it was in the present stream is a key of `tracks`. */
interface Track {
  pid: number
  /** What it is among the tracks: its kind, and which of that kind. */
  role: string
  /** Added to its continuity counter; undefined until its first packet. */
  shift: number | undefined
  /** A frame that must not be given, or none that is whole, is under way. */
  skips: boolean
}

/** What was last given on a PID. */
interface Given {
  /** Undefined before the first packet. */
  counter: number | undefined
  /** Of the last frame: its decoding time, and when it was given. */
  time: number | undefined
  at: number
}

/** @param now milliseconds of a clock that never goes back */
export function createSplice(sink: SpliceSink, now: () => number): Splice {
  const pids = new Map<string, number>()
  const given = new Map<number, Given>()
  let tracks = new Map<number, Track>()
  let programme: Programme | undefined
  let pat: Buffer = Buffer.alloc(0)
  let pmt: Buffer = Buffer.alloc(0)
  let source: Buffer | undefined
  let flowing = false
  let begun = false
  let offset = 0
  let version = -1
  let shape = ''
  /** The newest clock reference of the present stream, and of what was given. */
  let pcr: number | undefined
  let givenPcr: number | undefined
  let leadPid = -1
  let pmtPid = -1

  const givenOn = (pid: number): Given => {
    let one = given.get(pid)
    if (!one) {
      one = { counter: undefined, time: undefined, at: 0 }
      given.set(pid, one)
    }
    return one
  }

  /** The PID that a role has for ever: that of the first stream that had it, where it is free. */
  function pidOf(role: string, wished: number): number {
    const known = pids.get(role)
    if (known !== undefined) return known
    const taken = new Set(pids.values())
    let pid = wished
    if (taken.has(pid)) pid = FIRST_PID
    while (taken.has(pid)) pid++
    pids.set(role, pid)
    return pid
  }

  /** Takes up the tables of the present stream. */
  function arrange(tables: Buffer): boolean {
    const found = readTables(tables)
    if (!found) return false
    source = Buffer.from(tables)
    pmtPid = found.pmtPid
    const counts = new Map<string, number>()
    const was = flowing ? tracks : new Map<number, Track>()
    tracks = new Map()
    const outPmt = pidOf('pmt', found.pmtPid)
    const streams: Elementary[] = found.streams.map((stream) => {
      const kind = VIDEO.has(stream.type) ? 'video' : AUDIO.has(stream.type) ? 'audio' : `type ${stream.type}`
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      const role = `${kind} ${count}`
      const pid = pidOf(role, stream.pid)
      const same = was.get(stream.pid)
      tracks.set(stream.pid, same?.role === role ? same : { pid, role, shift: undefined, skips: true })
      return { ...stream, pid }
    })
    const clock = tracks.get(found.pcrPid)?.pid ?? pidOf('clock', found.pcrPid)
    if (!tracks.has(found.pcrPid)) {
      const same = was.get(found.pcrPid)
      const fresh = { pid: clock, role: 'clock', shift: undefined, skips: false }
      tracks.set(found.pcrPid, same?.role === 'clock' ? same : fresh)
    }
    const next: Programme = {
      ...found,
      number: programme?.number ?? found.number,
      pmtPid: outPmt,
      pcrPid: clock,
      streams
    }
    const before = programme && pmtSection(programme, 0)
    if (!before?.equals(pmtSection(next, 0))) version++
    programme = next
    pat = sectionPackets(0, patSection(next, 0))
    pmt = sectionPackets(outPmt, pmtSection(next, version))
    const shaped = streams.map(({ pid, type }) => `${pid} ${type}`).join()
    if (shape !== '' && shape !== shaped) sink.different()
    shape = shaped
    return true
  }

  /** A table with its counters: those after the last ones when it is sent, else the last ones. */
  function counted(packets: Buffer, pid: number, sent: boolean): Buffer {
    const one = givenOn(pid)
    const copy = Buffer.from(packets)
    let counter = (one.counter ?? 15) + (sent ? 0 : 16 - packets.length / PACKET)
    for (let at = 0; at < copy.length; at += PACKET) copy[at + 3] = 0x10 | (++counter & 15)
    if (sent) one.counter = counter & 15
    return copy
  }

  const outPmtPid = () => pids.get('pmt') ?? 0
  const sendPat = () => counted(pat, 0, true)
  const sendPmt = () => counted(pmt, outPmtPid(), true)
  const tablesGiven = () => Buffer.concat([counted(pat, 0, false), counted(pmt, outPmtPid(), false)])

  /** Chooses what is added to all times, so that the first frame comes after the last one by the time that has passed. */
  function join(first: Buffer): void {
    leadPid = first.readUInt16BE(1) & 0x1fff
    const clock = pcrAt(first)
    if (clock >= 0) pcr = readPcr(first, clock)
    const track = tracks.get(leadPid)
    const time = decodingTime(first)
    const last = track && given.get(track.pid)
    if (!begun) offset = 0
    else if (time !== undefined) {
      // The first of its kind follows whatever was given last.
      const lead = last?.time === undefined ? latest() : last
      if (lead?.time !== undefined) {
        const passed = Math.max(FRAME, Math.round(((now() - lead.at) * SECOND) / 1000))
        offset = apart(moved(lead.time, passed), time)
      }
      if (pcr !== undefined && givenPcr !== undefined) {
        const behind = apart(givenPcr, moved(pcr, offset))
        if (behind >= 0) offset += behind + 1
      }
    }
    for (const one of tracks.values()) {
      one.shift = undefined
      one.skips = one.role !== 'clock'
    }
  }

  function latest(): Given | undefined {
    return [...given.values()].filter((one) => one.time !== undefined).sort((a, b) => b.at - a.at)[0]
  }

  /** Puts one packet into the new stream. @returns false where the times of the stream jump */
  function pass(packet: Buffer, pid: number, out: Buffer[]): boolean {
    const track = tracks.get(pid)
    if (!track) {
      if (pid === NULL_PID) out.push(packet)
      return true
    }
    const control = packet[3] ?? 0
    const payload = (control & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0)
    const carries = (control & 0x10) !== 0 && payload < PACKET
    const one = givenOn(track.pid)
    if (carries && ((packet[1] ?? 0) & 0x40) !== 0 && track.role !== 'clock') {
      const { pts, dts } = timesAt(packet, payload)
      const time = pts < 0 ? undefined : moved(readTime(packet, dts < 0 ? pts : dts), offset)
      const step = time === undefined || one.time === undefined ? FRAME : apart(time, one.time)
      if (pid === leadPid && (step < -JUMP_BACK || step > JUMP_ON)) return false
      // What was given already, as sound that runs ahead of the picture, is not given twice.
      track.skips = step <= 0
      if (track.skips) track.shift = undefined
      else if (time !== undefined) {
        one.time = time
        one.at = now()
      }
      if (!track.skips && pts >= 0) {
        writeTime(packet, pts, moved(readTime(packet, pts), offset))
        if (dts >= 0) writeTime(packet, dts, moved(readTime(packet, dts), offset))
      }
    }
    if (track.skips) return true
    if (track.shift === undefined) {
      if (one.counter === undefined) track.shift = 0
      else {
        out.push(discontinuity(track.pid, one.counter))
        track.shift = one.counter + (carries ? 1 : 0) - (control & 15)
      }
    }
    packet[1] = ((packet[1] ?? 0) & 0xe0) | (track.pid >> 8)
    packet[2] = track.pid & 0xff
    one.counter = ((control & 15) + track.shift + 16) & 15
    packet[3] = (control & 0xf0) | one.counter
    const clock = pcrAt(packet)
    if (clock >= 0) {
      pcr = readPcr(packet, clock)
      const shown = moved(pcr, offset)
      const late = givenPcr !== undefined && apart(shown, givenPcr) <= 0
      givenPcr = late ? moved(givenPcr ?? 0, 1) : shown
      writePcr(packet, clock, givenPcr)
    }
    out.push(packet)
    return true
  }

  function take(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if ((!flowing || !source?.equals(tables)) && !arrange(tables)) return
    const out: Buffer[] = []
    let from = 0
    if (!flowing) {
      from = starts[0] ?? data.length
      for (let at = 0; at < from; at += PACKET) noteClock(data.subarray(at, at + PACKET))
      if (from === data.length) return
      join(data.subarray(from, from + PACKET))
      flowing = true
      if (begun) out.push(sendPat(), sendPmt())
    }
    const copy = Buffer.from(data.subarray(from))
    const begins: number[] = []
    let length = lengthOf(out)
    let at = 0
    for (; at < copy.length; at += PACKET) {
      const packet = copy.subarray(at, at + PACKET)
      const pid = packet.readUInt16BE(1) & 0x1fff
      const count = out.length
      if (pid === 0 || pid === pmtPid) {
        if (((packet[1] ?? 0) & 0x40) !== 0) out.push(pid === 0 ? sendPat() : sendPmt())
      } else if (!pass(packet, pid, out)) break
      if (out.length === count) continue
      length += lengthOf(out, count)
      if (starts.includes(from + at)) begins.push(length - PACKET)
    }
    if (length > 0) {
      begun = true
      sink.media(Buffer.concat(out), begins, tablesGiven())
    }
    if (at === copy.length) return
    // The times of the stream jump: it has begun anew, and is joined again where a decoder can start.
    flowing = false
    const rest = from + at
    take(
      data.subarray(rest),
      starts.filter((start) => start >= rest).map((start) => start - rest),
      tables
    )
  }

  return {
    take,
    cut() {
      flowing = false
      pcr = undefined
    },
    types: () => programme?.streams.map(({ type }) => type) ?? []
  }

  function noteClock(packet: Buffer): void {
    const clock = pcrAt(packet)
    if (clock >= 0) pcr = readPcr(packet, clock)
  }
}

const lengthOf = (parts: readonly Buffer[], from = 0) =>
  parts.slice(from).reduce((length, part) => length + part.length, 0)

function decodingTime(packet: Buffer): number | undefined {
  const payload = ((packet[3] ?? 0) & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0)
  const { pts, dts } = timesAt(packet, payload)
  return pts < 0 ? undefined : readTime(packet, dts < 0 ? pts : dts)
}

/** A packet without payload that says: what follows on this PID is another stream. */
function discontinuity(pid: number, counter: number): Buffer {
  const packet = Buffer.alloc(PACKET, 0xff)
  packet.set([0x47, pid >> 8, pid & 0xff, 0x20 | counter, PACKET - 5, 0x80])
  return packet
}
