// What a device says of its input signal. Two spellings are documented: an object (Ultra family) and a word (Pro Convert).
import type { DevicePort } from '../../../contract/device/device.ts'
import { type Fields, fields, integer, number } from './fields.ts'

/** The word for an input without a signal, on devices that use words. */
export const NO_SIGNAL = 'no-signal'

const EDGE_MAX = 65_536
const RATE_MAX = 1000

interface Spelling {
  width: unknown
  height: unknown
  interlaced: boolean
  rate: unknown
}

/** A picture format: width, height, scan, and the rate where it is known. */
export function format(spelling: Spelling, rateText: (rate: number) => string): string | undefined {
  const width = integer(spelling.width, 1, EDGE_MAX)
  const height = integer(spelling.height, 1, EDGE_MAX)
  if (!width || !height) return undefined
  const rate = number(spelling.rate, 1, RATE_MAX)
  return `${width}x${height}${spelling.interlaced ? 'i' : 'p'}${rate ? rateText(rate) : ''}`
}

/** Reads `input-signal` (device-api 3.3). As the documented `pro-feature.input` has it: "1920x1080p, 60.00 Hz". */
export function inputSignal(value: unknown): string | undefined {
  const signal: Fields = fields(value)
  if (signal.status === 0) return NO_SIGNAL
  if (signal.status !== 1) return undefined
  // The rate is in Hz: 50 in the one public answer of a real device.
  return format(
    { width: signal.cx, height: signal.cy, interlaced: signal.interlaced === 1, rate: signal['frame-rate'] },
    (rate) => `, ${rate.toFixed(2)} Hz`
  )
}

/** Ports with what is there; those of which nothing is said are left out, and so is a list of none. */
export function ports(said: Readonly<Record<string, string | undefined>>): DevicePort[] | undefined {
  const list = Object.entries(said).flatMap(([name, signal]) => (signal === undefined ? [] : { name, signal }))
  return list.length > 0 ? list : undefined
}
