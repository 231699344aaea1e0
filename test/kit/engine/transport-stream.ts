// Reads MPEG-TS (ISO/IEC 13818-1, 2.4.3) for tests; shares no code with the engine.

const PACKET = 188
const NULL_PID = 0x1fff

export interface StreamFaults {
  /**
   * Gaps in continuity counters and jumps of clock references that no discontinuity indicator announces, each with its
   * packet number.
   */
  unmarked: string[]
  /** Packets with the discontinuity indicator. */
  marked: number
}

const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & NULL_PID
const flagsOf = (packet: Buffer) => (((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) > 0 ? (packet[5] ?? 0) : 0)

/** The packets of a stream. Throws if it contains anything else. */
export function packetsOf(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = []
  for (let offset = 0; offset + PACKET <= bytes.length; offset += PACKET) {
    if (bytes[offset] !== 0x47) throw new Error(`No packet at byte ${offset}`)
    packets.push(bytes.subarray(offset, offset + PACKET))
  }
  return packets
}

export const pidsOf = (bytes: Buffer): Set<number> => new Set(packetsOf(bytes).map(pidOf))

/** Checks continuity counters (2.4.3.3) and program clock references, which must increase by at most a second. */
export function checkStream(bytes: Buffer): StreamFaults {
  const faults: StreamFaults = { unmarked: [], marked: 0 }
  const counters = new Map<number, number>()
  const clocks = new Map<number, number>()
  for (const [index, packet] of packetsOf(bytes).entries()) {
    const pid = pidOf(packet)
    if (pid === NULL_PID) continue
    const isMarked = (flagsOf(packet) & 0x80) !== 0
    if (isMarked) faults.marked++
    const counter = (packet[3] ?? 0) & 15
    const last = counters.get(pid)
    const hasPayload = ((packet[3] ?? 0) & 0x10) !== 0
    const isNext = last === undefined || counter === ((last + (hasPayload ? 1 : 0)) & 15)
    if (!isNext && !isMarked) faults.unmarked.push(`packet ${index}, PID ${pid}: counter ${last} to ${counter}`)
    counters.set(pid, counter)
    if ((flagsOf(packet) & 0x10) === 0) continue
    const clock = (packet.readUInt32BE(6) * 2 + ((packet[10] ?? 0) >> 7)) / 90_000
    const step = clock - (clocks.get(pid) ?? clock)
    if ((step < 0 || step > 1) && !isMarked) faults.unmarked.push(`packet ${index}, PID ${pid}: clock ${step} s`)
    clocks.set(pid, clock)
  }
  return faults
}
