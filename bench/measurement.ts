// Measurements of a benchmark: a value and its reference, measured in the same run on the same machine. Only their
// ratio is comparable between machines.

export interface Measurement {
  name: string
  /** Unit of both values, such as 'calls/s'. */
  unit: string
  /** Name of the reference, or `limit` when `reference` is a limit. */
  referenceName: string
  ours: number
  /** NaN without a reference. */
  reference: number
  /** Minimum ratio: the run fails below it. */
  least?: number
  /** Maximum ratio. */
  most?: number
  /** Document that explains why the ratio is not reached. It is reported, but the run does not fail. */
  explainedIn?: string
}

export interface Suite {
  title: string
  /** Whether a value above its limit makes the run fail. */
  strict?: boolean
  run(): Promise<Measurement[]>
}

/** Number of rounds of a comparison. */
const ROUNDS = 5

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Measures both alternately, so that other load on the machine affects both, and returns the medians. The first round
 * is a warm-up.
 */
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
 * Measures contestants, each once per round in random order, so that other load on the machine and effects of the
 * previous contestant affect all of them. Two additional rounds warm up.
 * @param random returns an integer below its argument
 * @returns one rate per round, by name
 */
export async function inRandomOrder(
  contestants: Readonly<Record<string, () => Promise<number> | number>>,
  rounds: number,
  random: (below: number) => number
): Promise<Record<string, number[]>> {
  const names = Object.keys(contestants)
  const rates: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (let remaining = names.length; remaining > 0; remaining--) {
      const [name = ''] = names.splice(random(remaining), 1)
      names.push(name)
      const rate = (await contestants[name]?.()) ?? Number.NaN
      if (round >= 0) rates[name]?.push(rate)
    }
  }
  return rates
}

/** Whether a measurement meets its minimum and maximum ratio. */
export function meetsDemand({ ours, reference, least, most }: Measurement): boolean {
  return (least === undefined || ours >= least * reference) && (most === undefined || ours <= most * reference)
}
