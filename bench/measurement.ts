// What a suite measures: a rate of ours beside the floor's, taken in the same run on the same machine. Only their ratio travels.

export interface Measurement {
  what: string
  /** Of both rates, such as 'calls/s'. */
  unit: string
  /** What the floor is, or `limit` where a figure stands beside what is demanded of it. */
  floor: string
  ours: number
  /** NaN where there is nothing to compare with. */
  theirs: number
}

export interface Suite {
  title: string
  /** A figure beyond its limit makes the run fail. */
  strict?: boolean
  run(): Promise<Measurement[]>
}

/** Rounds of a comparison. */
const ROUNDS = 5

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Measures both in turns, so that what the machine does meanwhile meets both, and takes the medians. The first round warms up. */
export async function inTurns(
  ours: () => Promise<number>,
  theirs: () => Promise<number>
): Promise<{ ours: number; theirs: number }> {
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const pair = [await ours(), await theirs()] as const
    if (round > 0) pair.forEach((rate, side) => void rates[side]?.push(rate))
  }
  return { ours: median(rates[0]), theirs: median(rates[1]) }
}
