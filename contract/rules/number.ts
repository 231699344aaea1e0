// Rules for numbers and ports. All take the text of a form field.
import {
  BUFFER_MAX,
  BUFFER_MIN,
  CLIENTS_MAX,
  LOSS_PERCENT_MAX,
  MTU_MAX,
  MTU_MIN,
  OVERHEAD_MAX,
  OVERHEAD_MIN,
  PORT_MAX,
  SEGMENT_MAX,
  SEGMENT_MIN,
  SEGMENTS_MAX,
  SEGMENTS_MIN,
  TTL_MAX
} from '../limits.ts'
import { type Fault, port, required, wholeNumber } from './rules.ts'

/** Makes a rule: a whole number from `min` to `max`. */
export function numberRange(min: number, max: number): (value: string) => Fault | undefined {
  return (value) => wholeNumber(value, min, max)
}

/** Percent of lost packets above which a channel is degraded: 0-100, with up to two decimal places. */
export function lossPercent(value: string): Fault | undefined {
  const isValid = /^\d{1,3}(\.\d{1,2})?$/.test(value) && Number(value) <= LOSS_PERCENT_MAX
  return required(value) ?? (isValid ? undefined : { name: 'range', min: 0, max: LOSS_PERCENT_MAX })
}

/** Playback buffer in milliseconds: 1-2000. */
export const bufferDuration = numberRange(BUFFER_MIN, BUFFER_MAX)

/** Time to live of multicast packets: 1-255 (RFC 791). */
export const multicastTtl = numberRange(1, TTL_MAX)

/** MTU in bytes: 228-1500. */
export const mtu = numberRange(MTU_MIN, MTU_MAX)

/** SRT bandwidth overhead in percent: 5-100. */
export const overhead = numberRange(OVERHEAD_MIN, OVERHEAD_MAX)

/** Concurrent players of one output: 1-64. */
export const clientLimit = numberRange(1, CLIENTS_MAX)

/** Segments of an HLS playlist: 3-20. */
export const segmentCount = numberRange(SEGMENTS_MIN, SEGMENTS_MAX)

/** Duration of an HLS segment in seconds: 1-10. */
export const segmentDuration = numberRange(SEGMENT_MIN, SEGMENT_MAX)

export interface PortOptions {
  /** Valid even outside the range; the fault includes it. */
  default?: number
  /** Default: 1 and 65535. */
  min?: number
  max?: number
  /** Ports in use; they are invalid even if one is the default. */
  unique?: readonly number[]
}

/** Makes a rule: a port that is the default or in the range, and not in use. */
export function portOrDefault(options: PortOptions): (value: string) => Fault | undefined {
  const { default: standard, min = 1, max = PORT_MAX, unique = [] } = options
  return (value) => {
    const fault = Number(value) === standard && /^\d+$/.test(value) ? undefined : wholeNumber(value, min, max)
    if (fault?.name === 'range' && standard !== undefined) return { name: 'port', default: standard, min, max }
    return fault ?? (unique.includes(Number(value)) ? { name: 'taken' } : undefined)
  }
}

/** Port range 'a-b': two ports, the first below the second, no spaces. */
export function portRange(value: string): Fault | undefined {
  const ends = value.split('-', 3)
  const [first = '', last = ''] = ends
  if (value === '') return { name: 'required' }
  if (ends.length !== 2 || !/^\d+$/.test(first + last) || !first || !last) return { name: 'invalid' }
  return port(first) ?? port(last) ?? (Number(first) < Number(last) ? undefined : { name: 'order' })
}

/**
 * Ports of a firewall rule: one port, or a range 'a-b'. Without leading zeros, so that equal rules are recognized by
 * their text.
 */
export function firewallPort(value: string): Fault | undefined {
  if (/(^|-)0\d/.test(value)) return { name: 'invalid' }
  return required(value) ?? (value.includes('-') ? portRange(value) : port(value))
}
