// Reads fields of responses from devices. Devices are not trusted: a field may be absent, or have any type and value.
import { isIP } from 'node:net'
import { PORT_MAX } from '../../../contract/limits.ts'
import { FORBIDDEN_CHARS } from '../../../device-link/hello-text.ts'

export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

/** The value if it is an object; otherwise an empty object. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NO_FIELDS
}

/** A copy without the fields that are undefined. */
export function omitUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value
}

/** At most `max` elements of a list, as by `fields`. Empty if the value is not a list. */
export function objectList(value: unknown, max: number): Fields[] {
  return Array.isArray(value) ? value.slice(0, max).map(fields) : []
}

/** A finite number within the range, both ends included. */
export function number(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? value : undefined
}

/** As `number`, but limits a value outside the range to the range: for measurements that may exceed it slightly. */
export function clampedNumber(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : undefined
}

export function integer(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) ? number(value, min, max) : undefined
}

/**
 * Text without surrounding spaces and without forbidden characters, truncated to `max` characters; undefined if it is
 * empty.
 */
export function text(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined
  // Truncated first, so that a huge text costs nothing. That may split a surrogate pair; the replacement removes its
  // remaining half.
  const clean = value.trimStart().slice(0, max).replace(FORBIDDEN_CHARS, '').trim()
  return clean || undefined
}

/** An IP address other than the unspecified address (0.0.0.0, ::). */
export function ipAddress(value: unknown): string | undefined {
  return typeof value === 'string' && isIP(value) && !/^[0.:]+$/.test(value) ? value : undefined
}

/** Converts kilobits per second to bits per second. */
export function bitsFromKilobits(value: unknown): number | undefined {
  const kbps = number(value, 0, RATE_MAX / 1000)
  return kbps === undefined ? undefined : kbps * 1000
}

/** Converts a temperature in units of 1/`unitsPerDegree` degrees to degrees Celsius; undefined outside -60 to 200. */
export function temperature(value: unknown, unitsPerDegree: number): number | undefined {
  const units = number(value, -60 * unitsPerDegree, 200 * unitsPerDegree)
  return units === undefined ? undefined : units / unitsPerDegree
}

export function portNumber(value: unknown): number | undefined {
  return integer(value, 1, PORT_MAX)
}

/** A MAC address, in lower case. */
export function macAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? value.toLowerCase() : undefined
}

/** The bit mask `cur-status`. */
export function runningMask(value: unknown): number | undefined {
  return integer(value, 0, 0xffff_ffff)
}

/** A result code of any generation. */
export function resultCode(value: unknown): number | undefined {
  return integer(value, -1e6, 1e6)
}

/** Plausible maximum of a bit rate in bits per second. */
export const RATE_MAX = 1e12
/** Plausible maximum of a link speed in Mbps. */
export const LINK_MAX = 1e6
/** Plausible maximum of a fan speed in revolutions per minute. */
export const FAN_MAX = 1e6
/** Maximum length of a name in characters. */
export const NAME_MAX = 64
/** Plausible maximum of an uptime in seconds: more than a century. */
export const UP_TIME_MAX = 4e9
