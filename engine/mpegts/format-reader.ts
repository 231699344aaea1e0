// The format of the stream that arrives at an input, from the samples that its relay takes.
import type { AudioFormat, StreamFormat, VideoFormat } from '../../contract/stream/format.ts'
import type { FormatSamples } from '../interfaces/relay.ts'
import { readAudioHeaders } from './audio-headers.ts'
import { audioCodecName, videoCodecName } from './codec-names.ts'
import { readPmtSection, type TsProgram } from './tables.ts'
import { TICKS_PER_SECOND } from './timestamps.ts'
import { readVideoHeaders, type VideoHeaders } from './video-headers.ts'

/** Frame rates of broadcasting, which a measured rate is rounded to if it is this near, as a fraction. */
const RATES = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60]
const RATE_TOLERANCE = 0.0004
/** A distance of key frames that differs less, as a fraction, is not a change: encoders insert key frames at cuts. */
const INTERVAL_TOLERANCE = 0.2

/** Other streams, such as subtitles and data, may pause for any time. */
export type TrackKind = 'video' | 'audio'

/** A stream of the program that carries video or audio. */
export interface StreamTrack {
  pid: number
  kind: TrackKind
  /** Name of the codec. */
  codec: string
}

export class FormatReader {
  #program: TsProgram | undefined
  #videoHeaders: VideoHeaders | undefined
  /** By PID. */
  readonly #audio = new Map<number, AudioFormat>()
  #fps: number | undefined
  /** Values of the last group of pictures. */
  #lastRate: number | undefined
  #lastInterval: number | undefined
  #interval: number | undefined

  add({ pmt, samples, group }: FormatSamples): void {
    if (pmt) this.#setProgram(pmt)
    for (const [pid, bytes] of samples) this.#addSample(pid, bytes)
    if (group) this.#setGroup(group[0], group[1] / TICKS_PER_SECOND)
  }

  /** @param programs how many the source has @returns undefined until the program is known */
  format(programs: number): StreamFormat | undefined {
    const program = this.#program
    if (!program) return undefined
    const codec = program.streams.map(videoCodecName).find((name) => name !== undefined)
    const audio = program.streams.flatMap((stream) => {
      const name = audioCodecName(stream)
      return name === undefined ? [] : [this.#audio.get(stream.pid) ?? { codec: name }]
    })
    return { ...(codec !== undefined && { video: this.#video(codec) }), audio, program: program.number, programs }
  }

  /** The video and audio of the program, in its order. */
  tracks(): StreamTrack[] {
    return (this.#program?.streams ?? []).flatMap((stream): StreamTrack[] => {
      const video = videoCodecName(stream)
      if (video !== undefined) return [{ pid: stream.pid, kind: 'video', codec: video }]
      const audio = audioCodecName(stream)
      return audio === undefined ? [] : [{ pid: stream.pid, kind: 'audio', codec: audio }]
    })
  }

  #video(codec: string): VideoFormat {
    return {
      codec,
      ...this.#videoHeaders,
      ...(this.#fps !== undefined && { fps: this.#fps }),
      ...(this.#interval !== undefined && { 'key-interval-s': this.#interval })
    }
  }

  #setProgram(pmt: Buffer): void {
    this.#program = readPmtSection(pmt)
    this.#videoHeaders = undefined
    this.#audio.clear()
    this.#fps = undefined
    this.#interval = undefined
  }

  #addSample(pid: number, bytes: Buffer): void {
    const stream = this.#program?.streams.find((each) => each.pid === pid)
    if (!stream) return
    const video = videoCodecName(stream)
    if (video !== undefined) this.#videoHeaders = readVideoHeaders(video, bytes) ?? this.#videoHeaders
    const audio = audioCodecName(stream)
    const headers = audio === undefined ? undefined : readAudioHeaders(audio, bytes)
    if (headers) this.#audio.set(pid, headers)
  }

  #setGroup(frames: number, seconds: number): void {
    if (seconds <= 0) return
    const rate = roundRate(frames / seconds)
    // One group can have lost frames, or contain a restart of the source.
    if (this.#fps === undefined || rate === this.#lastRate) this.#fps = rate
    this.#lastRate = rate
    const interval = Math.round(10 * seconds) / 10
    const isNew = !isNear(interval, this.#interval) && isNear(interval, this.#lastInterval)
    if (this.#interval === undefined || isNew) this.#interval = interval
    this.#lastInterval = interval
  }
}

const isNear = (interval: number, other: number | undefined): boolean =>
  other !== undefined && Math.abs(interval - other) <= INTERVAL_TOLERANCE * other

/** To two decimals, and to a usual rate if that is near. */
function roundRate(rate: number): number {
  const usual = RATES.find((each) => Math.abs(rate - each) < RATE_TOLERANCE * each) ?? rate
  return Math.round(100 * usual) / 100
}
