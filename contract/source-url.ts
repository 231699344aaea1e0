// The URL of a stream source, taken apart and put together again from an allow-list of schemes and options: what a user typed
// never travels on as it was. Forms: reference 4.8 and device-api 4.4. No URL class here: contract/ knows neither DOM nor Node.
import {
  LATENCY_DEFAULT,
  LATENCY_MAX,
  LATENCY_MIN,
  PASSPHRASE_MAX,
  PASSPHRASE_MIN,
  PORT_MAX,
  STREAM_ID_MAX
} from './limits.ts'
import { HTTP, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'
import { type Fault, isDomain, isIpv4 } from './rules.ts'

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
  srt?: { mode: 'caller' | 'listener'; latency: number; streamId: string; passphrase: string }
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

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Takes a source URL apart.
 * @returns the parts, or a fault: `required`, `scheme` (not a protocol we carry), `range` (a number out of its bounds), `invalid`
 */
export function parseSourceUrl(text: string): SourceUrl | Fault {
  if (text === '') return { name: 'required' }
  if (text.length > 2048) return { name: 'length', min: 1, max: 2048 }
  // Printable ASCII only, and nothing a shell, a log or a command line could read as more than a URL.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"'`<>|{}^]/.test(text)) return { name: 'invalid' }
  const match = FORM.exec(text)
  if (!match) return { name: /^[a-z]+:\/\//i.test(text) ? 'invalid' : 'scheme' }
  const [, rawScheme = '', user, password, rawHost = '', rawPort, path = '', query = ''] = match
  const scheme = rawScheme.toLowerCase()
  const known = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  if (!known) return { name: 'scheme' }
  const options = new Map<string, string>()
  for (const part of query.split('&')) {
    const at = part.indexOf('=')
    if (at > 0) options.set(part.slice(0, at), decoded(part.slice(at + 1)) ?? '')
  }
  const port = rawPort === undefined ? known.port : Number(rawPort)
  if (port < 1 || port > PORT_MAX) return { name: 'range', min: 1, max: PORT_MAX }
  // An SRT or UDP source without an address is one the hub listens for.
  const host = rawHost === '' && !known.path ? '0.0.0.0' : rawHost.toLowerCase()
  if (!isIpv4(host) && !isDomain(host) && host !== 'localhost' && !(host === '0.0.0.0' && !known.path))
    return { name: 'invalid' }
  const url: SourceUrl = { protocol: known.protocol, scheme: scheme as SourceUrl['scheme'], host, port, path: '' }
  if (user !== undefined) {
    const [plainUser, plainPassword] = [decoded(user), decoded(password ?? '')]
    if (plainUser === undefined || plainPassword === undefined) return { name: 'invalid' }
    url.user = plainUser
    url.password = plainPassword
  }
  if (scheme === 'srt') return withSrt(url, options)
  if (scheme === 'rtsp') {
    url.tcpFirst = options.get('mw-tcp-first') === '1'
    options.delete('mw-tcp-first')
  }
  if (known.path) {
    const rest = scheme === 'rtsp' ? query.replace(/(^|&)mw-tcp-first=[^&]*/, '').replace(/^&/, '') : query
    url.path = path + (rest ? `?${rest}` : '')
    // A live URL has at least one path segment (specification 5).
    if (known.protocol === RTMP && !/^\/[^/?]/.test(url.path)) return { name: 'invalid' }
  }
  return url
}

function withSrt(url: SourceUrl, options: Map<string, string>): SourceUrl | Fault {
  const mode = options.get('mode') ?? (url.host === '0.0.0.0' ? 'listener' : 'caller')
  if (mode !== 'caller' && mode !== 'listener') return { name: 'invalid' }
  if (mode === 'caller' && url.host === '0.0.0.0') return { name: 'invalid' }
  const latency = Number(options.get('latency') ?? LATENCY_DEFAULT)
  if (!Number.isInteger(latency) || latency < LATENCY_MIN || latency > LATENCY_MAX)
    return { name: 'range', min: LATENCY_MIN, max: LATENCY_MAX }
  const streamId = options.get('streamid') ?? ''
  if (streamId.length > STREAM_ID_MAX) return { name: 'length', min: 0, max: STREAM_ID_MAX }
  const passphrase = options.get('passphrase') ?? ''
  if (passphrase !== '' && (passphrase.length < PASSPHRASE_MIN || passphrase.length > PASSPHRASE_MAX))
    return { name: 'length', min: PASSPHRASE_MIN, max: PASSPHRASE_MAX }
  return { ...url, srt: { mode, latency, streamId, passphrase } }
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
  const hide = (secret: string) => (mask !== undefined && secret !== '' ? mask : encodeURIComponent(secret))
  const login = url.user === undefined ? '' : `${encodeURIComponent(url.user)}:${hide(url.password ?? '')}@`
  let text = `${url.scheme}://${login}${url.host}:${url.port}${url.path}`
  if (url.srt) {
    text += `?mode=${url.srt.mode}&latency=${url.srt.latency}`
    if (url.srt.streamId) text += `&streamid=${encodeURIComponent(url.srt.streamId)}`
    if (url.srt.passphrase) text += `&passphrase=${hide(url.srt.passphrase)}`
  }
  if (url.tcpFirst) text += `${url.path.includes('?') ? '&' : '?'}mw-tcp-first=1`
  return text
}
