// A browser sends the console's cookies to every port of the hub's host, because cookies are not isolated by port (RFC
// 6265, section 8.5). That includes forwarded ports, whose requests go to a device. The hub therefore blanks its
// cookies in forwarded data, if that is unencrypted HTTP.

/** Prefix of the names of all cookies of the hub (`gate.ts`). */
const HUB_COOKIE_PREFIX = 'mwcloud-'

const COOKIE_LINE = /(?<=\n)cookie:[^\n]*/gi
const HUB_COOKIE_VALUE = new RegExp(`(?<=[\\s;:](?:__Host-)?${HUB_COOKIE_PREFIX}[\\w-]*=)[^;\\s]*`, 'g')
/** End of a chunk that is a Cookie line, or may become one. */
const UNFINISHED_LINE = /\n(?:cookie:[^\n]*|c?o?o?k?i?e?)$/i
/** Characters kept of a Cookie line that arrives in several chunks; longer than any name and value of the hub. */
const LOOK_BACK = 1024

/**
 * Creates a function that blanks the values of the hub's cookies in the chunks of one connection, in place. It does not
 * change lengths, does not delay anything, and changes only Cookie lines of connections that begin with an HTTP
 * request, so that other protocols and file contents pass unchanged.
 */
export function createCookieBlanker(): (chunk: Buffer) => void {
  let isHttp: boolean | undefined
  let unfinished = ''
  return (chunk) => {
    isHttp ??= /^[A-Z]{1,16}(?: |$)/.test(chunk.toString('latin1', 0, 17))
    if (!isHttp) return
    const text = unfinished + chunk.toString('latin1')
    const before = unfinished.length
    for (const line of text.matchAll(COOKIE_LINE))
      for (const value of line[0].matchAll(HUB_COOKIE_VALUE)) {
        const start = line.index + value.index - before
        chunk.fill('x', Math.max(start, 0), Math.max(start + value[0].length, 0))
      }
    unfinished = UNFINISHED_LINE.exec(text)?.[0] ?? ''
    if (unfinished.length > LOOK_BACK) unfinished = `\ncookie:${unfinished.slice(-LOOK_BACK)}`
  }
}
