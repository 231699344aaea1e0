// URLs of sources: the normalized form that is stored, and the form without secrets.
import { INVALID_ARG } from '../../../contract/codes.ts'
import { formatNdiUrl, isNdiUrl, parseNdiUrl } from '../../../contract/ndi/url.ts'
import type { Fault } from '../../../contract/rules/rules.ts'
import { NDI, RTMP } from '../../../contract/stream/protocols.ts'
import { formatSourceUrl, isFault, parseSourceUrl, type SourceUrl } from '../../../contract/stream/source-url.ts'
import { CallError } from '../../http/handler.ts'

/** Replaces a secret. */
export const MASK = '****'

function invalidUrl(field: string, { name: fault, ...numbers }: Fault): CallError {
  return new CallError(INVALID_ARG, { field, fault, ...numbers })
}

/**
 * The normalized form of a source URL. The URL is parsed and formatted again, so that only the options on the allow
 * list remain.
 * @throws CallError 7 with the field and the fault
 */
export function normalizeUrl(text: string, field: string): { protocol: number; url: string } {
  const parsed = parseSourceUrl(text)
  if (isFault(parsed)) throw invalidUrl(field, parsed)
  return { protocol: parsed.protocol, url: formatSourceUrl(parsed) }
}

/** Like `normalizeUrl`, for inputs, which can also be NDI sources. */
export function normalizeInputUrl(url: string): { protocol: number; url: string } {
  if (!isNdiUrl(url)) return normalizeUrl(url, 'config.url')
  const parsed = parseNdiUrl(url)
  if ('fault' in parsed) throw invalidUrl('config.url', parsed.fault)
  return { protocol: NDI, url: formatNdiUrl(parsed) }
}

/**
 * Masks the secrets in a path and its query. In an RTMP path, everything after the application is the key. Any other
 * path can be a secret as a whole; those of the hub's own RTSP and HLS outputs contain the key. In a query all values
 * are masked, because signed URLs have their signature or token there.
 */
function maskPath({ protocol, path: fullPath }: SourceUrl): string {
  const [path = '', query] = fullPath.split(/\?(.*)/s)
  const masked = path.replace(protocol === RTMP ? /^(\/[^/]+\/).+/ : /^(\/).+/, `$1${MASK}`)
  if (!query) return masked
  return `${masked}?${query
    .split('&')
    .map((option) => option.slice(0, option.indexOf('=') + 1) + MASK)
    .join('&')}`
}

/** A stored URL with its secrets masked; empty if it cannot be parsed. */
export function maskUrl(url: string): string {
  if (isNdiUrl(url)) return url
  const parsed = parseSourceUrl(url)
  if (isFault(parsed)) return ''
  const srt = parsed.srt && { ...parsed.srt, streamId: parsed.srt.streamId && MASK }
  return formatSourceUrl({ ...parsed, path: maskPath(parsed), ...(srt && { srt }) }, MASK)
}
