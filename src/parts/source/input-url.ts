// Converts between the URL of an input and the values of its form.
import { urlHost } from '../../../contract/ipv6.ts'
import { LOGIN_KINDS, type SourceValues, SRT_KINDS } from './source-form.ts'

/** Option of an RTSP input: receives RTP over the TCP connection. */
export const TCP_FIRST = 'mw-tcp-first'
/** Option of RTMP, RTSP and NDI inputs: playback buffer in milliseconds. */
export const BUFFER = 'mw-buffer-duration'

/** Options of the hub in URLs whose query belongs to the server, by kind. */
const OWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  rtsp: [TCP_FIRST, BUFFER],
  rtmp: [BUFFER],
  rtmps: [BUFFER]
}

const URL_PARTS = /^(\w+):\/\/(?:([^:@/?]*):?([^@/?]*)@)?(\[[^\]]*\]|[^:/?]*):?(\d*)([^?]*)\??(.*)$/s

/** Decodes a query. Keeps text that is not valid percent-encoding, and does not read `+` as a space. */
const decodeQuery = (query: string) => Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')))

/** Splits a URL into form values. Takes URLs in the hub's form, and URLs that the user pastes. */
export function parseUrl(url: string): SourceValues {
  const [, scheme = '', user, password, rawHost = '', port = '', path, query = ''] = URL_PARTS.exec(url) ?? []
  const options = decodeQuery(query)
  const host = rawHost.replace(/^\[|\]$/g, '')
  const isListener = host === '' || host === '::' || host === '0.0.0.0'
  const name = scheme.toLowerCase()
  const kind =
    name === 'srt' ? (options.mode ?? (isListener ? 'listener' : 'caller')) : name === 'ntkndi' ? 'ndi' : name
  return {
    // For RTMP, RTSP and HTTP the query belongs to the path, except for the hub's own options.
    ...(LOGIN_KINDS.includes(kind) ? splitPath(path, query, OWN_OPTIONS[kind] ?? []) : options),
    // Without a passphrase encryption is disabled. A passphrase alone means the shortest key.
    ...(SRT_KINDS.includes(kind) && { pbkeylen: options.passphrase ? options.pbkeylen || '16' : '0' }),
    ...decodeQuery(`user=${user ?? ''}&password=${password ?? ''}`),
    kind,
    host: isListener ? '' : host,
    port
  }
}

/** The path with the rest of the query, and the hub's own options. */
function splitPath(path: string | undefined, query: string, names: readonly string[]): SourceValues {
  const isOwn = (option: string) => names.some((name) => option.startsWith(`${name}=`))
  const rest = query.split('&').filter((option) => !isOwn(option))
  const own = decodeQuery(query.split('&').filter(isOwn).join('&'))
  return {
    ...Object.fromEntries(names.map((name) => [name, own[name] ?? ''])),
    path: [path, rest.join('&')].filter(Boolean).join('?')
  }
}

/** Builds the URL of an input from the filled fields of its form. The hub validates and normalizes it. */
export function formatUrl(kind: string, filled: SourceValues): string {
  const { user, password = '', host = '', port, path = '', ...options } = filled
  const isSrt = SRT_KINDS.includes(kind)
  const query = Object.entries({ ...(isSrt && { mode: kind }), ...options }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`
  )
  const login = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : ''
  const address = `${login}${urlHost(host)}${port ? `:${port}` : ''}${path.replace(/^(?=[^/?])/, '/')}`
  const base = kind === 'ndi' ? 'ntkndi://ndi' : `${isSrt ? 'srt' : kind}://${address}`
  return base + (query.length > 0 ? (path.includes('?') ? '&' : '?') + query.join('&') : '')
}
