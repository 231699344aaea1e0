// Decides from samples of one input which checks of its content have found a fault: a fault has lasted for its time,
// and ends with the first sample without it. Times are milliseconds of the caller's clock.
import { CONTENT_CHECKS, type ContentCheck, type ContentState } from '../../contract/stream/content-checks.ts'
import type { ContentReport } from '../../contract/stream/content-report.schema.ts'
import type { ContentSettings, ExpectedFormat } from '../../contract/stream/content-settings.schema.ts'
import { differingFormat, type StreamFormat } from '../../contract/stream/format.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { PictureSample } from './picture-meter.ts'
import type { SoundSample } from './sound-meter.ts'

/** Milliseconds after which a sample says nothing any more: of pictures, whose key frames can be rare, and of sound. */
const PICTURE_AGE = 30_000
const SOUND_AGE = 5000
/** The same while inputs are checked in turns. */
const AGE_IN_TURNS = 180_000
/** Peak in dBFS of a clipped half second. */
const CLIPPED_PEAK = -0.1
/** Mean phase of inverted sound, and the peak in dBFS from which the phase matters. */
const INVERTED_PHASE = -0.6
const INVERTED_PEAK = -50
/** Seconds of the level curve of a fault, and half seconds of sound in one. */
const CURVE_SECONDS = 60
const BLOCKS_PER_SECOND = 2

type SoundCheck = 'silent' | 'loud' | 'quiet' | 'clipped' | 'phase-inverted'

const SOUND_CHECKS: readonly SoundCheck[] = ['silent', 'phase-inverted', 'clipped', 'loud', 'quiet']

/** One check of an input. */
class Condition {
  /** When the last sample was taken, and the first of those in a row that were bad. */
  #lastAt: number | undefined
  #badSince: number | undefined
  #isFault = false

  /** @param time milliseconds for which samples have to be bad @param maxGap between two samples in a row */
  add(isBad: boolean, now: number, time: number, maxGap: number): void {
    const isContinued = this.#lastAt !== undefined && now - this.#lastAt <= maxGap
    this.#lastAt = now
    if (!isBad) {
      this.#badSince = undefined
      this.#isFault = false
      return
    }
    if (this.#badSince === undefined || !isContinued) this.#badSince = now
    this.#isFault ||= now - this.#badSince >= time
  }

  /** A fault stands until a sample shows that it has ended. */
  state(now: number, maxAge: number): ContentState {
    if (this.#isFault) return 'bad'
    return this.#lastAt !== undefined && now - this.#lastAt <= maxAge ? 'good' : 'unknown'
  }
}

export class ContentConditions {
  #settings: ContentSettings
  #conditions = new Map<ContentCheck, Condition>()
  #format: StreamFormat | undefined
  #isInTurns = false
  /** Peaks of the last minute by second, and how many half seconds the newest one has. */
  #peaks: number[] = []
  #blocks = 0
  /** The peaks when the fault was found that there is now. */
  #faultPeaks: readonly number[] | undefined

  constructor(settings: ContentSettings) {
    this.#settings = settings
  }

  /** Changes the settings. What a check has found stays, unless it is turned off. */
  update(settings: ContentSettings): void {
    this.#settings = settings
    for (const check of CONTENT_CHECKS) if (!settings[check].enable) this.#conditions.delete(check)
  }

  /** Forgets everything: the input has no media, or another stream follows. */
  reset(): void {
    this.#conditions.clear()
    this.#format = undefined
    this.#peaks = []
    this.#blocks = 0
    this.#faultPeaks = undefined
  }

  addPicture({ isBlack, hasChanged }: PictureSample, now: number): void {
    const gap = this.#maxAge(PICTURE_AGE)
    this.#add('black', isBlack, now, gap)
    if (hasChanged !== undefined) this.#add('frozen', !hasChanged, now, gap)
  }

  addSound({ peak, loudness, phase }: SoundSample, now: number): void {
    const { silent, loud, quiet } = this.#settings
    const gap = this.#maxAge(SOUND_AGE)
    this.#recordPeak(peak)
    this.#add('silent', peak <= silent.level, now, gap)
    this.#add('clipped', peak >= CLIPPED_PEAK, now, gap)
    this.#add('phase-inverted', peak >= INVERTED_PEAK && phase <= INVERTED_PHASE, now, gap)
    if (loudness === undefined) return
    this.#add('loud', loudness >= loud.level, now, gap)
    this.#add('quiet', loudness <= quiet.level, now, gap)
  }

  /** Call about twice a second. @param isInTurns whether inputs are checked in turns */
  tick(format: StreamFormat | undefined, isInTurns: boolean, now: number): void {
    this.#isInTurns = isInTurns
    this.#format = format
    if (format) this.#add('unexpected-format', describeDifference(format, this.#expected) !== '', now, SOUND_AGE)
    if (this.#faults(now).length === 0) this.#faultPeaks = undefined
    else this.#faultPeaks ??= [...this.#peaks]
  }

  /** The peaks of the sound in dBFS when the present fault was found, by second, oldest first. */
  levels(): readonly number[] | undefined {
    return this.#faultPeaks
  }

  /** The checks that are on and apply: a stream without sound is not silent. */
  checks(now: number): ContentReport['checks'] {
    return CONTENT_CHECKS.filter((check) => this.#settings[check].enable && this.#applies(check)).map((check) => ({
      check,
      state: this.#state(check, now)
    }))
  }

  /** The fault that explains a verdict, if there is one. */
  reason(now: number): Reason | undefined {
    const [check] = this.#faults(now)
    if (check !== 'unexpected-format' || !this.#format) return check
    return `unexpected-format ${describeDifference(this.#format, this.#expected)}`
  }

  /** Whether there is a fault because of which a backup takes over. */
  switchesOver(now: number): boolean {
    return this.#faults(now).some((check) => this.#settings[check].failover)
  }

  #recordPeak(peak: number): void {
    const rounded = Math.round(peak * 10) / 10
    if (this.#blocks % BLOCKS_PER_SECOND === 0) this.#peaks.push(rounded)
    else this.#peaks.push(Math.max(rounded, this.#peaks.pop() ?? rounded))
    this.#blocks++
    if (this.#peaks.length > CURVE_SECONDS) this.#peaks.shift()
  }

  get #expected(): ExpectedFormat {
    return this.#settings['unexpected-format'].expected
  }

  #faults(now: number): ContentCheck[] {
    return CONTENT_CHECKS.filter((check) => this.#applies(check) && this.#state(check, now) === 'bad')
  }

  #state(check: ContentCheck, now: number): ContentState {
    const age = check === 'black' || check === 'frozen' ? PICTURE_AGE : SOUND_AGE
    return this.#conditions.get(check)?.state(now, this.#maxAge(age)) ?? 'unknown'
  }

  #maxAge(age: number): number {
    return this.#isInTurns ? AGE_IN_TURNS : age
  }

  #applies(check: ContentCheck): boolean {
    if (!this.#format) return true
    if (check === 'black' || check === 'frozen') return this.#format.video !== undefined
    return !(SOUND_CHECKS as readonly ContentCheck[]).includes(check) || this.#format.audio.length > 0
  }

  #add(check: ContentCheck, isBad: boolean, now: number, maxGap: number): void {
    const { enable, 'after-s': seconds } = this.#settings[check]
    if (!enable) return
    let condition = this.#conditions.get(check)
    if (!condition) {
      condition = new Condition()
      this.#conditions.set(check, condition)
    }
    condition.add(isBad, now, seconds * 1000, maxGap)
  }
}

/** What arrives in place of what is expected; empty if nothing differs, or it is not known yet. */
function describeDifference(format: StreamFormat, { width, height, fps, channels, ...codecs }: ExpectedFormat): string {
  const { video, audio } = format
  const differing = differingFormat(format, {
    // A size of which one side may be any is that of the picture.
    ...((width ?? height) && { width: width ?? video?.width, height: height ?? video?.height }),
    ...(fps && { fps }),
    ...(channels && { channels })
  })
  const codecOf = (wanted: string | undefined, codec: string | undefined) =>
    wanted && codec && wanted.toLowerCase() !== codec.toLowerCase() ? codec : undefined
  const parts = [
    codecOf(codecs['video-codec'], video?.codec),
    differing.width && `${video?.width}x${video?.height}`,
    differing.fps && `${video?.fps} fps`,
    codecOf(codecs['audio-codec'], audio[0]?.codec),
    differing.channels && `${audio[0]?.channels} ch`
  ]
  return parts.filter(Boolean).join(', ')
}
