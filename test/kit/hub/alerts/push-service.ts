// A push service with a browser behind it: it decrypts messages as RFC 8291 says, and verifies the key of the sender
// (RFC 8292), with the cryptography of Node alone.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { PushSubscription } from '../../../../contract/alert/push.ts'
import { makePair, type Pair } from '../../tls/certificates.ts'

export const PUSH_HOST = 'push.test'

export interface PushedMessage {
  /** What the service worker gets. */
  data: { title: string; body: string; tag: string }
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Claims of the token with which the hub identifies itself, if its signature is right. */
  claims: { aud: string; sub: string; exp: number }
}

/** The keys of a browser. */
class Browser {
  readonly #keys = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly publicKey: Buffer

  constructor() {
    this.publicKey = this.#keys.generateKeys()
  }

  get keys() {
    return { p256dh: this.publicKey.toString('base64url'), auth: this.#auth.toString('base64url') }
  }

  /** Decrypts a body with the content coding aes128gcm (RFC 8188) and one record. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const keyEnd = 21 + (body[20] ?? 0)
    const sender = body.subarray(21, keyEnd)
    const hkdf = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, from, info, length))
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.publicKey, sender])
    const secret = hkdf(this.#keys.computeSecret(sender), this.#auth, info, 32)
    const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(body.subarray(-16))
    const plain = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()])
    // The last record ends with 2 and zeros.
    return plain.subarray(0, plain.lastIndexOf(2)).toString()
  }
}

/** Reads the header `vapid t=…, k=…`. @throws Error if the signature is wrong */
function readVapid(header = ''): { claims: PushedMessage['claims']; key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
    },
    format: 'jwk'
  })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url')
  )
  if (!isRight) throw new Error('The token has a wrong signature')
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key }
}

export async function startPushService(authority: Pair) {
  const browsers = new Map<string, Browser>()
  const received: PushedMessage[] = []
  /** Statuses of answers by path; 201 for others. */
  const statuses = new Map<string, number>()
  const faults: string[] = []
  /** The key that the hub has shown to the browsers. */
  let expectedKey = ''
  const identity = makePair({ name: PUSH_HOST, issuer: authority })
  const server = createServer(identity, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const status = statuses.get(path) ?? 201
      try {
        const { claims, key } = readVapid(request.headers.authorization)
        if (key !== expectedKey) throw new Error('The message is from another hub')
        const data = JSON.parse(browsers.get(path)?.decrypt(Buffer.concat(chunks)) ?? '')
        if (status === 201) received.push({ data, headers: request.headers, claims })
        response.writeHead(status).end()
      } catch (error) {
        faults.push(String(error))
        response.writeHead(400).end()
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    received,
    statuses,
    faults,
    /** What a browser returns when a page subscribes it with the key of a hub. */
    subscribe(key: string): PushSubscription {
      expectedKey = key
      const browser = new Browser()
      const path = `/wpush/${browsers.size}`
      browsers.set(path, browser)
      return { endpoint: `https://${PUSH_HOST}:${port}${path}`, keys: browser.keys }
    },
    close: () => new Promise((resolve) => server.close(resolve))
  }
}
