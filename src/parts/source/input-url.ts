// Converts between the URL of an input and the values of its form.
import { LOGIN_KINDS, type SourceValues, SRT_KINDS } from './source-form.ts'

/** Option of an RTSP input: receives RTP over the TCP connection. */
export const TCP_FIRST = 'mw-tcp-first'

const URL_PARTS = /^(\w+):\/\/(?:([^:@/?]*):?([^@/?]*)@)?([^:/?]*):?(\d*)([^?]*)\??(.*)$/s

/** Decodes a query. Keeps text that is not valid percent-encoding, and does not read `+` as a space. */
const decodeQuery = (query: string) => Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')))

/** Splits a URL into form values. Takes URLs in the hub's form, and URLs that the user pastes. */
export function parseUrl(url: string): SourceValues {
  const [, scheme = '', user, password, host = '', port = '', path, query = ''] = URL_PARTS.exec(url) ?? []
  const options = decodeQuery(query)
  const isListener = host === '' || host === '0.0.0.0'
  const name = scheme.toLowerCase()
  const kind =
    name === 'srt' ? (options.mode ?? (isListener ? 'listener' : 'caller')) : name === 'ntkndi' ? 'ndi' : name
  return {
    // For RTMP, RTSP and HTTP the query belongs to the path, except for one option, which the hub writes last.
    ...(LOGIN_KINDS.includes(kind)
      ? { [TCP_FIRST]: options[TCP_FIRST] ?? '', path: `${path}?${query}`.replace(/([?&]mw-tcp-first=\d|\?)$/, '') }
      : options),
    ...decodeQuery(`user=${user ?? ''}&password=${password ?? ''}`),
    kind,
    host: isListener ? '' : host,
    port
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
  const address = `${login}${host}${port ? `:${port}` : ''}${path.replace(/^(?=[^/?])/, '/')}`
  const base = kind === 'ndi' ? 'ntkndi://ndi' : `${isSrt ? 'srt' : kind}://${address}`
  return base + (query.length > 0 ? (path.includes('?') ? '&' : '?') + query.join('&') : '')
}
