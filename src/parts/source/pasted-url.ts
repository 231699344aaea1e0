// Splits a whole URL, which the user pastes into a form, into the values of the form.
import { completeLiveUrl } from '../../../contract/stream/source-url.ts'
import { parseUrl } from './input-url.ts'
import { type SourceValues, SRT_KINDS, UDP_KINDS } from './source-form.ts'

/** Other names of options, as other programs write them. */
const ALIASES: Readonly<Record<string, string>> = { localaddr: 'iface', sources: 'source', ttl: 'mcast-time-to-live' }

const DESTINATION = { host: 'dst-ip', port: 'dst-port', streamid: 'stream-id' }

/** Names of the parts of a URL in the form of an output, by kind, where they differ. */
const OUTPUT_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  caller: DESTINATION,
  rendezvous: { ...DESTINATION, localport: 'bind-port' },
  udp: DESTINATION,
  rtp: DESTINATION,
  listener: { port: 'bind-port', streamid: 'stream-id' },
  rtsp: { path: 'key' }
}

/** Encryption of an output by `pbkeylen`. */
const ENCRYPTIONS: Readonly<Record<string, string>> = { 16: 'aes-128', 24: 'aes-192', 32: 'aes-256' }

const rename = (values: SourceValues, names: Readonly<Record<string, string>> = {}): SourceValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names[name] ?? name, value]))

/**
 * The parts and options of a URL by the names that they have in the form of an input. A live URL may lack `rtmp://`.
 * The source of an NDI URL, `ndi://NAME`, is its name.
 * @param kinds the kinds of the form. @returns undefined if the text is not a URL of one of these kinds
 */
export function parsePastedInput(text: string, kinds: readonly string[]): SourceValues | undefined {
  const trimmed = text.trim()
  const ndi = /^ndi:\/\/([^?]+)/i.exec(trimmed)?.[1]
  if (ndi) return { kind: 'ndi', name: decodeURIComponent(ndi.replace(/%(?![0-9a-f]{2})/gi, '%25')) }
  const { mode: _, ...values } = rename(parseUrl(completeLiveUrl(trimmed)), ALIASES)
  return kinds.includes(values.kind ?? '') ? values : undefined
}

/**
 * The target and the key of an RTMP URL. The key is what follows the application: the last part of the path, with the
 * query.
 */
function splitRtmp(text: string, { user = '', password = '' }: SourceValues): SourceValues {
  const [, scheme = '', rest = ''] = /^(rtmps?):\/\/(?:[^@/]*@)?(.*)$/is.exec(completeLiveUrl(text.trim())) ?? []
  const [, target = rest, key = ''] = /^([^/]+\/.+?)\/([^/?]+(?:\?.*)?)$/s.exec(rest) ?? []
  return { kind: 'rtmp', url: `${scheme.toLowerCase()}://${target}`, ...(key && { key }), username: user, password }
}

/** As `parsePastedInput`, for the form of an output. */
export function parsePastedOutput(text: string): SourceValues | undefined {
  const parsed = parsePastedInput(text, [...SRT_KINDS, ...UDP_KINDS, 'rtsp', 'rtmp', 'rtmps'])
  const { kind = '' } = parsed ?? {}
  if (!parsed || kind === 'ndi') return undefined
  if (kind.startsWith('rtmp')) return splitRtmp(text, parsed)
  const { pbkeylen = '', ...values } = rename(parsed, OUTPUT_NAMES[kind])
  if (kind === 'rtsp') return { ...values, key: (values.key ?? '').replace(/^\//, '') }
  return SRT_KINDS.includes(kind) ? { ...values, enc: ENCRYPTIONS[pbkeylen] ?? 'disable' } : values
}
