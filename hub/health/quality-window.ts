// Discontinuities and unrecovered loss of one leg within the last seconds, from its totals.
import type { HealthNumbers } from '../../contract/health.ts'
import type { LegReport } from '../../contract/stream/channel-history.ts'

/** Seconds for which discontinuities and losses count. */
const WINDOW = 10_000
/** Payload of a datagram with MPEG-TS, for protocols that count losses and not packets. */
const PACKET_BYTES = 1316

type Quality = Pick<HealthNumbers, 'loss-percent' | 'discontinuities'>

interface Sample {
  at: number
  since: number
  discontinuities: number
  packets: number
  lost: number
}

/**
 * Packets that did not arrive: with retransmission (SRT) those that were dropped as too late, otherwise those that were
 * lost.
 */
const unrecovered = (report: LegReport) => report['pkt-drop-total'] ?? report['pkt-loss-total'] ?? 0

export class QualityWindow {
  /** Oldest first. The first is the newest one that is older than the window. */
  #samples: Sample[] = []

  /** Adds the totals of a leg. Call once a second. @param now milliseconds */
  add(report: LegReport, now: number): void {
    const sample: Sample = {
      at: now,
      since: report.since,
      discontinuities: report['ts-cc-errors-total'] ?? 0,
      packets: report.packets ?? report.bytes / PACKET_BYTES,
      lost: unrecovered(report)
    }
    const last = this.#samples.at(-1)
    // The totals start again after a reset, and when the leg is another one.
    if (
      last &&
      (last.since !== sample.since || last.discontinuities > sample.discontinuities || last.lost > sample.lost)
    )
      this.#samples = []
    this.#samples.push(sample)
    while (this.#samples[1] && this.#samples[1].at <= now - WINDOW) this.#samples.shift()
  }

  /** Numbers that are not 0, rounded to hundredths. */
  read(): Quality {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last) return {}
    const discontinuities = last.discontinuities - first.discontinuities
    const lost = last.lost - first.lost
    const loss = Math.round((10_000 * lost) / Math.max(1, lost + last.packets - first.packets)) / 100
    return { ...(discontinuities > 0 && { discontinuities }), ...(loss > 0 && { 'loss-percent': loss }) }
  }
}
