// Recent samples of the values that a device measures, for sparklines.
import type { Observation, StatusReading } from './adapters/adapter.ts'

/** Samples per value (docs/wire.md, "Devices"). */
const SAMPLES_MAX = 24

/**
 * Creates a function that turns the status readings of one device into observations, each with the samples up to it. A
 * reading without a value adds no sample.
 */
export function createSampleRecorder(): (reading: StatusReading) => Observation {
  const samples: Record<'cpu' | 'eth-rx' | 'eth-tx', number[]> = { cpu: [], 'eth-rx': [], 'eth-tx': [] }

  return ({ cpu, rx, tx, ...reading }) => {
    const status: Observation['status'] = { ...reading.status }
    for (const [name, value] of [
      ['cpu', cpu],
      ['eth-rx', rx],
      ['eth-tx', tx]
    ] as const) {
      // A new array each time: earlier observations must not change.
      if (value !== undefined) samples[name] = [...samples[name], value].slice(-SAMPLES_MAX)
      if (samples[name].length > 0) status[name] = samples[name]
    }
    return { ...reading, status }
  }
}
