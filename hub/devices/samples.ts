// The latest samples of what a device measures, for sparklines.
import type { Reading } from './adapters/adapter.ts'
import type { Observed } from './registry.ts'

/** Samples kept (reference 4.5). */
const SAMPLES = 24

/** Turns readings of one device into observations, each with the samples up to it. A reading without a value adds no sample. */
export function createSamples(): (reading: Reading) => Observed {
  const kept: Record<'cpu' | 'eth-rx' | 'eth-tx', number[]> = { cpu: [], 'eth-rx': [], 'eth-tx': [] }

  return ({ cpu, rx, tx, ...reading }) => {
    const status: Observed['status'] = { ...reading.status }
    for (const [name, value] of [
      ['cpu', cpu],
      ['eth-rx', rx],
      ['eth-tx', tx]
    ] as const) {
      // New arrays: what was handed out before stays what it was.
      if (value !== undefined) kept[name] = [...kept[name], value].slice(-SAMPLES)
      if (kept[name].length > 0) status[name] = kept[name]
    }
    return { ...reading, status }
  }
}
