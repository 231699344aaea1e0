// Traffic of the last 60 seconds and of the last 60 minutes.
const LENGTH = 60

export interface TrafficHistory {
  /** Adds the bytes of one second. */
  addSecond(bytes: number): void
  /**
   * Mbps by second and by minute, oldest first. The last minute is the current one, averaged over its seconds so far.
   */
  read(): { mbpsS: number[]; mbpsM: number[] }
}

export function createTrafficHistory(): TrafficHistory {
  const seconds: number[] = Array(LENGTH).fill(0)
  const minutes: number[] = Array(LENGTH - 1).fill(0)
  /** Sum and number of the current minute's seconds. */
  let sum = 0
  let count = 0
  return {
    addSecond(bytes) {
      if (count === 60) {
        minutes.shift()
        minutes.push(sum / 60)
        sum = 0
        count = 0
      }
      seconds.shift()
      seconds.push(toMbps(bytes))
      sum += toMbps(bytes)
      count++
    },
    read: () => ({ mbpsS: seconds.map(round), mbpsM: [...minutes, count === 0 ? 0 : sum / count].map(round) })
  }
}

const toMbps = (bytes: number) => (bytes * 8) / 1e6
const round = (value: number) => Math.round(value * 1000) / 1000
