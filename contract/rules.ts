// Validation rules: specification 5. A rule returns nothing, or a fault: a name and its numbers. No words, so that the
// console, the hub and the tests use the same ones; `src/text/faults.ts` turns a fault into a sentence.
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
} from './limits.ts'

/** What is wrong with a value. */
export interface Fault {
  name:
    | 'required'
    | 'invalid'
    | 'number'
    | 'outer-space'
    | 'any-space'
    | 'length'
    | 'range'
    | 'characters'
    | 'different'
    | 'scheme'
  min?: number
  max?: number
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

export function required(value: string): Fault | undefined {
  return value === '' ? { name: 'required' } : undefined
}

function outerSpace(value: string): Fault | undefined {
  return value.trim() === value ? undefined : { name: 'outer-space' }
}

function within(value: string, min: number, max: number): Fault | undefined {
  const units = lengthInUnits(value)
  return units < min || units > max ? { name: 'length', min, max } : undefined
}

/**
 * Name of a stream, source or channel: required, 1-64 units, no outer spaces.
 * Of the two character sets the specification gives, the union is taken: a name that is fine on either kind of device is fine
 * on the hub. Letters of any script are letters, since the length rule above only makes sense for them.
 */
export function streamName(value: string): Fault | undefined {
  return (
    required(value) ??
    outerSpace(value) ??
    within(value, 1, NAME_MAX) ??
    (/^[\p{L}\p{N} _\-#().+'[\]]*$/u.test(value) ? undefined : { name: 'characters' })
  )
}

/** Stream key typed by a user: required, 1-63 units, no outer spaces, printable. */
export function streamKey(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? outerSpace(value) ?? within(value, 1, STREAM_KEY_MAX)
}

/** Stream key as the hub accepts it: up to 256 bytes (reference 4.7), printable, no spaces. */
export function wireKey(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noSpace(value) ?? within(value, 1, KEY_MAX)
}

function noSpace(value: string): Fault | undefined {
  return /\s/.test(value) ? { name: 'any-space' } : undefined
}

/** No control characters. */
export function printable(value: string): Fault | undefined {
  return /\p{Cc}/u.test(value) ? { name: 'characters' } : undefined
}

/** Password: required, 1-32 characters, no spaces, word characters and ~!@#$%^&*_-+=. */
export function password(value: string): Fault | undefined {
  return (
    required(value) ??
    noSpace(value) ??
    (value.length > PASSWORD_MAX ? { name: 'length', min: 1, max: PASSWORD_MAX } : undefined) ??
    (/^[\w~!@#$%^&*\-+=]*$/.test(value) ? undefined : { name: 'characters' })
  )
}

/** Whole number between `min` and `max`, both included. Takes text, as a form field gives it. */
export function wholeNumber(value: string, min: number, max: number): Fault | undefined {
  if (value === '') return { name: 'required' }
  if (!/^\d+$/.test(value)) return { name: 'number' }
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

const SOURCE_FORM = /^(rtmps?|srt|udp|rtp|rtsp|https?):\/\/([^\s@/?#]*@)?([^\s:@/?#]*)(:(\d+))?([/?][!-~]*)?$/i

/**
 * The form of a source URL: a scheme we carry, a host where one is needed, a port. The console checks this much as the user types;
 * `source-url.ts`, which refuses whatever this refuses, checks the options too, in the hub, which then names the field.
 */
export function sourceForm(value: string): Fault | undefined {
  const [, scheme, , name = '', , portText = '1'] = SOURCE_FORM.exec(value) ?? []
  if (!scheme)
    return required(value) ?? { name: /^(rtmps?|srt|udp|rtp|rtsp|https?):\/\//i.test(value) ? 'invalid' : 'scheme' }
  // The hub itself listens for SRT, UDP and RTP where no address is given.
  const listens = /^[su]|^rtp$/i.test(scheme) && (name === '' || name === '0.0.0.0')
  return (listens ? undefined : host(name) && { name: 'invalid' }) ?? port(portText)
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
