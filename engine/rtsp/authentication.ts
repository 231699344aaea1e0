// Login of the RTSP server: Digest (RFC 2069, and RFC 2617 with `qop`) or Basic.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const REALM = 'Headend'

export interface Credentials {
  username: string
  password: string
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Compares in constant time. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export interface RtspLogin {
  /** Whether the Authorization header of a request is valid. */
  accepts(method: string, url: string, authorization: string | undefined): boolean
  /** The WWW-Authenticate headers of a 401 response. */
  challenge(): string[]
}

/** Creates the login of one connection. Its nonce is not valid on other connections. */
export function createRtspLogin({ username, password }: Credentials): RtspLogin {
  const nonce = randomBytes(16).toString('hex')

  function acceptsDigest(method: string, url: string, text: string): boolean {
    const fields = new Map<string, string>()
    for (const [, name = '', quoted, plain = ''] of text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/g))
      fields.set(name.toLowerCase(), quoted ?? plain)
    const field = (name: string) => fields.get(name) ?? ''
    // The response must belong to this URL.
    if (field('nonce') !== nonce || field('uri') !== url || !isEqual(field('username'), username)) return false
    const [ha1, ha2] = [md5(`${username}:${REALM}:${password}`), md5(`${method}:${field('uri')}`)]
    const middle = fields.has('qop') ? `${nonce}:${field('nc')}:${field('cnonce')}:${field('qop')}` : nonce
    return isEqual(field('response'), md5(`${ha1}:${middle}:${ha2}`))
  }

  return {
    accepts(method, url, authorization = '') {
      const [, scheme = '', text = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? []
      if (/^digest$/i.test(scheme)) return acceptsDigest(method, url, text)
      if (!/^basic$/i.test(scheme)) return false
      return isEqual(Buffer.from(text, 'base64').toString(), `${username}:${password}`)
    },
    challenge: () => [
      `WWW-Authenticate: Digest realm="${REALM}", nonce="${nonce}", algorithm=MD5`,
      `WWW-Authenticate: Basic realm="${REALM}"`
    ]
  }
}
