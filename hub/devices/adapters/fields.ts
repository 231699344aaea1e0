// Reads fields of answers that may hold anything: a device is not to be trusted with the shape of what it says.
import { isIP } from 'node:net'
import { PORT_MAX } from '../../../contract/limits.ts'
import { UNFIT } from '../link/forbidden-chars.ts'

export type Fields = Readonly<Record<string, unknown>>

const NOTHING: Fields = {}

/** The value where it is an object; otherwise one without fields. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NOTHING
}

/** The same without the fields that were not said. */
export function said<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}

/** The objects of a list, `max` at most. */
export function list(value: unknown, max: number): Fields[] {
  return Array.isArray(value) ? value.slice(0, max).map(fields) : []
}

/** A finite number within the range, both ends included. */
export function number(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? value : undefined
}

/** As `number`, but what is beyond the range becomes its end: for measurements that jitter over it. */
export function measured(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : undefined
}

export function integer(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) ? number(value, min, max) : undefined
}

/** Text without outer spaces and without what breaks logs and lists, cut after `max` characters; undefined when nothing is left. */
export function text(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined
  // Cut first, so that a huge one costs nothing; then drop half a character at the cut.
  const clean = value.trimStart().slice(0, max).replace(UNFIT, '').trim()
  return clean || undefined
}

/** An IP address that is one of somebody. */
export function address(value: unknown): string | undefined {
  return typeof value === 'string' && isIP(value) && !/^[0.:]+$/.test(value) ? value : undefined
}

/** Bits per second from kilobits per second. */
export function kilobits(value: unknown): number | undefined {
  const kbps = number(value, 0, RATE_MAX / 1000)
  return kbps === undefined ? undefined : kbps * 1000
}

/** Degrees Celsius from a number that counts `parts` to a degree. What no sensor of a running device can say is not believed. */
export function heat(value: unknown, parts: number): number | undefined {
  const count = number(value, -60 * parts, 200 * parts)
  return count === undefined ? undefined : count / parts
}

/** A port number. */
export function portNumber(value: unknown): number | undefined {
  return integer(value, 1, PORT_MAX)
}

/** The hardware address of a network port. */
export function hardwareAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? value.toLowerCase() : undefined
}

/** A running mask (device-api 3.7). */
export function runningMask(value: unknown): number | undefined {
  return integer(value, 0, 0xffff_ffff)
}

/** A result code of any generation. */
export function answerCode(value: unknown): number | undefined {
  return integer(value, -1e6, 1e6)
}

/** Bits per second: more than any port of such a device can carry. */
export const RATE_MAX = 1e12
/** Mbps: likewise. */
export const LINK_MAX = 1e6
/** Revolutions per minute. */
export const FAN_MAX = 1e6
/** Characters of a name. */
export const NAME_MAX = 64
/** Seconds: more than a century. */
export const UP_TIME_MAX = 4e9
