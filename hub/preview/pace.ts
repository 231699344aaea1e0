// How many pictures may be under way to a browser, by what its line carries: the browser says what arrived, since a server cannot see
// behind its own socket, whose buffers may hold far more than a thin line carries. Without this the newest picture would wait behind all those, and so
// would the answers of calls.

/** Milliseconds that a picture may be under way: what waits before the line stays below that, for pictures and calls alike. */
const SOON = 700
/** By how much more the window shrinks than it was too large: what waits already has to go first. */
const SPARE = 0.8
/** Bytes under way: at first, and at most, which is what a fast line far away takes. */
const WINDOW = { first: 16 << 10, most: 4 << 20 } as const
/** Milliseconds after which a word that was to come is not waited for any more: it was lost with its socket. */
const LOST = 8000

export interface PicturePace {
  /** Milliseconds until a picture of so many bytes may be sent; 0 = now. What arrives meanwhile may make it sooner. */
  wait(bytes: number): number
  sent(bytes: number): void
  /** So many pictures have arrived in all. */
  seen(count: number): void
}

export interface PaceOptions {
  /** Milliseconds. */
  now(): number
  /** The share of the time, up to 1, in which pictures are under way at most. */
  share?: number
}

export function createPicturePace({ now, share = 1 }: PaceOptions): PicturePace {
  const underWay: { bytes: number; at: number }[] = []
  let arrived = 0
  let bytesUnderWay = 0
  let window: number = WINDOW.first
  let restUntil = 0
  /** When the window was last made smaller; -1 = never. */
  let changed = -1

  function take(count: number): void {
    for (const { bytes } of underWay.splice(0, count)) bytesUnderWay -= bytes
    arrived += count
  }

  return {
    wait(bytes) {
      const [oldest] = underWay
      if (!oldest) return Math.max(0, restUntil - now())
      const lost = oldest.at + LOST - now()
      // One that never was told of must not stop the rest for ever.
      if (lost <= 0) {
        take(underWay.length)
        window = WINDOW.first
        return 0
      }
      if (share < 1 || bytesUnderWay + bytes > window) return lost
      return 0
    },
    sent(bytes) {
      underWay.push({ bytes, at: now() })
      bytesUnderWay += bytes
    },
    seen(count) {
      const fresh = Math.min(count - arrived, underWay.length)
      if (!(fresh > 0)) return
      const last = underWay[fresh - 1] as { bytes: number; at: number }
      const took = now() - last.at
      const full = bytesUnderWay >= window / 2
      take(fresh)
      if (took > SOON) {
        // Those that were sent before the last change say nothing of what it did.
        if (last.at >= changed) {
          window = Math.max(1, (Math.min(window, last.bytes + bytesUnderWay) * SOON * SPARE) / took)
          changed = now()
        }
      } else if (full) {
        // Twice as much at each turn until the line is found, then a picture more. Not having been full says nothing of the line.
        const grown = window + (changed < 0 ? last.bytes : last.bytes ** 2 / Math.max(window, last.bytes))
        window = Math.min(WINDOW.most, grown)
      }
      if (share < 1) restUntil = now() + took * (1 / share - 1)
    }
  }
}
