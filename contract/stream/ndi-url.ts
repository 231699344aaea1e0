// URL of an NDI source as stored in a preset: `ntkndi://ndi?name=<NDI name>&url=<address>&mw-buffer-duration=<ms>`, the format of the vendor's
// decoders. It contains no secrets.
import { BUFFER_MAX, BUFFER_MIN } from '../limits.ts'
import { type Fault, host, port, printable, required, wholeNumber } from '../rules/rules.ts'

/** A parsed NDI source URL. */
export interface NdiUrl {
  /** NDI name as announced on the network: `MACHINE (Source)`. */
  name: string
  /** Host with an optional port, for sources that NDI discovery does not find. */
  address?: string
  /** Playback buffer in milliseconds. */
  buffer?: number
}

const PREFIX = /^ntkndi:\/\/ndi\/?(?:\?|$)/i
const URL_MAX = 2048
/** Maximum characters of an NDI name; the length of a DNS name. */
const NAME_MAX = 253

/** Whether a URL has the scheme of NDI; the rest may be invalid. */
export const isNdiUrl = (text: string): boolean => /^ntkndi:/i.test(text)

/** Parses the URL of an NDI source; ignores unknown options. @returns its parts, or a fault */
export function parseNdiUrl(text: string): NdiUrl | { fault: Fault } {
  if (text.length > URL_MAX) return { fault: { name: 'length', min: 1, max: URL_MAX } }
  if (!PREFIX.test(text) || !/^[!-~]+$/.test(text) || /[\\"'`<>|{}^#]/.test(text)) return { fault: { name: 'invalid' } }
  const options = new Map<string, string>()
  for (const option of text.replace(PREFIX, '').split('&')) {
    const [name = '', value = ''] = option.split(/=(.*)/s)
    try {
      // The vendor's documentation also has the spelling `ndi-name` and `ndi-url`.
      options.set(name.replace(/^ndi-/, ''), decodeURIComponent(value))
    } catch {
      return { fault: { name: 'invalid' } }
    }
  }
  const name = options.get('name') ?? ''
  const address = options.get('url') ?? ''
  const buffer = options.get('mw-buffer-duration') ?? ''
  const fault =
    required(name) ??
    (name.length > NAME_MAX ? ({ name: 'length', min: 1, max: NAME_MAX } as const) : undefined) ??
    printable(name) ??
    (address ? addressFault(address) : undefined) ??
    (buffer ? wholeNumber(buffer, BUFFER_MIN, BUFFER_MAX) : undefined)
  return fault ? { fault } : { name, ...(address && { address }), ...(buffer && { buffer: Number(buffer) }) }
}

function addressFault(address: string): Fault | undefined {
  const [name = '', portText = '1', ...more] = address.split(':')
  return more.length > 0 ? { name: 'invalid' } : (host(name) ?? port(portText))
}

/** Rule: the URL of an NDI source (`parseNdiUrl`). */
export function ndiUrl(text: string): Fault | undefined {
  const url = parseNdiUrl(text)
  return 'fault' in url ? url.fault : undefined
}

/** Also encodes the apostrophe, which encodeURIComponent does not and source URLs must not contain. */
const encodeValue = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')

/** Formats the URL of an NDI source. */
export function formatNdiUrl({ name, address, buffer }: NdiUrl): string {
  let text = `ntkndi://ndi?name=${encodeValue(name)}`
  if (address) text += `&url=${address}`
  if (buffer) text += `&mw-buffer-duration=${buffer}`
  return text
}
