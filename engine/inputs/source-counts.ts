import type { ObservedLeg } from '../interfaces/channel.ts'
import type { RelaySource, TransportCounts } from '../interfaces/relay.ts'
import { FormatReader } from '../mpegts/format-reader.ts'
import { TS_PACKET_SIZE } from '../mpegts/packet.ts'
import { TransportTotals } from '../stats/transport-totals.ts'
import { type TrackKinds, TrackWatch } from './track-watch.ts'

type Counts = Pick<RelaySource, 'bytes' | 'gaps' | 'lost' | 'invalidBytes'>

const NO_COUNTS: Counts = { bytes: 0, gaps: 0, lost: 0, invalidBytes: 0 }
/** Milliseconds for which bytes that are not MPEG-TS are the reason that there is no media. */
const INVALID_SHOWN = 3000

/** Counts of an input over the lives of its relays, each of which counts from 0. */
export class SourceCounts {
  #last: Counts = NO_COUNTS
  /** Gaps in the continuity counters of MPEG-TS. */
  gaps = 0
  /** Lost RTP packets. */
  lost = 0
  readonly #transport = new TransportTotals()
  /** Bytes of the current run since its last media that are not MPEG-TS, and when there were more of them. */
  #invalidBytes = 0
  #invalidAt = 0
  readonly #format = new FormatReader()
  readonly #tracks = new TrackWatch()
  #programs: RelaySource['programs'] = []

  /** Adds a report. Returns the bytes of media since the last one. @param now milliseconds, as in all methods */
  add(source: RelaySource, now: number): number {
    const last = this.#last
    const invalid = source.invalidBytes - last.invalidBytes
    this.#last = source
    this.gaps += source.gaps - last.gaps
    this.lost += source.lost - last.lost
    this.#transport.add(source.transport)
    this.#invalidBytes = source.bytes > last.bytes ? 0 : this.#invalidBytes + invalid
    if (invalid > 0) this.#invalidAt = now
    this.#programs = source.programs
    this.#format.add(source.format)
    this.#tracks.add(this.#format.tracks(), source.ages, source.bytes > last.bytes, now)
    return source.bytes - last.bytes
  }

  /**
   * The programs of a source that has several, the format that arrives, and what is wrong with its tracks.
   * @param uncarried codecs of tracks that MPEG-TS cannot carry
   */
  describeSource(now: number, uncarried: readonly string[]): Pick<ObservedLeg, 'programs' | 'format' | 'reason'> {
    const programs = this.#programs
    const format = this.#format.format(programs.length)
    const reason = this.#tracks.reason(now)
    return {
      ...(programs.length > 1 && { programs }),
      ...(format && { format: { ...format, ...(uncarried.length > 0 && { 'not-carried': [...uncarried] }) } }),
      ...(reason && { reason })
    }
  }

  /** The errors of the transport stream. */
  transport(): TransportCounts {
    return this.#transport.counts()
  }

  /** The tracks that arrive, and those that have vanished. */
  trackKinds(): TrackKinds {
    return this.#tracks.kinds()
  }

  /** Whether bytes arrive that are not MPEG-TS, and no media. */
  isInvalid(now: number): boolean {
    return this.#invalidBytes > TS_PACKET_SIZE && now - this.#invalidAt < INVALID_SHOWN
  }

  /** A run starts. */
  startRun(): void {
    this.#invalidBytes = 0
  }

  /** The relay has ended. */
  startRelay(): void {
    this.#last = NO_COUNTS
    this.#transport.setBaseline()
  }
}
