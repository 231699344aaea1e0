// Stream source URLs. A URL is parsed and formatted again from an allow-list of schemes and options, so the text that a
// user entered is never passed on unchanged. Does not use the URL class, because contract/ is compiled without DOM and
// Node.

import { ipv6Text, urlHost } from '../ipv6.ts'
import { BUFFER_MAX, BUFFER_MIN, LATENCY_DEFAULT, LATENCY_MAX, LATENCY_MIN, PORT_MAX } from '../limits.ts'
import { ipAddress, liveUrl, networkInterface } from '../rules/network.ts'
import {
  type Fault,
  isDomain,
  isIpv4,
  isIpv6Host,
  passphrase,
  printable,
  streamId,
  wholeNumber
} from '../rules/rules.ts'
import { HTTP, type KeyLength, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'

/**
 * Who calls: the hub, the other end, or both at the same time (rendezvous), which opens the way through two firewalls.
 */
export const SRT_MODES = ['caller', 'listener', 'rendezvous'] as const
type SrtMode = (typeof SRT_MODES)[number]

const isSrtMode = (text: string): text is SrtMode => (SRT_MODES as readonly string[]).includes(text)

/** A parsed source URL. */
export interface SourceUrl {
  /** Protocol bit (`protocols.ts`). */
  protocol: number
  scheme: 'rtmp' | 'rtmps' | 'srt' | 'udp' | 'rtp' | 'rtsp' | 'http' | 'https'
  user?: string
  password?: string
  /**
   * IPv4 address, IPv6 address without brackets in its shortest form, domain name or `localhost`; `0.0.0.0` in listener
   * mode, which stands for all addresses of either kind.
   */
  host: string
  port: number
  /** Path with a leading `/`, and query; empty for schemes without a path. */
  path: string
  /** SRT only. */
  srt?: {
    mode: SrtMode
    latency: number
    /** In listener mode: the stream ID that callers must send. */
    streamId: string
    /** Empty: not encrypted. */
    passphrase: string
    /** Key length in bytes (`pbkeylen`); absent: the sender chooses. */
    keyLength?: KeyLength
    /** Rendezvous: the hub's own port. Absent: the port of the other end. */
    localPort?: number
  }
  /**
   * UDP and RTP multicast: the network interface by name or address (`iface`), and the source address for
   * source-specific multicast (`source`).
   */
  group?: { iface?: string; source?: string }
  /** RTSP only: prefer TCP (`mw-tcp-first=1`). */
  tcpFirst?: boolean
  /** RTMP and RTSP: playback buffer in milliseconds (`mw-buffer-duration`). */
  buffer?: number
}

const SCHEMES: Readonly<Record<string, { protocol: number; port: number; path: boolean }>> = {
  rtmp: { protocol: RTMP, port: 1935, path: true },
  rtmps: { protocol: RTMP, port: 443, path: true },
  srt: { protocol: SRT, port: 0, path: false },
  udp: { protocol: UDP, port: 0, path: false },
  rtp: { protocol: RTP, port: 0, path: false },
  rtsp: { protocol: RTSP, port: 554, path: true },
  http: { protocol: HTTP, port: 80, path: true },
  https: { protocol: HTTP, port: 443, path: true }
}

const URL_PATTERN =
  /^([a-z]+):\/\/(?:([^\s:@/?#]+)(?::([^\s@/?#]*))?@)?([a-z0-9.-]*|\[[0-9a-f:]+\])(?::(\d{1,5}))?((?:\/[^\s?#]*)?)(?:\?([^\s#]*))?$/i

/** RTSP option that prefers TCP. */
const TCP_FIRST = 'mw-tcp-first='
/** RTMP and RTSP option with the playback buffer. */
const BUFFER = 'mw-buffer-duration='

function decodeValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Maximum characters of a URL, as entered and as formatted. */
const URL_MAX = 2048
const TOO_LONG: Fault = { name: 'length', min: 1, max: URL_MAX }

/** Also encodes the apostrophe, which encodeURIComponent does not and source URLs must not contain. */
const encodeValue = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')

/**
 * The text with the scheme `rtmp` if it is a live URL without a scheme, such as `live.example.com/app/key`; else
 * unchanged.
 */
export const completeLiveUrl = (text: string): string =>
  text.includes('://') || liveUrl(text) ? text : `rtmp://${text}`

/**
 * Parses a source URL. The scheme of a live URL is optional (`completeLiveUrl`).
 * @returns its parts, or a fault: `required`, `scheme` (unsupported protocol), `range` (number out of range), `length`,
 * `characters` (unprintable characters in percent encoding), `invalid`
 */
export function parseSourceUrl(text: string): SourceUrl | Fault {
  if (text === '') return { name: 'required' }
  if (text.length > URL_MAX) return TOO_LONG
  // Printable ASCII only, without characters that are special in a shell, a log or a command line.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"'`<>|{}^]/.test(text)) return { name: 'invalid' }
  const url = parseUrl(completeLiveUrl(text))
  // The formatted URL is stored and parsed again later, so it must not be too long either.
  return isFault(url) || formatSourceUrl(url).length <= URL_MAX ? url : TOO_LONG
}

/** The host of a URL of which the hub listens. */
const ANY_HOST = '0.0.0.0'

/** A host as it stands in a URL, in its canonical form: an IPv6 address without brackets. */
function plainHost(text: string): string {
  if (!text.startsWith('[')) return text.toLowerCase()
  return ipv6Text(text.slice(1, -1)) ?? ''
}

function parseUrl(text: string): SourceUrl | Fault {
  const match = URL_PATTERN.exec(text)
  if (!match) return { name: /^[a-z]+:\/\//i.test(text) ? 'invalid' : 'scheme' }
  const [, rawScheme = '', rawUser, rawPassword = '', rawHost = '', rawPort, path = '', query = ''] = match
  const scheme = rawScheme.toLowerCase()
  const known = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  if (!known) return { name: 'scheme' }
  const port = rawPort === undefined ? known.port : Number(rawPort)
  if (port < 1 || port > PORT_MAX) return { name: 'range', min: 1, max: PORT_MAX }
  // SRT, UDP and RTP without a host: the hub listens.
  const host = (rawHost === '' || rawHost === '[::]') && !known.path ? ANY_HOST : plainHost(rawHost)
  const isHost = isIpv4(host) || isIpv6Host(host) || isDomain(host) || host === 'localhost'
  if (!isHost && !(host === ANY_HOST && !known.path)) return { name: 'invalid' }
  const url: SourceUrl = { protocol: known.protocol, scheme: scheme as SourceUrl['scheme'], host, port, path: '' }
  if (rawUser !== undefined) {
    const [user, password] = [decodeValue(rawUser), decodeValue(rawPassword)]
    if (user === undefined || password === undefined) return { name: 'invalid' }
    const fault = printable(user + password)
    if (fault) return fault
    Object.assign(url, { user, password })
  }
  if (scheme === 'srt') return parseSrtOptions(url, query)
  if (!known.path) return parseMulticastOptions(url, query)
  const [rest, ownOptions] = splitOwnOptions(known.protocol, query)
  if (scheme === 'rtsp') url.tcpFirst = ownOptions[TCP_FIRST] === '1'
  const buffer = ownOptions[BUFFER]
  if (buffer !== undefined) {
    const fault = wholeNumber(buffer, BUFFER_MIN, BUFFER_MAX)
    if (fault) return { name: 'range', min: BUFFER_MIN, max: BUFFER_MAX }
    url.buffer = Number(buffer)
  }
  url.path = path + (rest && `?${rest}`)
  // RTMP requires at least one path segment.
  return known.protocol === RTMP && !/^\/[^/?]/.test(url.path) ? { name: 'invalid' } : url
}

/**
 * Separates the options that the hub reads itself from a query that belongs to the server.
 * @returns the rest of the query, and the last value of each own option
 */
function splitOwnOptions(protocol: number, query: string): [rest: string, own: Readonly<Record<string, string>>] {
  const names = protocol === RTSP ? [TCP_FIRST, BUFFER] : protocol === RTMP ? [BUFFER] : []
  const isOwn = (option: string) => names.some((name) => option.startsWith(name))
  const options = query.split('&').filter(isOwn)
  if (options.length === 0) return [protocol === RTSP ? query.split('&').filter(Boolean).join('&') : query, {}]
  const own = options.map((option) => {
    const end = option.indexOf('=') + 1
    return [option.slice(0, end), option.slice(end)] as const
  })
  return [
    query
      .split('&')
      .filter((option) => option && !isOwn(option))
      .join('&'),
    Object.fromEntries(own)
  ]
}

/**
 * Decoded options of a query; undefined if one cannot be decoded. Such an option is not skipped, because it could be
 * the passphrase.
 */
function parseQuery(query: string): Map<string, string> | undefined {
  const options = new Map<string, string>()
  for (const option of query.split('&')) {
    const separator = option.indexOf('=')
    const value = decodeValue(option.slice(separator + 1))
    if (value === undefined) return undefined
    options.set(option.slice(0, Math.max(0, separator)), value)
  }
  return options
}

function parseMulticastOptions(url: SourceUrl, query: string): SourceUrl | Fault {
  const options = parseQuery(query)
  const [iface = '', source = ''] = [options?.get('iface'), options?.get('source')]
  if (!options || (iface && networkInterface(iface)) || (source && ipAddress(source))) return { name: 'invalid' }
  return iface || source ? { ...url, group: { ...(iface && { iface }), ...(source && { source }) } } : url
}

function parseSrtOptions(url: SourceUrl, query: string): SourceUrl | Fault {
  const options = parseQuery(query)
  if (!options) return { name: 'invalid' }
  const mode = options.get('mode') ?? (url.host === '0.0.0.0' ? 'listener' : 'caller')
  if (!isSrtMode(mode)) return { name: 'invalid' }
  if (mode !== 'listener' && url.host === '0.0.0.0') return { name: 'invalid' }
  const localPort = mode === 'rendezvous' ? Number(options.get('localport') ?? url.port) : url.port
  if (!Number.isInteger(localPort) || localPort < 1 || localPort > 65_535) return { name: 'range', min: 1, max: 65_535 }
  const latency = options.get('latency') ?? String(LATENCY_DEFAULT)
  if (wholeNumber(latency, LATENCY_MIN, LATENCY_MAX)) return { name: 'range', min: LATENCY_MIN, max: LATENCY_MAX }
  const id = options.get('streamid') ?? ''
  const keyLengthText = options.get('pbkeylen')
  const keyLength = Number(keyLengthText ?? 0) as KeyLength
  if (![0, 16, 24, 32].includes(keyLength)) return { name: 'invalid' }
  // With the key length 0 encryption is disabled: a passphrase is not stored.
  const secret = (keyLengthText !== undefined && keyLength === 0 ? '' : options.get('passphrase')) ?? ''
  const fault = streamId(id) ?? (secret === '' ? undefined : passphrase(secret))
  const srt = {
    mode,
    latency: Number(latency),
    streamId: id,
    passphrase: secret,
    ...(keyLength && { keyLength }),
    ...(localPort !== url.port && { localPort })
  } as const
  return fault ?? { ...url, srt }
}

/** Whether `parseSourceUrl` returned a fault. */
export function isFault(value: SourceUrl | Fault): value is Fault {
  return 'name' in value
}

/** Rule: a source URL (`parseSourceUrl`). */
export function sourceUrl(value: string): Fault | undefined {
  const url = parseSourceUrl(value)
  return isFault(url) ? url : undefined
}

/** Formats a source URL. @param mask replaces password and passphrase, if given */
export function formatSourceUrl(url: SourceUrl, mask?: string): string {
  const hide = (secret: string) => (mask !== undefined && secret !== '' ? mask : encodeValue(secret))
  const login = url.user === undefined ? '' : `${encodeValue(url.user)}:${hide(url.password ?? '')}@`
  let text = `${url.scheme}://${login}${urlHost(url.host)}:${url.port}${url.path}`
  if (url.srt) {
    text += `?mode=${url.srt.mode}&latency=${url.srt.latency}`
    if (url.srt.streamId) text += `&streamid=${encodeValue(url.srt.streamId)}`
    if (url.srt.passphrase) text += `&passphrase=${hide(url.srt.passphrase)}`
    if (url.srt.keyLength) text += `&pbkeylen=${url.srt.keyLength}`
    if (url.srt.localPort) text += `&localport=${url.srt.localPort}`
  }
  const group = Object.entries(url.group ?? {}).map(([name, value]) => `${name}=${value}`)
  if (group.length > 0) text += `?${group.join('&')}`
  const own = [url.tcpFirst && `${TCP_FIRST}1`, url.buffer && `${BUFFER}${url.buffer}`].filter(Boolean).join('&')
  return own ? `${text}${url.path.includes('?') ? '&' : '?'}${own}` : text
}
