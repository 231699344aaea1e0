// Splits a whole URL, which the user pastes into a form, into the values of the form.
import { parseUrl, TCP_FIRST } from './input-url.ts'
import { type PastedUrl, type SourceValues, SRT_KINDS, UDP_KINDS } from './source-form.ts'

/** Options of an input by kind, as in `input-form.ts`. */
const INPUT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  srt: ['mode', 'streamid', 'latency', 'passphrase', 'pbkeylen'],
  datagrams: ['iface', 'source'],
  ndi: ['name', 'url', 'mw-buffer-duration']
}

/** Other names of options, as other programs write them. */
const ALIASES: Readonly<Record<string, string>> = { localaddr: 'iface', sources: 'source', ttl: 'mcast-time-to-live' }

/** Encryption of an output by `pbkeylen`. A passphrase without it means the shortest key. */
const ENCRYPTIONS: Readonly<Record<string, string>> = { 16: 'aes-128', 24: 'aes-192', 32: 'aes-256' }

/** Names of values that are not parameters of the URL. */
const PARTS = ['kind', 'host', 'port', 'path', 'user', 'password', TCP_FIRST]

/** The parts of a URL; the source of an NDI URL, `ndi://NAME`, is its name. */
function splitUrl(text: string): SourceValues | undefined {
  const trimmed = text.trim()
  if (!/^[a-z]+:\/\//i.test(trimmed)) return undefined
  const ndi = /^ndi:\/\/([^?]+)/i.exec(trimmed)?.[1]
  if (ndi) return { kind: 'ndi', name: decodeURIComponent(ndi.replace(/%(?![0-9a-f]{2})/gi, '%25')) }
  const parsed = parseUrl(trimmed)
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [ALIASES[name] ?? name, value]))
}

const familyOf = (kind = '') => (SRT_KINDS.includes(kind) ? 'srt' : UDP_KINDS.includes(kind) ? 'datagrams' : kind)

/** Names of the parameters for which there is no field. */
const otherParameters = (values: SourceValues, known: readonly string[] = []) =>
  Object.keys(values).filter(
    (name) => name !== '' && values[name] !== '' && !PARTS.includes(name) && !known.includes(name)
  )

/** @param kinds the kinds of the form. @returns undefined if the text is no URL of them */
export function parsePastedInput(text: string, kinds: readonly string[]): PastedUrl | undefined {
  const values = splitUrl(text)
  if (!values || !kinds.includes(values.kind ?? '')) return undefined
  return { values, ignored: otherParameters(values, INPUT_OPTIONS[familyOf(values.kind)]) }
}

/** The target and the key of an RTMP URL. The key is what follows the application: the last part of the path, with the query. */
function splitRtmp(text: string, { user = '', password = '' }: SourceValues): SourceValues {
  const [, scheme = '', rest = ''] = /^(rtmps?):\/\/(?:[^@/]*@)?(.*)$/is.exec(text.trim()) ?? []
  const [, target = rest, key = ''] = /^([^/]+\/.+?)\/([^/?]+(?:\?.*)?)$/s.exec(rest) ?? []
  return { kind: 'rtmp', url: `${scheme.toLowerCase()}://${target}`, ...(key && { key }), username: user, password }
}

/** As `parsePastedInput`, for the form of an output. */
export function parsePastedOutput(text: string): PastedUrl | undefined {
  const parsed = splitUrl(text)
  if (!parsed) return undefined
  const { kind = '', host = '', port = '', path = '' } = parsed
  if (kind === 'rtmp' || kind === 'rtmps') return { values: splitRtmp(text, parsed), ignored: [] }
  if (kind === 'rtsp') {
    const values = { kind, ...(port && { port }), key: path.replace(/^\//, '') }
    return { values, ignored: host ? [host] : [] }
  }
  if (SRT_KINDS.includes(kind)) return pastedSrt(parsed)
  if (!UDP_KINDS.includes(kind)) return undefined
  const { iface = '', 'mcast-time-to-live': ttl = '' } = parsed
  return {
    values: { kind, 'dst-ip': host, 'dst-port': port, iface, 'mcast-time-to-live': ttl },
    ignored: otherParameters(parsed, ['iface', 'mcast-time-to-live'])
  }
}

function pastedSrt(parsed: SourceValues): PastedUrl {
  const { kind = '', host = '', port = '', streamid = '', latency, passphrase = '', pbkeylen = '' } = parsed
  const target: SourceValues = kind === 'listener' ? { 'bind-port': port } : { 'dst-ip': host, 'dst-port': port }
  return {
    values: {
      kind,
      ...target,
      'stream-id': streamid,
      passphrase,
      enc: passphrase ? (ENCRYPTIONS[pbkeylen] ?? 'aes-128') : 'disable',
      ...(latency && { latency })
    },
    ignored: otherParameters(parsed, INPUT_OPTIONS.srt)
  }
}
