// What a suite measures: a rate of ours beside the floor's, taken in the same run on the same machine. Only their ratio travels.

export interface Measurement {
  name: string
  /** Of both rates, such as 'calls/s'. */
  unit: string
  /** What the floor is, or `limit` where a figure stands beside what is demanded of it. */
  referenceName: string
  ours: number
  /** NaN where there is nothing to compare with. */
  reference: number
  /** Ratio that is demanded: below it the run fails. */
  least?: number
  /** Ratio that must not be exceeded. */
  most?: number
  /** Document that shows why the demand is not met: then it is named, but the run does not fail. */
  explainedIn?: string
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
export async function alternate(
  ours: () => Promise<number>,
  reference: () => Promise<number>
): Promise<{ ours: number; reference: number }> {
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const pair = [await ours(), await reference()] as const
    if (round > 0) pair.forEach((rate, side) => void rates[side]?.push(rate))
  }
  return { ours: median(rates[0]), reference: median(rates[1]) }
}

/**
 * Measures any number of contestants, each once a round in an order that is another in each round, so that what the machine
 * does meanwhile and what one leaves to the next meets all. Two rounds before warm up.
 * @param random gives a whole number below its argument
 * @returns by name, one rate per round
 */
export async function inRandomOrder(
  contestants: Readonly<Record<string, () => Promise<number> | number>>,
  rounds: number,
  random: (below: number) => number
): Promise<Record<string, number[]>> {
  const names = Object.keys(contestants)
  const rates: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (let left = names.length; left > 0; left--) {
      const [name = ''] = names.splice(random(left), 1)
      names.push(name)
      const rate = (await contestants[name]?.()) ?? Number.NaN
      if (round >= 0) rates[name]?.push(rate)
    }
  }
  return rates
}

/** Whether a figure is what is demanded of it. */
export function meetsDemand({ ours, theirs: reference, least, most }: Measurement): boolean {
  return (least === undefined || ours >= least * reference) && (most === undefined || ours <= most * reference)
}
