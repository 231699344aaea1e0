// Validation rules (docs/wire.md, "Validation rules"). A rule returns undefined, or a fault: a name and its numbers.
// Console, hub and tests share the rules; `src/text/faults.ts` translates a fault into a sentence. This file has the
// basic rules, and those for names and streams; the other files of this folder have the rest.
import { ipv6Groups, isLinkLocal, mappedIpv4 } from '../ipv6.ts'
import {
  LATENCY_MAX,
  LATENCY_MIN,
  NAME_MAX,
  PASSPHRASE_MAX,
  PASSPHRASE_MIN,
  PASSWORD_MAX,
  PORT_MAX,
  STREAM_ID_MAX,
  STREAM_KEY_MAX,
  WIRE_KEY_MAX
} from '../limits.ts'

/**
 * A violated rule.
 * - `required`: empty; `invalid`: wrong format; `characters`: characters that are not allowed
 * - `number`: not a whole number; `range`: outside `min`-`max`, which are numbers or addresses; `port`: neither
 *   `default` nor in `min`-`max`
 * - `length`: not `min` to `max` characters; `units`: the same for a value with characters that count as 3; `bytes`:
 *   more than `max` bytes in UTF-8
 * - `outer-space`: leading or trailing space; `any-space`: contains a space; `scheme`: unsupported protocol
 * - `different`: does not repeat the other field; `same`: equals the other field; `taken`: already in use
 * - `order`: a range whose end is not above its start
 * - `lower`, `upper`, `digit`, `special`: missing in a password; `user-name`: the password contains the user name
 * - `file`: wrong file type; `model`: for another model or hardware; `space`: less than `min` MB free;
 *   `certificate`, `private-key`: not in PEM format
 */
export interface Fault {
  name:
    | 'required'
    | 'invalid'
    | 'characters'
    | 'number'
    | 'range'
    | 'port'
    | 'length'
    | 'units'
    | 'bytes'
    | 'outer-space'
    | 'any-space'
    | 'scheme'
    | 'different'
    | 'same'
    | 'taken'
    | 'order'
    | 'lower'
    | 'upper'
    | 'digit'
    | 'special'
    | 'user-name'
    | 'file'
    | 'model'
    | 'space'
    | 'certificate'
    | 'private-key'
  min?: number | string
  max?: number | string
  default?: number
}

/** A rule for one value. `all` holds all values of the form, for rules that compare fields. */
export type Rule<Value = string, All = unknown> = (value: Value, all: All) => Fault | undefined

/** Rules by field. */
export type RuleSet<Values> = { readonly [Field in keyof Values]?: Rule<Values[Field], Values> }

/** Length in units: characters above code 127 and the caret count as 3, all others as 1. */
export function lengthInUnits(text: string): number {
  let units = 0
  for (const character of text) units += character === '^' || character > '\x7f' ? 3 : 1
  return units
}

/** Not empty. A space is not empty. */
export function required(value: string): Fault | undefined {
  return value === '' ? { name: 'required' } : undefined
}

/** Makes a rule that also accepts empty text. */
export function optional(rule: (value: string) => Fault | undefined): (value: string) => Fault | undefined {
  return (value) => (value ? rule(value) : undefined)
}

/** No leading or trailing white space (Unicode). */
export function noOuterSpace(value: string): Fault | undefined {
  return value.trim() === value ? undefined : { name: 'outer-space' }
}

/** No white space (Unicode). */
export function noSpace(value: string): Fault | undefined {
  return /\s/.test(value) ? { name: 'any-space' } : undefined
}

/**
 * Printable: no control characters, line breaks or lone surrogates, and no bidirectional formatting characters, which
 * can make a value look like another one. Joiners are allowed: emoji and several scripts need them.
 */
export function printable(value: string): Fault | undefined {
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(value)
    ? { name: 'characters' }
    : undefined
}

/** Makes a rule: `min` to `max` units (`lengthInUnits`). */
export function unitLength(min: number, max: number): (value: string) => Fault | undefined {
  return (value) => {
    const units = lengthInUnits(value)
    if (units >= min && units <= max) return undefined
    return { name: units > value.length ? 'units' : 'length', min, max }
  }
}

/**
 * Makes a rule: `min` to `max` code points. Used for everything except names and keys of streams, which are measured
 * in units.
 */
export function characterLength(min: number, max: number): (value: string) => Fault | undefined {
  return (value) => {
    // Does not split a text that is too long in any case: a code point has at most two UTF-16 code units.
    const length = value.length > 2 * max ? value.length : [...value].length
    return length < min || length > max ? { name: 'length', min, max } : undefined
  }
}

/** Allowed characters. `ANY_NAME` is the union of the stream name sets, extended to letters of all scripts. */
const DOTTED_STREAM_NAME = /^[A-Za-z0-9._\-+'[\]()]*$/
const ANY_NAME = /^(?!\p{M})[\p{L}\p{M}\p{N} _\-#().+'[\]]*$/u
const DEVICE_NAME = /^[A-Za-z0-9 _-]*$/
const DOTTED_DEVICE_NAME = /^[A-Za-z0-9 _\-.+'[\]()]*$/

const lengthOfName = unitLength(1, NAME_MAX)

/** Makes a rule for names: required, 1-64 units, no outer spaces, these characters only. */
function makeNameRule(characters: RegExp): (value: string) => Fault | undefined {
  return (value) =>
    required(value) ??
    noOuterSpace(value) ??
    lengthOfName(value) ??
    (characters.test(value) ? undefined : { name: 'characters' })
}

/**
 * Name of a stream or source on the hub: required, 1-64 units, no outer spaces.
 * Accepts the union of the two character sets for devices, so that a name that is valid on any device is valid on the
 * hub, and letters and combining marks of all scripts. The first character must not be a combining mark, which would be
 * drawn over the text before the name.
 */
export const streamName = makeNameRule(ANY_NAME)

/**
 * Name of an RTSP stream (`rtspKey`), the second character set of stream names: letters A-Z, digits and ._-+'[](), no
 * space.
 */
export const dottedStreamName = makeNameRule(DOTTED_STREAM_NAME)

/** Name of a channel: same rule as for a stream, so that a channel can have the name of its stream. */
export const channelName = streamName

/**
 * Name of a device: 1-64 letters A-Z, digits, space and _-, no outer spaces. The device stores its name and may not
 * support other characters.
 */
export const deviceName = makeNameRule(DEVICE_NAME)

/** Name of a device of a family that also accepts .+'[](). */
export const dottedDeviceName = makeNameRule(DOTTED_DEVICE_NAME)

/** Name of a USB device, which a computer shows as that of a camera: same rule as for a device. */
export const usbName = deviceName

const lengthOfKey = unitLength(1, STREAM_KEY_MAX)
const lengthOfWireKey = unitLength(1, WIRE_KEY_MAX)

/**
 * Stream key entered by a user: required, 1-63 units, printable, no outer spaces. `notSameAs` and `notAmong`
 * (`compare.ts`) check that it is unique.
 */
export function streamKey(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfKey(value)
}

/**
 * Stream key that the hub stores, and of requests that leave it as it is: up to 256 units, printable, no spaces, and no
 * `?`, which ends a stream key in RTMP.
 */
export function wireKey(value: string): Fault | undefined {
  const fault = required(value) ?? printable(value) ?? noSpace(value) ?? lengthOfWireKey(value)
  return fault ?? (value.includes('?') ? { name: 'characters' } : undefined)
}

/**
 * Password: required, 1-32 characters, no spaces, word characters and ~!@#$%^&*-+= only. `password.ts` has the
 * password rules of a hub.
 */
export function password(value: string): Fault | undefined {
  return (
    required(value) ??
    noSpace(value) ??
    (value.length > PASSWORD_MAX ? { name: 'length', min: 1, max: PASSWORD_MAX } : undefined) ??
    (/^[\w~!@#$%^&*\-+=]*$/.test(value) ? undefined : { name: 'characters' })
  )
}

/**
 * Whole number from `min` to `max`, both inclusive; a sign is allowed only if `min` is negative. Takes the text of a
 * form field.
 */
export function wholeNumber(value: string, min: number, max: number): Fault | undefined {
  if (value === '') return { name: 'required' }
  if (!(min < 0 ? /^-?\d+$/ : /^\d+$/).test(value)) return { name: 'number' }
  const number = Number(value)
  return number < min || number > max ? { name: 'range', min, max } : undefined
}

/** Port: 1-65535. */
export function port(value: string): Fault | undefined {
  return wholeNumber(value, 1, PORT_MAX)
}

/** SRT latency in milliseconds. */
export function latency(value: string): Fault | undefined {
  return wholeNumber(value, LATENCY_MIN, LATENCY_MAX)
}

/** SRT passphrase: 10-79 printable ASCII characters, no outer spaces. The caller handles empty text. */
export function passphrase(value: string): Fault | undefined {
  if (value.length < PASSPHRASE_MIN || value.length > PASSPHRASE_MAX)
    return { name: 'length', min: PASSPHRASE_MIN, max: PASSPHRASE_MAX }
  return /^[\x20-\x7e]*$/.test(value) ? noOuterSpace(value) : { name: 'characters' }
}

/** SRT stream ID: at most 256 printable ASCII characters without space. May be empty. */
export function streamId(value: string): Fault | undefined {
  if (value.length > STREAM_ID_MAX) return { name: 'length', min: 0, max: STREAM_ID_MAX }
  return /^[\x21-\x7e]*$/.test(value) ? undefined : { name: 'characters' }
}

/** Whether a text is an IPv4 address: a dotted quad without leading zeros, first octet 1-255. */
export function isIpv4(value: string): boolean {
  const octets = value.split('.')
  return (
    octets.length === 4 &&
    octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256) &&
    octets[0] !== '0'
  )
}

/**
 * Whether a text is an IPv6 address: eight groups, of which one or more that are zero can be left out; without zone
 * and embedded IPv4 address.
 */
export function isIpv6(value: string): boolean {
  const parts = value.split('::')
  const groups = parts.flatMap((part) => (part === '' ? [] : part.split(':')))
  const isComplete = parts.length === 1 ? groups.length === 8 : parts.length === 2 && groups.length < 8
  return isComplete && groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
}

/**
 * Whether a text is a domain name: at least two labels of up to 63 letters, digits or hyphens that start with a letter
 * or digit.
 */
export function isDomain(value: string): boolean {
  const labels = value.split('.')
  return (
    value.length < 254 &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9][a-z0-9-]{0,62}$/i.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1] ?? '')
  )
}

/** Domain name: at least two labels of up to 63 letters, digits and hyphens that start with a letter or digit. */
export function domain(value: string): Fault | undefined {
  return required(value) ?? (isDomain(value) ? undefined : { name: 'invalid' })
}

/** Host: an IPv4 address, a domain name, or `localhost`. */
export function ipv4Host(value: string): Fault | undefined {
  return isIpv4(value) || value === 'localhost' ? undefined : domain(value)
}

/**
 * Whether a text is an IPv6 address to which one can connect or send: not `::`, not link-local, which would need an
 * interface, and not one that stands for an IPv4 address.
 */
export function isIpv6Host(value: string): boolean {
  const groups = isIpv6(value) ? ipv6Groups(value) : undefined
  return groups?.some(Boolean) === true && !isLinkLocal(groups) && mappedIpv4(groups) === undefined
}

/** Host: an IPv4 or IPv6 address, the latter without brackets, a domain name, or `localhost`. */
export function host(value: string): Fault | undefined {
  return isIpv6Host(value) ? undefined : ipv4Host(value)
}

/** Applies rules to the fields of a form. @returns the fault of each invalid field; empty if all fields are valid */
export function validateFields<Values extends object>(
  rules: RuleSet<Values>,
  values: Values
): Partial<Record<keyof Values, Fault>> {
  const faults: Partial<Record<keyof Values, Fault>> = {}
  for (const field of Object.keys(rules) as (keyof Values)[]) {
    const fault = rules[field]?.(values[field], values)
    if (fault) faults[field] = fault
  }
  return faults
}
