// URL of an NDI source as stored in an input: `ntkndi://ndi?name=<NDI name>&url=<address>&mw-buffer-duration=<ms>`, the
// format of the vendor's decoders, with options of ours for how the source is searched and received (docs/wire.md,
// "Inputs and outputs"). It contains no secrets.
import { BUFFER_MAX, BUFFER_MIN, TTL_MAX } from '../limits.ts'
import { hostWithPort, ndiDiscoveryServers, ndiExtraIps, ndiGroups, ndiSourceName } from '../rules/ndi.ts'
import { multicastAddress, subnetMask } from '../rules/network.ts'
import { type Fault, wholeNumber } from '../rules/rules.ts'
import { NDI_TRANSPORT_MAX } from './transport.ts'

/** A parsed NDI source URL. */
export interface NdiUrl {
  /** NDI name as announced on the network: `MACHINE (Source)`. */
  name: string
  /** Host with an optional port, for sources that NDI discovery does not find. */
  address?: string
  /** Playback buffer in milliseconds. */
  buffer?: number
  /** Groups in which the source is searched, separated by commas; absent: those of the hub. */
  group?: string
  /** Transport mode (`contract/ndi/transport.ts`); absent: what the NDI runtime prefers. */
  transport?: number
  /** Multicast: address, mask and TTL, which the hub stores for other devices. It receives at those of the sender. */
  multicastAddress?: string
  multicastMask?: string
  multicastTtl?: number
  /** IPv4 addresses of machines on other networks, at which the source is searched, too. */
  extraIps?: string[]
  /** Receives the preview of the source, with a low resolution, instead of the full picture. */
  lowBandwidth?: boolean
  /** Discovery servers, as host with an optional port; absent: those of the hub. */
  discoveryServers?: string[]
}

const PREFIX = /^ntkndi:\/\/ndi\/?(?:\?|$)/i
const URL_MAX = 2048
const TOO_LONG: Fault = { name: 'length', min: 1, max: URL_MAX }

/** Whether a URL has the scheme of NDI; the rest may be invalid. */
export const isNdiUrl = (text: string): boolean => /^ntkndi:/i.test(text)

/** An option of the URL: its name, the rule for its text, and how it is converted to and from the text. */
interface UrlOption<Field extends keyof NdiUrl> {
  name: string
  rule: (text: string) => Fault | undefined
  parse: (text: string) => NdiUrl[Field]
  format: (value: NonNullable<NdiUrl[Field]>) => string
}

type UrlOptions = { [Field in keyof NdiUrl]-?: UrlOption<Field> }

const textOption = (name: string, rule: UrlOption<'name'>['rule']) => ({ name, rule, parse: String, format: String })

const listOption = (name: string, rule: UrlOption<'name'>['rule']) => ({
  name,
  rule,
  parse: (text: string) => text.split(','),
  format: (values: string[]) => values.join()
})

const numberOption = (name: string, min: number, max: number) => ({
  name,
  rule: (text: string) => wholeNumber(text, min, max),
  parse: Number,
  format: String
})

/** In the order of the formatted URL. */
const OPTIONS: UrlOptions = {
  name: textOption('name', ndiSourceName),
  address: textOption('url', hostWithPort),
  buffer: numberOption('mw-buffer-duration', BUFFER_MIN, BUFFER_MAX),
  group: textOption('group', ndiGroups),
  transport: numberOption('transport-mode', 0, NDI_TRANSPORT_MAX),
  multicastAddress: textOption('mcast-ip', multicastAddress),
  multicastMask: textOption('mcast-sub-mask', subnetMask),
  multicastTtl: numberOption('mcast-time-to-live', 1, TTL_MAX),
  extraIps: listOption('extra-ips', ndiExtraIps),
  lowBandwidth: {
    name: 'low-bw',
    rule: (text) => wholeNumber(text, 0, 1),
    // Absent means the same as 0.
    parse: (text) => text === '1' || undefined,
    format: () => '1'
  },
  discoveryServers: listOption('discovery-server', ndiDiscoveryServers)
}

const FIELDS = Object.keys(OPTIONS) as (keyof NdiUrl)[]

/** Decoded options of a URL; undefined if one cannot be decoded. */
function decodeOptions(text: string): Map<string, string> | undefined {
  const options = new Map<string, string>()
  for (const option of text.replace(PREFIX, '').split('&')) {
    const [name = '', value = ''] = option.split(/=(.*)/s)
    try {
      // The vendor's documentation also has the spelling `ndi-name` and `ndi-url`.
      options.set(name.replace(/^ndi-/, ''), decodeURIComponent(value))
    } catch {
      return undefined
    }
  }
  return options
}

/** Parses the URL of an NDI source; ignores unknown options. @returns its parts, or a fault */
export function parseNdiUrl(text: string): NdiUrl | { fault: Fault } {
  if (text.length > URL_MAX) return { fault: TOO_LONG }
  if (!PREFIX.test(text) || !/^[!-~]+$/.test(text) || /[\\"'`<>|{}^#]/.test(text)) return { fault: { name: 'invalid' } }
  const texts = decodeOptions(text)
  if (!texts) return { fault: { name: 'invalid' } }
  const url: Partial<NdiUrl> = {}
  for (const field of FIELDS) {
    const { name, rule, parse } = OPTIONS[field]
    const value = texts.get(name) ?? ''
    if (value === '' && field !== 'name') continue
    const fault = rule(value)
    if (fault) return { fault }
    const parsed = parse(value)
    if (parsed !== undefined) Object.assign(url, { [field]: parsed })
  }
  // The formatted URL is stored and parsed again later, so it must not be too long either.
  return formatNdiUrl(url as NdiUrl).length > URL_MAX ? { fault: TOO_LONG } : (url as NdiUrl)
}

/**
 * Whether a source is searched elsewhere than where the settings of the hub say, so that discovery need not find it.
 */
export const isSearchedElsewhere = ({ address, group, extraIps, discoveryServers }: NdiUrl): boolean =>
  Boolean(address ?? group ?? extraIps ?? discoveryServers)

/** Rule: the URL of an NDI source (`parseNdiUrl`). */
export function ndiUrl(text: string): Fault | undefined {
  const url = parseNdiUrl(text)
  return 'fault' in url ? url.fault : undefined
}

/** Also encodes the apostrophe, which encodeURIComponent does not and source URLs must not contain. */
const encodeValue = (text: string) =>
  // Commas and colons separate addresses and ports.
  encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',').replaceAll('%3A', ':')

/** Formats the URL of an NDI source. Options without a value are left out. */
export function formatNdiUrl(url: NdiUrl): string {
  const formatted = FIELDS.flatMap((field) => {
    const { name, format } = OPTIONS[field] as UrlOption<keyof NdiUrl>
    const value = url[field]
    const isEmpty = value === undefined || value === '' || value === false || (Array.isArray(value) && !value.length)
    return isEmpty ? [] : `${name}=${encodeValue(format(value as NonNullable<typeof value>))}`
  })
  return `ntkndi://ndi?${formatted.join('&')}`
}
