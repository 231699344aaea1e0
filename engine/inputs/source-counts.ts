import type { ObservedLeg } from '../interfaces/channel.ts'
import type { RelaySource } from '../interfaces/relay.ts'
import { FormatReader } from '../mpegts/format/format-reader.ts'

type Counts = Pick<RelaySource, 'bytes' | 'gaps' | 'lost' | 'invalidBytes'>

const NO_COUNTS: Counts = { bytes: 0, gaps: 0, lost: 0, invalidBytes: 0 }

/** Counts of an input over the lives of its relays, each of which counts from 0. */
export class SourceCounts {
  #last: Counts = NO_COUNTS
  /** Gaps in the continuity counters of MPEG-TS. */
  gaps = 0
  /** Lost RTP packets. */
  lost = 0
  /** Bytes of the current run that are not MPEG-TS. */
  invalidBytes = 0
  readonly #format = new FormatReader()
  #programs: RelaySource['programs'] = []

  /** Adds a report. Returns the bytes of media since the last one. */
  add(source: RelaySource): number {
    const last = this.#last
    this.#last = source
    this.gaps += source.gaps - last.gaps
    this.lost += source.lost - last.lost
    this.invalidBytes += source.invalidBytes - last.invalidBytes
    this.#programs = source.programs
    this.#format.add(source.format)
    return source.bytes - last.bytes
  }

  /** The programs of a source that has several, and the format that arrives. */
  describeSource(): Pick<ObservedLeg, 'programs' | 'format'> {
    const programs = this.#programs
    const format = this.#format.format(programs.length)
    return { ...(programs.length > 1 && { programs }), ...(format && { format }) }
  }

  /** A run starts. */
  startRun(): void {
    this.invalidBytes = 0
  }

  /** The relay has ended. */
  startRelay(): void {
    this.#last = NO_COUNTS
  }
}
