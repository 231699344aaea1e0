// Finds tracks that vanish from a stream that goes on, and codecs that change in the middle of it. Times are
// milliseconds.
import type { Reason } from '../../contract/stream/reason.ts'
import type { RelaySource } from '../interfaces/relay.ts'
import type { StreamTrack, TrackKind } from '../mpegts/format-reader.ts'

/** Time without a packet after which a track is lost. */
const LOST_TIME = 2000
/** Time for which a track has to arrive without such a gap to be expected: a still picture, or a late start, is not. */
const STEADY_TIME = 3000
/** Time without media after which tracks have as long again to arrive. */
const PAUSE_TIME = 1000
/** Time without media after which the source is another one, from which nothing is expected. */
const FORGET_TIME = 60_000
/** Time for which a change of codecs is the reason of an input. */
const CHANGE_SHOWN = 30_000

/** Kinds of tracks of an input, for the switch rule. */
export interface TrackKinds {
  /** Of tracks that arrive. */
  live: readonly TrackKind[]
  /** Of tracks that have vanished, or that have no content because the device has no input signal. */
  missing: readonly TrackKind[]
  /** Whether it is a device without a signal at its own input. */
  hasNoSignal?: true
}

interface KnownTrack {
  kind: TrackKind
  pid: number
  /** When its last packet arrived. */
  liveAt: number
  /** Since when it has arrived without a gap of `LOST_TIME`. */
  steadySince: number
  isExpected: boolean
  /** When media went on after a pause in which it was not lost: since then it has time to arrive again. */
  awaitedSince: number
}

export class TrackWatch {
  /** In the order of their first appearance. A track stays when it is lost. */
  #tracks: KnownTrack[] = []
  #mediaAt: number | undefined
  #codecs: readonly StreamTrack[] = []
  #change: { at: number; reason: Reason } | undefined

  /**
   * Adds a report.
   * @param tracks of the program that is received
   * @param hasMedia whether media has arrived since the last report
   */
  add(tracks: readonly StreamTrack[], ages: RelaySource['ages'], hasMedia: boolean, now: number): void {
    if (hasMedia) this.#resume(now)
    this.#compareCodecs(tracks, now)
    for (const track of tracks) {
      const age = ages.get(track.pid)
      if (age !== undefined) this.#update(track, tracks, now - age)
    }
  }

  /** The track whose loss matters most, or a recent change of the codecs. */
  reason(now: number): Reason | undefined {
    const lost = this.#tracks.filter((track) => this.#isLost(track))
    if (lost.some(({ kind }) => kind === 'video')) return 'video-lost'
    const audio = this.#tracks.filter(({ kind, isExpected }) => kind === 'audio' && isExpected)
    const [first] = lost
    if (first) return lost.length === audio.length ? 'audio-lost' : `audio-track-lost ${audio.indexOf(first) + 1}`
    return this.#change && now - this.#change.at < CHANGE_SHOWN ? this.#change.reason : undefined
  }

  kinds(): TrackKinds {
    const isLost = (track: KnownTrack) => this.#isLost(track)
    const isLive = ({ liveAt }: KnownTrack) => (this.#mediaAt ?? 0) - liveAt <= LOST_TIME
    return { live: kindsOf(this.#tracks.filter(isLive)), missing: kindsOf(this.#tracks.filter(isLost)) }
  }

  #resume(now: number): void {
    const pause = this.#mediaAt === undefined ? 0 : now - this.#mediaAt
    if (pause > PAUSE_TIME) for (const track of this.#tracks) if (!this.#isLost(track)) track.awaitedSince = now
    this.#mediaAt = now
    if (pause <= FORGET_TIME) return
    this.#tracks = []
    this.#codecs = []
    this.#change = undefined
  }

  /** @param at when its last packet arrived */
  #update({ kind, pid }: StreamTrack, all: readonly StreamTrack[], at: number): void {
    const isGone = (track: KnownTrack) => !all.some((each) => each.pid === track.pid && each.kind === track.kind)
    const track =
      this.#tracks.find((each) => each.kind === kind && each.pid === pid) ??
      // A sender that starts again may use another PID.
      this.#tracks.find((each) => each.kind === kind && isGone(each))
    if (!track) {
      this.#tracks.push({ kind, pid, liveAt: at, steadySince: at, isExpected: false, awaitedSince: 0 })
      return
    }
    track.pid = pid
    if (at - track.liveAt > LOST_TIME) track.steadySince = at
    track.liveAt = Math.max(track.liveAt, at)
    track.isExpected ||= track.liveAt - track.steadySince >= STEADY_TIME
  }

  /** Whether a track has no packets although other packets arrive. */
  #isLost({ isExpected, liveAt, awaitedSince }: KnownTrack): boolean {
    return isExpected && this.#mediaAt !== undefined && this.#mediaAt - Math.max(liveAt, awaitedSince) > LOST_TIME
  }

  /** A codec in place of another one is a change; a track that is only lost, or added, is not. */
  #compareCodecs(tracks: readonly StreamTrack[], now: number): void {
    if (tracks.length === 0) return
    const before = this.#codecs
    this.#codecs = tracks
    const isReplaced = (kind: TrackKind) => {
      const [old, current] = [before, tracks].map((list) => list.filter((each) => each.kind === kind))
      const differs = (list: readonly StreamTrack[] = [], other: readonly StreamTrack[] = []) =>
        list.some(({ codec }) => !other.some((each) => each.codec === codec))
      return differs(old, current) && differs(current, old)
    }
    if (isReplaced('video') || isReplaced('audio'))
      this.#change = { at: now, reason: `codecs-changed ${describeCodecs(before)} → ${describeCodecs(tracks)}` }
  }
}

const kindsOf = (tracks: readonly KnownTrack[]): TrackKind[] => [...new Set(tracks.map(({ kind }) => kind))]

/** The codecs of all tracks: `H.264, AAC, AAC`. */
export const describeCodecs = (tracks: readonly { codec: string }[]): string =>
  tracks.map(({ codec }) => codec).join(', ')
