// Traffic of the past minute by the second and of the past hour by the minute.
const LENGTH = 60

export interface History {
  /** Bytes of one second. */
  second(bytes: number): void
  /** Mbps, oldest first; the last minute is the one that runs, averaged over what has passed of it. */
  read(): { mbpsS: number[]; mbpsM: number[] }
}

export function createHistory(): History {
  const seconds: number[] = Array(LENGTH).fill(0)
  const minutes: number[] = Array(LENGTH - 1).fill(0)
  let sum = 0
  let counted = 0
  return {
    second(bytes) {
      if (counted === 60) {
        minutes.shift()
        minutes.push(sum / 60)
        sum = 0
        counted = 0
      }
      seconds.shift()
      seconds.push(mbps(bytes))
      sum += mbps(bytes)
      counted++
    },
    read: () => ({ mbpsS: seconds.map(round), mbpsM: [...minutes, counted === 0 ? 0 : sum / counted].map(round) })
  }
}

const mbps = (bytes: number) => (bytes * 8) / 1e6
const round = (value: number) => Math.round(value * 1000) / 1000
