// Flow control of a preview stream: limits the bytes in transit to the capacity of the line. The client acknowledges
// images, because the server cannot see beyond its own socket, whose buffers hold far more than a slow line carries.
// Without a limit the newest image, and the responses of calls, would queue behind old images.

/** Milliseconds that an image may take to arrive. It bounds the delay of images and calls. */
const LATENCY_MAX = 700
/** Factor by which the window shrinks below the estimate, so that queued data drains first. */
const SHRINK_FACTOR = 0.8
/** Bytes in transit. The maximum is the bandwidth-delay product of a fast, distant line. */
const WINDOW_INITIAL = 16 << 10
const WINDOW_MAX = 4 << 20
/** Milliseconds after which an acknowledgement is considered lost, because its socket closed. */
const ACKNOWLEDGEMENT_TIMEOUT = 8000

interface FlowControlOptions {
  /** Milliseconds. */
  now(): number
  /** Share of the time, up to 1, during which images may be in transit. Default: 1. */
  timeShare?: number
}

export class FlowControl {
  readonly #now: () => number
  readonly #timeShare: number
  /** Images in transit, oldest first. */
  readonly #inTransit: { bytes: number; sentAt: number }[] = []
  #acknowledged = 0
  #bytesInTransit = 0
  #window = WINDOW_INITIAL
  /** With a time share below 1: nothing is sent before this time. */
  #pauseUntil = 0
  /** Time at which the window last shrank; -1 = never. */
  #shrunkAt = -1

  constructor({ now, timeShare = 1 }: FlowControlOptions) {
    this.#now = now
    this.#timeShare = timeShare
  }

  /** Milliseconds until an image of this size may be sent; 0 = now. An acknowledgement can make it sooner. */
  wait(bytes: number): number {
    const [oldest] = this.#inTransit
    if (!oldest) return Math.max(0, this.#pauseUntil - this.#now())
    const untilTimeout = oldest.sentAt + ACKNOWLEDGEMENT_TIMEOUT - this.#now()
    if (untilTimeout <= 0) {
      this.#removeInTransit(this.#inTransit.length)
      this.#window = WINDOW_INITIAL
      return 0
    }
    if (this.#timeShare < 1 || this.#bytesInTransit + bytes > this.#window) return untilTimeout
    return 0
  }

  sent(bytes: number): void {
    this.#inTransit.push({ bytes, sentAt: this.#now() })
    this.#bytesInTransit += bytes
  }

  /** The client received `count` images in total. */
  acknowledge(count: number): void {
    const received = Math.min(count - this.#acknowledged, this.#inTransit.length)
    if (!(received > 0)) return
    const last = this.#inTransit[received - 1] as { bytes: number; sentAt: number }
    const latency = this.#now() - last.sentAt
    const wasWindowUsed = this.#bytesInTransit >= this.#window / 2
    this.#removeInTransit(received)
    if (latency > LATENCY_MAX) {
      // Images sent before the last change of the window show nothing about its effect.
      if (last.sentAt >= this.#shrunkAt) this.#shrinkWindow(last.bytes, latency)
    } else if (wasWindowUsed) this.#growWindow(last.bytes)
    if (this.#timeShare < 1) this.#pauseUntil = this.#now() + latency * (1 / this.#timeShare - 1)
  }

  #removeInTransit(count: number): void {
    for (const { bytes } of this.#inTransit.splice(0, count)) this.#bytesInTransit -= bytes
    this.#acknowledged += count
  }

  #shrinkWindow(lastBytes: number, latency: number): void {
    const bytesCarried = Math.min(this.#window, lastBytes + this.#bytesInTransit)
    this.#window = Math.max(1, (bytesCarried * LATENCY_MAX * SHRINK_FACTOR) / latency)
    this.#shrunkAt = this.#now()
  }

  /** Doubles the window per round trip until it has shrunk once, then adds about one image per round trip. */
  #growWindow(lastBytes: number): void {
    const growth = this.#shrunkAt < 0 ? lastBytes : lastBytes ** 2 / Math.max(this.#window, lastBytes)
    this.#window = Math.min(WINDOW_MAX, this.#window + growth)
  }
}
