// The URL of a stream source, taken apart and put together again from an allow-list of schemes and options: what a user typed
// never travels on as it was. Forms: reference 4.8 and device-api 4.4. No URL class here: contract/ knows neither DOM nor Node.
import { LATENCY_DEFAULT, LATENCY_MAX, LATENCY_MIN, PORT_MAX } from '../limits.ts'
import { networkInterface } from '../rules/network.ts'
import { type Fault, isDomain, isIpv4, passphrase, printable, streamId, wholeNumber } from '../rules/rules.ts'
import { HTTP, type KeyLength, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'

/** A source URL in its parts. */
export interface SourceUrl {
  /** Protocol bit (reference 3.3). */
  protocol: number
  scheme: 'rtmp' | 'rtmps' | 'srt' | 'udp' | 'rtp' | 'rtsp' | 'http' | 'https'
  user?: string
  password?: string
  /** IPv4 address, domain or `localhost`. `0.0.0.0` where the hub listens. */
  host: string
  port: number
  /** Path and query with their leading `/`; empty where the scheme has none. */
  path: string
  /** SRT only. */
  srt?: {
    mode: 'caller' | 'listener'
    latency: number
    /** Of a listener: what callers must come with. */
    streamId: string
    passphrase: string
    /** Bytes of the key (`pbkeylen`); absent or 0: the other end's choice. */
    keyLength?: KeyLength
  }
  /** UDP and RTP, where a group is joined: the interface by name or address (`iface`), and the one sender that counts (`source`). */
  group?: { iface?: string; source?: string }
  /** RTSP only: TCP first (`mw-tcp-first=1`). */
  tcpFirst?: boolean
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

const FORM =
  /^([a-z]+):\/\/(?:([^\s:@/?#]+)(?::([^\s@/?#]*))?@)?([a-z0-9.-]*)(?::(\d{1,5}))?((?:\/[^\s?#]*)?)(?:\?([^\s#]*))?$/i

/** The option of RTSP that asks for TCP first (reference 4.8). */
const TCP_FIRST = 'mw-tcp-first='

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Characters of a URL, as typed and as kept. */
const URL_MAX = 2048
const TOO_LONG: Fault = { name: 'length', min: 1, max: URL_MAX }

/** encodeURIComponent leaves the quote as it is, which no source URL may hold. */
const encoded = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')

/**
 * Takes a source URL apart.
 * @returns the parts, or a fault: `required`, `scheme` (not a protocol we carry), `range` (a number out of its bounds), `length`,
 * `characters` (hidden by percent encoding), `invalid`
 */
export function parseSourceUrl(text: string): SourceUrl | Fault {
  if (text === '') return { name: 'required' }
  if (text.length > URL_MAX) return TOO_LONG
  // Printable ASCII only, and nothing a shell, a log or a command line could read as more than a URL.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"'`<>|{}^]/.test(text)) return { name: 'invalid' }
  const url = partsOf(text)
  // What is kept is the URL put together again, and it must be readable then, too.
  return isFault(url) || formatSourceUrl(url).length <= URL_MAX ? url : TOO_LONG
}

function partsOf(text: string): SourceUrl | Fault {
  const match = FORM.exec(text)
  if (!match) return { name: /^[a-z]+:\/\//i.test(text) ? 'invalid' : 'scheme' }
  const [, rawScheme = '', rawUser, rawPassword = '', rawHost = '', rawPort, path = '', query = ''] = match
  const scheme = rawScheme.toLowerCase()
  const known = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  if (!known) return { name: 'scheme' }
  const port = rawPort === undefined ? known.port : Number(rawPort)
  if (port < 1 || port > PORT_MAX) return { name: 'range', min: 1, max: PORT_MAX }
  // An SRT or UDP source without an address is one the hub listens for.
  const host = rawHost === '' && !known.path ? '0.0.0.0' : rawHost.toLowerCase()
  if (!isIpv4(host) && !isDomain(host) && host !== 'localhost' && !(host === '0.0.0.0' && !known.path))
    return { name: 'invalid' }
  const url: SourceUrl = { protocol: known.protocol, scheme: scheme as SourceUrl['scheme'], host, port, path: '' }
  if (rawUser !== undefined) {
    const [user, password] = [decoded(rawUser), decoded(rawPassword)]
    if (user === undefined || password === undefined) return { name: 'invalid' }
    const fault = printable(user + password)
    if (fault) return fault
    Object.assign(url, { user, password })
  }
  if (scheme === 'srt') return withSrt(url, query)
  if (!known.path) return withGroup(url, query)
  let rest = query
  if (scheme === 'rtsp') {
    const options = query.split('&').filter(Boolean)
    const others = options.filter((option) => !option.startsWith(TCP_FIRST))
    url.tcpFirst = options.findLast((option) => !others.includes(option)) === `${TCP_FIRST}1`
    rest = others.join('&')
  }
  url.path = path + (rest && `?${rest}`)
  // A live URL has at least one path segment (specification 5).
  return known.protocol === RTMP && !/^\/[^/?]/.test(url.path) ? { name: 'invalid' } : url
}

/** The options of a query, decoded; undefined where one cannot be: not passed over, as it could be the passphrase. */
function optionsOf(query: string): Map<string, string> | undefined {
  const options = new Map<string, string>()
  for (const option of query.split('&')) {
    const at = option.indexOf('=')
    const value = decoded(option.slice(at + 1))
    if (value === undefined) return undefined
    options.set(option.slice(0, Math.max(0, at)), value)
  }
  return options
}

function withGroup(url: SourceUrl, query: string): SourceUrl | Fault {
  const options = optionsOf(query)
  const [iface = '', source = ''] = [options?.get('iface'), options?.get('source')]
  if (!options || (iface && networkInterface(iface)) || (source && !isIpv4(source))) return { name: 'invalid' }
  return iface || source ? { ...url, group: { ...(iface && { iface }), ...(source && { source }) } } : url
}

function withSrt(url: SourceUrl, query: string): SourceUrl | Fault {
  const options = optionsOf(query)
  if (!options) return { name: 'invalid' }
  const mode = options.get('mode') ?? (url.host === '0.0.0.0' ? 'listener' : 'caller')
  if (mode !== 'caller' && mode !== 'listener') return { name: 'invalid' }
  if (mode === 'caller' && url.host === '0.0.0.0') return { name: 'invalid' }
  const latency = options.get('latency') ?? String(LATENCY_DEFAULT)
  if (wholeNumber(latency, LATENCY_MIN, LATENCY_MAX)) return { name: 'range', min: LATENCY_MIN, max: LATENCY_MAX }
  const id = options.get('streamid') ?? ''
  const secret = options.get('passphrase') ?? ''
  const fault = streamId(id) ?? (secret === '' ? undefined : passphrase(secret))
  const keyLength = Number(options.get('pbkeylen') ?? 0) as KeyLength
  if (![0, 16, 24, 32].includes(keyLength)) return { name: 'invalid' }
  const srt = {
    mode,
    latency: Number(latency),
    streamId: id,
    passphrase: secret,
    ...(keyLength && { keyLength })
  } as const
  return fault ?? { ...url, srt }
}

/** Whether `parseSourceUrl` answered a fault. */
export function isFault(value: SourceUrl | Fault): value is Fault {
  return 'name' in value
}

/** A form rule over `parseSourceUrl`. */
export function sourceUrl(value: string): Fault | undefined {
  const url = parseSourceUrl(value)
  return isFault(url) ? url : undefined
}

/**
 * The URL put together again in the documented form, with `mask` in place of password and passphrase where one is given.
 */
export function formatSourceUrl(url: SourceUrl, mask?: string): string {
  const hide = (secret: string) => (mask !== undefined && secret !== '' ? mask : encoded(secret))
  const login = url.user === undefined ? '' : `${encoded(url.user)}:${hide(url.password ?? '')}@`
  let text = `${url.scheme}://${login}${url.host}:${url.port}${url.path}`
  if (url.srt) {
    text += `?mode=${url.srt.mode}&latency=${url.srt.latency}`
    if (url.srt.streamId) text += `&streamid=${encoded(url.srt.streamId)}`
    if (url.srt.passphrase) text += `&passphrase=${hide(url.srt.passphrase)}`
    if (url.srt.keyLength) text += `&pbkeylen=${url.srt.keyLength}`
  }
  const group = Object.entries(url.group ?? {}).map(([name, value]) => `${name}=${value}`)
  if (group.length > 0) text += `?${group.join('&')}`
  if (url.tcpFirst) text += `${url.path.includes('?') ? '&' : '?'}${TCP_FIRST}1`
  return text
}
