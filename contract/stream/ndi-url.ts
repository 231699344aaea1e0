// The URL of an NDI source, as a preset keeps it. The hub's own form is not public; this is the one of the vendor's decoders (reference
// 4.8, device-api 4.4): `ntkndi://ndi?name=<NDI name>&url=<address>&mw-buffer-duration=<ms>`. There are no secrets in it.
import { BUFFER_MAX, BUFFER_MIN } from '../limits.ts'
import { type Fault, host, port, printable, required, wholeNumber } from '../rules/rules.ts'

/** An NDI source in its parts. */
export interface NdiUrl {
  /** As the network announces it: `MACHINE (Source)`. */
  name: string
  /** Where it is, for sources that no discovery finds: a host, with a port or without. */
  address?: string
  /** Milliseconds that are buffered. */
  buffer?: number
}

const BEFORE = /^ntkndi:\/\/ndi\/?(?:\?|$)/i
const URL_MAX = 2048
/** Characters of an NDI name: a machine's name and a source's, each as long as a name in the DNS may be. */
const NAME_MAX = 253

/** Whether a URL is one of NDI, be it right or not. */
export const isNdiUrl = (text: string): boolean => /^ntkndi:/i.test(text)

/** Takes the URL of an NDI source apart. @returns its parts, or what is wrong with it; options that are not of the form are left out */
export function parseNdiUrl(text: string): NdiUrl | { fault: Fault } {
  if (text.length > URL_MAX) return { fault: { name: 'length', min: 1, max: URL_MAX } }
  if (!BEFORE.test(text) || !/^[!-~]+$/.test(text) || /[\\"'`<>|{}^#]/.test(text)) return { fault: { name: 'invalid' } }
  const options = new Map<string, string>()
  for (const option of text.replace(BEFORE, '').split('&')) {
    const [name = '', value = ''] = option.split(/=(.*)/s)
    try {
      // One page of the vendor spells them `ndi-name` and `ndi-url`.
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

/** A rule over `parseNdiUrl`. */
export function ndiUrl(text: string): Fault | undefined {
  const url = parseNdiUrl(text)
  return 'fault' in url ? url.fault : undefined
}

/** encodeURIComponent leaves the quote as it is, which no URL of a source may hold. */
const encoded = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')

/** The URL put together again in the documented form. */
export function formatNdiUrl({ name, address, buffer }: NdiUrl): string {
  let text = `ntkndi://ndi?name=${encoded(name)}`
  if (address) text += `&url=${address}`
  if (buffer) text += `&mw-buffer-duration=${buffer}`
  return text
}
