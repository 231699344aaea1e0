// A server that pretends to be a cloud: with any certificate and any identity, and one in the middle that passes
// requests on to the real one.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type CloudIdentity, HUB_HELLO_HEADER } from '../../../contract/cloud/link.ts'
import { identityText, type SuccessorKey, successorText } from '../../../contract/cloud/signing.ts'
import { LINK_PROTOCOL, STATE_HEADER } from '../../../contract/device/link.ts'
import { type Link, openLink } from '../../../device-link/link.ts'
import type { Pair } from '../tls/certificates.ts'
import { pinOfPem } from '../tls/certificates.ts'

export interface FakeCloud {
  port: number
  /** Hellos that hubs have sent. */
  hellos: string[]
  /** The link of the hub that connected last. */
  link: Link | undefined
  close(): void
}

export interface FakeKey {
  privateKey: KeyObject
  key: string
}

export function makeKey(): FakeKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
}

const signText = ({ privateKey }: FakeKey, text: string) => sign(null, Buffer.from(text), privateKey).toString('base64')

/** The keys as a cloud lists them, each signed by the one before. @param signer signs all of them instead */
export const chainOf = (keys: readonly FakeKey[], signer?: FakeKey): SuccessorKey[] =>
  keys.map(({ key }, index) => {
    const predecessor = signer ?? keys[index - 1]
    return { key, signature: index > 0 && predecessor ? signText(predecessor, successorText(key)) : '' }
  })

/** The answer of a cloud whose current key is the last one. */
export function identityOf(keys: readonly FakeKey[], nonce: string, pin: string, node = 'node'): CloudIdentity {
  const signature = signText(keys.at(-1) as FakeKey, identityText(nonce, pin))
  return { keys: chainOf(keys), node, pin, signature }
}

interface FakeCloudOptions {
  /** Undefined: without TLS. */
  pair?: Pair | undefined
  /** @param pin of the certificate */
  identity(nonce: string, pin: string): CloudIdentity | Promise<CloudIdentity>
  /** Registration state of every hub. */
  state?: number
}

export async function startFakeCloud({ pair, identity, state = 101 }: FakeCloudOptions): Promise<FakeCloud> {
  const pin = pair ? pinOfPem(pair.cert) : ''
  const answer: RequestListener = async ({ url = '' }, response) => {
    const nonce = new URL(url, 'http://cloud').searchParams.get('nonce') ?? ''
    response.end(JSON.stringify(await identity(nonce, pin)))
  }
  const server = pair ? createServer(pair, answer) : createHttpServer(answer)
  const sockets = new Set<Socket>()
  const self: FakeCloud = {
    port: 0,
    hellos: [],
    link: undefined,
    close() {
      self.link?.end('the test is over')
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('tlsClientError', () => {})
  server.on('upgrade', ({ headers }: IncomingMessage, socket: Socket) => {
    self.hellos.push(String(headers[HUB_HELLO_HEADER]))
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'connection: upgrade',
      `upgrade: ${LINK_PROTOCOL}`,
      `${STATE_HEADER}: ${state}`
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, () => {
      self.link = openLink(socket, { pingInterval: 5000, pingTimeout: 5000, onUp() {}, onEnd() {} })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  self.port = (server.address() as AddressInfo).port
  return self
}

/** Asks the real cloud for its identity, as one in the middle does. */
export function askIdentity(port: number, nonce: string): Promise<CloudIdentity> {
  return new Promise((resolve, reject) => {
    const path = `/link/identity?nonce=${nonce}`
    request({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false }, async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(JSON.parse(text))
    })
      .on('error', reject)
      .end()
  })
}
