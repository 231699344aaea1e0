// Rules for numbers and ports: specification 5 and 9. All take text, as a form field gives it.
import {
  BUFFER_MAX,
  BUFFER_MIN,
  CLIENTS_MAX,
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

/** Milliseconds that a stream is buffered: 1-2000. */
export const bufferDuration = numberRange(BUFFER_MIN, BUFFER_MAX)

/** Time to live of multicast packets: 1-255, what the field of a packet holds. The specification names it without numbers. */
export const multicastTtl = numberRange(1, TTL_MAX)

/** Bytes of a packet with its headers: 228-1500. */
export const mtu = numberRange(MTU_MIN, MTU_MAX)

/** Percent that SRT may send beyond the stream: 5-100. */
export const overhead = numberRange(OVERHEAD_MIN, OVERHEAD_MAX)

/** Players of one output: 1-64. */
export const clientLimit = numberRange(1, CLIENTS_MAX)

/** Segments in a playlist of HLS: 3-20. */
export const segmentCount = numberRange(SEGMENTS_MIN, SEGMENTS_MAX)

/** Seconds of such a segment: 1-10. */
export const segmentDuration = numberRange(SEGMENT_MIN, SEGMENT_MAX)

export interface PortOptions {
  /** Always good, be it outside the range; the fault names it. Without it there is only the range. */
  default?: number
  /** Default: 1 and 65535. */
  min?: number
  max?: number
  /** Ports that others have. The default is not exempt: two services cannot listen on one port. */
  unique?: readonly number[]
}

/** Makes a rule: a port that is the default or in a range, and that nobody else has. */
export function portOrDefault(options: PortOptions): (value: string) => Fault | undefined {
  const { default: standard, min = 1, max = PORT_MAX, unique = [] } = options
  return (value) => {
    const fault = Number(value) === standard && /^\d+$/.test(value) ? undefined : wholeNumber(value, min, max)
    if (fault?.name === 'range' && standard !== undefined) return { name: 'port', default: standard, min, max }
    return fault ?? (unique.includes(Number(value)) ? { name: 'taken' } : undefined)
  }
}

/** Ports 'a-b': both are ports, and the first is the lower one. No spaces. */
export function portRange(value: string): Fault | undefined {
  const ends = value.split('-', 3)
  const [first = '', last = ''] = ends
  if (value === '') return { name: 'required' }
  if (ends.length !== 2 || !/^\d+$/.test(first + last) || !first || !last) return { name: 'invalid' }
  return port(first) ?? port(last) ?? (Number(first) < Number(last) ? undefined : { name: 'order' })
}

/** Ports of a firewall rule: one, or a range 'a-b'. */
export function firewallPort(value: string): Fault | undefined {
  return required(value) ?? (value.includes('-') ? portRange(value) : port(value))
}
