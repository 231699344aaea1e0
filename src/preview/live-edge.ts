// Keeps a video at the live edge of the media that has been received.

/** Seconds behind the end of the received media: at the start, and at most after interruptions. */
const TARGET_MIN = 0.4
const TARGET_MAX = 0.9
/** Added to the target after each interruption. */
const TARGET_STEP = 0.15
/** Seconds behind the target above which the video plays faster, and above which it jumps. */
const FAST = 0.2
const JUMP = 0.9
const FAST_RATE = 1.1
/** Milliseconds between two jumps: decoding from the last key frame takes time. */
const JUMP_INTERVAL = 1500

type TimeRangesLike = Pick<TimeRanges, 'length' | 'start' | 'end'>

export interface LiveVideo {
  readonly buffered: TimeRangesLike
  currentTime: number
  playbackRate: number
}

export class LiveEdge {
  readonly #video: LiveVideo
  #target = TARGET_MIN
  #jumpedAt = Number.NEGATIVE_INFINITY

  constructor(video: LiveVideo) {
    this.#video = video
  }

  /** The video ran out of media: it keeps more from now on. */
  noteInterruption(): void {
    this.#target = Math.min(TARGET_MAX, this.#target + TARGET_STEP)
  }

  /** Call after media has arrived. @param now milliseconds */
  follow(now: number): void {
    const video = this.#video
    const { buffered, currentTime } = video
    if (buffered.length === 0) return
    const last = buffered.length - 1
    const [start, end] = [buffered.start(last), buffered.end(last)]
    const late = end - currentTime - this.#target
    const isOutside = currentTime < start || currentTime > end
    if (isOutside || (late > JUMP && now - this.#jumpedAt > JUMP_INTERVAL)) {
      video.currentTime = Math.max(start, end - this.#target)
      this.#jumpedAt = now
    }
    video.playbackRate = late > FAST ? FAST_RATE : 1
  }
}
