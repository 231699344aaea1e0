// URLs of sources as they are stored, and as they may be shown.
import { INVALID_ARG } from '../../../contract/codes.ts'
import type { Fault } from '../../../contract/rules/rules.ts'
import { formatNdiUrl, isNdiUrl, parseNdiUrl } from '../../../contract/stream/ndi-url.ts'
import { NDI, RTMP } from '../../../contract/stream/protocols.ts'
import { formatSourceUrl, isFault, parseSourceUrl, type SourceUrl } from '../../../contract/stream/source-url.ts'
import { Refusal } from '../../http/handler.ts'

/** What stands for a secret where it may not be read. */
export const MASK = '****'

function wrong(field: string, { name: fault, ...numbers }: Fault): Refusal {
  return new Refusal(INVALID_ARG, { field, fault, ...numbers })
}

/**
 * The stored form of a source URL: parsed and written anew, so that only what the allow-list knows is kept.
 * @throws Refusal 7 with the field and the fault
 */
export function normalUrl(text: string, field: string): { protocol: number; url: string } {
  const parsed = parseSourceUrl(text)
  if (isFault(parsed)) throw wrong(field, parsed)
  return { protocol: parsed.protocol, url: formatSourceUrl(parsed) }
}

/** The same for what an input may be besides: NDI. */
export function normalInput(url: string): { protocol: number; url: string } {
  if (!isNdiUrl(url)) return normalUrl(url, 'config.url')
  const parsed = parseNdiUrl(url)
  if ('fault' in parsed) throw wrong('config.url', parsed.fault)
  return { protocol: NDI, url: formatNdiUrl(parsed) }
}

/**
 * A path with its query, without what may be a secret: behind the application of an RTMP path stands the key, the others may be one as a
 * whole (those of our own RTSP and HLS outputs hold theirs), and in a query all values, since signed and tokened URLs keep theirs there.
 */
function maskedPath({ protocol, path: whole }: SourceUrl): string {
  const [path = '', query] = whole.split(/\?(.*)/s)
  const shown = path.replace(protocol === RTMP ? /^(\/[^/]+\/).+/ : /^(\/).+/, `$1${MASK}`)
  if (!query) return shown
  return `${shown}?${query
    .split('&')
    .map((option) => option.slice(0, option.indexOf('=') + 1) + MASK)
    .join('&')}`
}

/** A stored URL without its secrets. */
export function maskedUrl(url: string): string {
  if (isNdiUrl(url)) return url
  const parsed = parseSourceUrl(url)
  if (isFault(parsed)) return ''
  const srt = parsed.srt && { ...parsed.srt, streamId: parsed.srt.streamId && MASK }
  return formatSourceUrl({ ...parsed, path: maskedPath(parsed), ...(srt && { srt }) }, MASK)
}
