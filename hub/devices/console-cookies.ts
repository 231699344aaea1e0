// A browser sends the console's cookies to every port of the hub's host, also to those that lead to a device: ports are no wall between
// cookies. Here they are blanked in what goes to a device, where it is HTTP that can be read.

/** What the names of all cookies of the hub begin with (`gate.ts`). */
export const OWN_COOKIES = 'mwcloud-'

const COOKIE_LINE = /(?<=\n)cookie:[^\n]*/gi
const OWN_VALUE = new RegExp(`(?<=[\\s;:]${OWN_COOKIES}[\\w-]*=)[^;\\s]*`, 'g')
/** The end of a text that is, or may become, a Cookie line. */
const OPEN_LINE = /\n(?:cookie:[^\n]*|c?o?o?k?i?e?)$/i
/** Characters of a Cookie line that are looked back at when it comes in pieces; longer than any of our names and values. */
const LOOK_BACK = 1024

/**
 * Makes a function that blanks the values of the hub's cookies in the pieces of one connection, in place. Lengths stay as they are,
 * nothing is held back, and nothing is touched but Cookie lines of what begins as HTTP: what else goes through a port is nobody's
 * business, and a file that speaks of cookies must arrive as it was.
 */
export function createCookieBlanker(): (piece: Buffer) => void {
  let isHttp: boolean | undefined
  let line = ''
  return (piece) => {
    isHttp ??= /^[A-Z]{1,16}(?: |$)/.test(piece.toString('latin1', 0, 17))
    if (!isHttp) return
    const text = line + piece.toString('latin1')
    const before = line.length
    for (const found of text.matchAll(COOKIE_LINE))
      for (const value of found[0].matchAll(OWN_VALUE)) {
        const from = found.index + value.index - before
        piece.fill('x', Math.max(from, 0), Math.max(from + value[0].length, 0))
      }
    line = OPEN_LINE.exec(text)?.[0] ?? ''
    if (line.length > LOOK_BACK) line = `\ncookie:${line.slice(-LOOK_BACK)}`
  }
}
