// Measures all legs once a second: the statistics of each leg, and the input traffic of all channels.
import { createTrafficHistory } from '../stats/traffic-history.ts'
import type { Channel } from './channel.ts'

export class Sampler {
  readonly #traffic = createTrafficHistory()
  /** The last second of the clock that was measured. */
  #measuredSecond = 0

  /** Measures the legs once in each second of the clock. */
  measure(channels: Iterable<Channel>, now: number): void {
    const second = Math.floor(now / 1000)
    if (second === this.#measuredSecond) return
    this.#measuredSecond = second
    for (const channel of channels) {
      if (channel.input) channel.stats('input').measure(channel.input.counters(now), now)
      for (const [id, backup] of channel.backups) channel.stats(id).measure(backup.counters(now), now)
      for (const [id, { output }] of channel.outputs) channel.stats(id).measure(output.counters(now), now)
    }
  }

  /** Adds the bytes since the last call to the traffic history. Call once a second. */
  countTraffic(channels: Iterable<Channel>): void {
    let bytes = 0
    for (const channel of channels) {
      if (!channel.input) continue
      const total = channel.input.totalBytes()
      bytes += total - channel.trafficBytes
      channel.trafficBytes = total
    }
    this.#traffic.addSecond(bytes)
  }

  /** Mbps of the last 60 seconds and minutes, oldest first. */
  trafficHistory(): { mbpsS: number[]; mbpsM: number[] } {
    return this.#traffic.read()
  }
}
