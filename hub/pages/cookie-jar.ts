// The cookies of a device's page. They stay here, and the browser gets none of them: there they would be shared with the console and
// with the pages of all other devices, which differ by their port only. What is given up: scripts of the page cannot read them.

/** Cookies of one page, and characters of one: what browsers keep at least (RFC 6265, 6.1). */
const COUNT_MAX = 50
const SIZE_MAX = 4096

interface Cookie {
  value: string
  path: string
  /** Milliseconds since the epoch. */
  expires: number
}

export type Jar = ReturnType<typeof createJar>

export function createJar(now: () => number = Date.now) {
  const cookies = new Map<string, Cookie>()

  return {
    /** Takes the Set-Cookie headers of an answer to a request for `path`. */
    take(lines: readonly string[], path: string): void {
      for (const line of lines) {
        const [pair = '', ...attributes] = line.split(';')
        const at = pair.indexOf('=')
        const name = pair.slice(0, at).trim()
        const value = pair.slice(at + 1).trim()
        if (at < 1 || pair.length > SIZE_MAX || !/^[\x21-\x7e]*$/.test(value) || !/^[\x21-\x7e]+$/.test(name)) continue
        const given = new Map<string, string>()
        for (const attribute of attributes) {
          const [key = '', ...rest] = attribute.split('=')
          given.set(key.trim().toLowerCase(), rest.join('=').trim())
        }
        const wanted = given.get('path') ?? ''
        const cookie = {
          value,
          path: wanted.startsWith('/') ? wanted : folderOf(path),
          expires: expiryOf(given, now())
        }
        const key = `${name}\n${cookie.path}`
        cookies.delete(key)
        if (cookie.expires <= now()) continue
        const [oldest] = cookies.keys()
        if (cookies.size >= COUNT_MAX && oldest !== undefined) cookies.delete(oldest)
        cookies.set(key, cookie)
      }
    },

    /** The Cookie header for a path; undefined where there is none to send. */
    header(path: string): string | undefined {
      const fitting = [...cookies].filter(([, cookie]) => cookie.expires > now() && isBelow(path, cookie.path))
      // The longer path first (RFC 6265, 5.4).
      fitting.sort(([, a], [, b]) => b.path.length - a.path.length)
      return fitting.map(([key, { value }]) => `${key.split('\n')[0]}=${value}`).join('; ') || undefined
    }
  }
}

/** Max-Age wins over Expires; without either it stays as long as the page is open. */
function expiryOf(given: ReadonlyMap<string, string>, now: number): number {
  const age = given.get('max-age')
  if (age !== undefined && /^-?\d{1,12}$/.test(age)) return now + Number(age) * 1000
  const date = Date.parse(given.get('expires') ?? '')
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date
}

/** The default path (RFC 6265, 5.1.4). */
function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
