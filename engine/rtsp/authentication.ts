// The login of an RTSP server: Digest (RFC 2069, and with `qop` RFC 2617), or Basic for players that know no better.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const REALM = 'Headend'

export interface Login {
  username: string
  password: string
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
/** In a time that does not tell how much of it is right. */
function same(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}

export interface RtspLogin {
  /** Whether what a request says of itself is right. */
  accepts(method: string, url: string, authorization: string | undefined): boolean
  /** What a refused one is told: a line of the answer each. */
  challenge(): string[]
}

/** For one connection: what was heard on another one is worth nothing here. */
export function createRtspLogin({ username, password }: Login): RtspLogin {
  const nonce = randomBytes(16).toString('hex')

  function digest(method: string, url: string, text: string): boolean {
    const said = new Map<string, string>()
    for (const [, name = '', quoted, plain = ''] of text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/g))
      said.set(name.toLowerCase(), quoted ?? plain)
    const of = (name: string) => said.get(name) ?? ''
    // Another address would be an answer to another request.
    if (of('nonce') !== nonce || of('uri') !== url || !same(of('username'), username)) return false
    const [who, what] = [md5(`${username}:${REALM}:${password}`), md5(`${method}:${of('uri')}`)]
    const between = said.has('qop') ? `${nonce}:${of('nc')}:${of('cnonce')}:${of('qop')}` : nonce
    return same(of('response'), md5(`${who}:${between}:${what}`))
  }

  return {
    accepts(method, url, authorization = '') {
      const [, scheme = '', text = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? []
      if (/^digest$/i.test(scheme)) return digest(method, url, text)
      if (!/^basic$/i.test(scheme)) return false
      return same(Buffer.from(text, 'base64').toString(), `${username}:${password}`)
    },
    challenge: () => [
      `WWW-Authenticate: Digest realm="${REALM}", nonce="${nonce}", algorithm=MD5`,
      `WWW-Authenticate: Basic realm="${REALM}"`
    ]
  }
}
