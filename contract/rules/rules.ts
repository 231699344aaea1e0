// Validation rules: specification 5. A rule returns nothing, or a fault: a name and its numbers. No words, so that the
// console, the hub and the tests use the same ones; `src/text/faults.ts` turns a fault into a sentence.
// Here are what all rules share, names, and what streams need; the other rules are in the files that end with `-rules.ts`.
import {
  KEY_MAX,
  LATENCY_MAX,
  LATENCY_MIN,
  NAME_MAX,
  PASSPHRASE_MAX,
  PASSPHRASE_MIN,
  PASSWORD_MAX,
  PORT_MAX,
  STREAM_ID_MAX,
  STREAM_KEY_MAX
} from '../limits.ts'

/**
 * What is wrong with a value.
 * - `required` nothing there; `invalid` not of its form; `characters` of the right form, with characters that it must not have
 * - `number` not a whole number; `range` outside `min`-`max`, which are numbers or addresses; `port` neither `default` nor in `min`-`max`
 * - `length` not `min` to `max` characters; `units` the same where the value has characters that count as 3
 * - `outer-space`, `any-space`; `scheme` a protocol that nobody here carries
 * - `different` not what it should repeat; `same` what another field holds; `taken` one of the values in use
 * - `order` a range that does not rise
 * - `lower`, `upper`, `digit`, `special` none of those in a password; `user-name` the user's name in it
 * - `file` of another type; `model` for another model or hardware; `space` less than `min` megabytes free;
 *   `certificate`, `private-key` not one in PEM form
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

/** A rule over one value. `all` holds the other values of the form, for rules that compare. */
export type Rule<Value = string, All = unknown> = (value: Value, all: All) => Fault | undefined

/** A rule for each field that has one. */
export type RuleSet<Values> = { readonly [Field in keyof Values]?: Rule<Values[Field], Values> }

/** Length in units: characters above code 127 and the caret count as 3 (specification 5). */
export function lengthInUnits(text: string): number {
  let units = 0
  for (const character of text) units += character === '^' || character > '\x7f' ? 3 : 1
  return units
}

/** Something is there, be it a space. */
export function required(value: string): Fault | undefined {
  return value === '' ? { name: 'required' } : undefined
}

/** Makes a rule that an empty text keeps, too. */
export function optional(rule: (value: string) => Fault | undefined): (value: string) => Fault | undefined {
  return (value) => (value ? rule(value) : undefined)
}

/** No space, of any script, at either end. */
export function outerSpace(value: string): Fault | undefined {
  return value.trim() === value ? undefined : { name: 'outer-space' }
}

/** No space, of any script, anywhere. */
export function noSpace(value: string): Fault | undefined {
  return /\s/.test(value) ? { name: 'any-space' } : undefined
}

/**
 * Nothing that is not seen: no control characters, no line breaks, no halves of a character, and none of the marks that turn the
 * direction of writing, with which a value can be shown as another one. Joiners stay: emoji and several scripts need them.
 */
export function printable(value: string): Fault | undefined {
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(value)
    ? { name: 'characters' }
    : undefined
}

/** Makes a rule: `min` to `max` units, as `lengthInUnits` counts. */
export function unitLength(min: number, max: number): (value: string) => Fault | undefined {
  return (value) => {
    const units = lengthInUnits(value)
    if (units >= min && units <= max) return undefined
    return { name: units > value.length ? 'units' : 'length', min, max }
  }
}

/**
 * Makes a rule: `min` to `max` characters, each one, an emoji too, for one. For what the specification gives in characters outside the
 * names and keys of streams.
 */
export function characterLength(min: number, max: number): (value: string) => Fault | undefined {
  return (value) => {
    // Not taken apart when it is too long whatever its characters: each has two code units at most.
    const length = value.length > 2 * max ? value.length : [...value].length
    return length < min || length > max ? { name: 'length', min, max } : undefined
  }
}

/** What the two readings of a stream's name allow, and what a name on the hub may hold. */
const OF_STREAM = /^[A-Za-z0-9 _\-#()]*$/
const OF_STREAM_TOO = /^[A-Za-z0-9._\-+'[\]()]*$/
const OF_ANY = /^(?!\p{M})[\p{L}\p{M}\p{N} _\-#().+'[\]]*$/u
const OF_DEVICE = /^[A-Za-z0-9 _-]*$/
const OF_DEVICE_TOO = /^[A-Za-z0-9 _\-.+'[\]()]*$/

const lengthOfName = unitLength(1, NAME_MAX)

/** A name: required, 1-64 units, no outer spaces, of these characters only. */
function nameOf(characters: RegExp): (value: string) => Fault | undefined {
  return (value) =>
    required(value) ??
    outerSpace(value) ??
    lengthOfName(value) ??
    (characters.test(value) ? undefined : { name: 'characters' })
}

/**
 * Name of a stream or source on the hub: required, 1-64 units, no outer spaces.
 * Of the two character sets the specification gives, the union is taken: a name that is fine on either kind of device is fine
 * on the hub. Letters of any script, with the marks they are written with, are letters, since the counting of length only makes sense
 * for them. A mark without a letter before it is not: it would be drawn over what stands in front of the name.
 */
export const streamName = nameOf(OF_ANY)

/** Name of a stream on a device that takes the first set: letters A-Z, digits, space and _-#(). */
export const plainStreamName = nameOf(OF_STREAM)

/** Name of a stream on a device that takes the other set: letters A-Z, digits and ._-+'[](), no space. */
export const dottedStreamName = nameOf(OF_STREAM_TOO)

/**
 * Name of a channel. The specification wants 'a minimum-to-maximum number of English characters', which can mean that it is written in
 * them or counted in them: counted, as a stream's, so that a channel can be called like its stream.
 */
export const channelName = streamName

/**
 * Name given to a device: letters A-Z, digits, space and _-, no outer spaces. The specification gives no length: that of other names.
 * It is kept by the device itself, which may know no other letters.
 */
export const deviceName = nameOf(OF_DEVICE)

/** Name given to a device of the variants that also take ._+'[](). */
export const dottedDeviceName = nameOf(OF_DEVICE_TOO)

/** Name given to a USB drive at a device: as the device's own. */
export const usbName = deviceName

const lengthOfKey = unitLength(1, STREAM_KEY_MAX)
const lengthOfWireKey = unitLength(1, KEY_MAX)

/**
 * Stream key typed by a user: required, 1-63 units, no outer spaces, printable. That it is not another stream's key is
 * for `notSameAs` and `notAmong` (`compare-rules.ts`).
 */
export function streamKey(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? outerSpace(value) ?? lengthOfKey(value)
}

/** Stream key as the hub accepts it: up to 256 bytes (reference 4.7), printable, no spaces, and no `?`, where RTMP ends a key. */
export function wireKey(value: string): Fault | undefined {
  const fault = required(value) ?? printable(value) ?? noSpace(value) ?? lengthOfWireKey(value)
  return fault ?? (value.includes('?') ? { name: 'characters' } : undefined)
}

/**
 * Password: required, 1-32 characters, no spaces, word characters and ~!@#$%^&*_-+= only. The full stop behind that list in the
 * specification is taken to end its sentence. What a hub demands besides is in `password-rules.ts`.
 */
export function password(value: string): Fault | undefined {
  return (
    required(value) ??
    noSpace(value) ??
    (value.length > PASSWORD_MAX ? { name: 'length', min: 1, max: PASSWORD_MAX } : undefined) ??
    (/^[\w~!@#$%^&*\-+=]*$/.test(value) ? undefined : { name: 'characters' })
  )
}

/** Whole number between `min` and `max`, both included; with a sign only where `min` is below 0. Takes text, as a form field gives it. */
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

/** SRT passphrase: 10-79 printable ASCII characters; empty where the caller says what that means. */
export function passphrase(value: string): Fault | undefined {
  if (value.length < PASSPHRASE_MIN || value.length > PASSPHRASE_MAX)
    return { name: 'length', min: PASSPHRASE_MIN, max: PASSPHRASE_MAX }
  return /^[\x20-\x7e]*$/.test(value) ? outerSpace(value) : { name: 'characters' }
}

/** SRT stream id: at most 256 characters, none that ends a URL's query value. */
export function streamId(value: string): Fault | undefined {
  if (value.length > STREAM_ID_MAX) return { name: 'length', min: 0, max: STREAM_ID_MAX }
  return /^[\x21-\x7e]*$/.test(value) ? undefined : { name: 'characters' }
}

/** Dotted quad with a first octet of 1-255. */
export function isIpv4(value: string): boolean {
  const octets = value.split('.')
  return (
    octets.length === 4 &&
    octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256) &&
    octets[0] !== '0'
  )
}

/** Domain: at least two labels of up to 63 letters, digits or hyphens that start with a letter or digit. */
export function isDomain(value: string): boolean {
  const labels = value.split('.')
  return (
    value.length < 254 &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9][a-z0-9-]{0,62}$/i.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1] ?? '')
  )
}

/** Address of a peer: an IPv4 address, a domain, or `localhost`. */
export function host(value: string): Fault | undefined {
  return (
    required(value) ?? (isIpv4(value) || isDomain(value) || value === 'localhost' ? undefined : { name: 'invalid' })
  )
}

/** The first fault of each field; empty when all is well. */
export function faultsOf<Values extends object>(
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
