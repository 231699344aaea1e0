// Answers the requests that the cloud relays over its link (contract/cloud/relay.ts), as the web port answers those of
// browsers: with the caller whom the assertion names.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from 'node:http'
import { Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from 'node:http2'
import { type Duplex, pipeline } from 'node:stream'
import {
  ASSERTION_HEADER,
  type Assertion,
  CHALLENGE_PATH,
  type ChallengeResponse,
  CONSOLE_TARGET,
  REFUSAL_HEADER,
  type Refusal
} from '../../contract/cloud/relay.ts'
import { NOT_PERMITTED } from '../../contract/codes.ts'
import { tunnelAsDuplex } from '../../device-link/tunnel-duplex.ts'
import { logger } from '../../process-log/logger.ts'
import { hashSecret, SESSION_COOKIE } from '../../web-server/credentials.ts'
import { languageCookie } from '../../web-server/language.ts'
import type { Peer } from '../../web-server/peer.ts'
import { jsonReply, type Reply, textReply } from '../../web-server/reply.ts'
import { type HubRequest, NodeRequest, parseTarget } from '../../web-server/request.ts'
import { sendReply, sendStream } from '../../web-server/send-reply.ts'
import type { CloudCallers } from '../auth/cloud-callers.ts'
import type { RelayIdentity } from '../cloud/cloud-link.ts'
import { Challenges } from './challenges.ts'
import { readAssertion } from './read-assertion.ts'
import type { OpenRelayTunnel } from './relay-tunnels.ts'

export interface RelayedRequestsOptions {
  callers: Pick<CloudCallers, 'open'>
  /** Undefined unless the hub is accepted: nothing is relayed. */
  identity(): RelayIdentity | undefined
  /** Handles a request as the web port does. */
  handle(request: HubRequest, peer: Peer): Reply | Promise<Reply | Response>
  acceptSocket(request: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void): void
  openTunnel: OpenRelayTunnel
  /** Paths of calls that strangers make to get a session, which is not for the cloud. */
  refusedPaths: ReadonlySet<string>
}

/** Headers of a relayed request that name a caller: the assertion does. */
const CREDENTIALS = ['cookie', 'authorization', 'x-forwarded-for', 'x-forwarded-proto', ASSERTION_HEADER]

/** Milliseconds for the request of a WebSocket on a new connection. */
const UPGRADE_TIMEOUT = 10_000

export class RelayedRequests {
  readonly #options: RelayedRequestsOptions
  /** Not listening: it gets connections of links. */
  readonly #server: Server
  /** The session cookie of each connection. */
  readonly #secrets = new WeakMap<Duplex, string>()

  constructor(options: RelayedRequestsOptions) {
    this.#options = options
    this.#server = createServer({ headersTimeout: UPGRADE_TIMEOUT }, (_request, response) => {
      response.writeHead(404, { connection: 'close' }).end()
    })
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** @returns a function which handles one stream of a link; it returns false for a stream that is not relayed */
  forLink(): (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) => boolean {
    const challenges = new Challenges()
    return (stream, headers, rawHeaders) => {
      const { ':method': method, ':path': path, ':authority': authority, [ASSERTION_HEADER]: assertion } = headers
      if (method === 'GET' && path === CHALLENGE_PATH) {
        respondWithChallenge(stream, challenges)
        return true
      }
      if (assertion === undefined) return false
      const target = String(method === 'CONNECT' ? authority : path)
      const identity = this.#options.identity()
      const read = identity
        ? readAssertion(String(assertion), { ...identity, challenges, method: String(method), target })
        : 'off'
      if (typeof read === 'string') refuse(stream.resume(), read)
      else if (method === 'CONNECT') this.#connect(stream, target, read)
      else this.#answer(stream, headers, rawHeaders, read)
      return true
    }
  }

  close(): void {
    this.#server.close()
  }

  #answer(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    assertion: Assertion
  ): void {
    const { secret, release } = this.#options.callers.open(assertion)
    stream.once('close', release)
    actAs(headers, secret)
    const incoming = new Http2ServerRequest(stream, headers, {}, rawHeaders) as unknown as IncomingMessage
    const response = new Http2ServerResponse(stream) as unknown as ServerResponse
    incoming.headers.host = String(headers[':authority'] ?? '')
    const peer: Peer = { address: assertion.address, secure: true }
    this.#handle(incoming, peer).then(
      (answer) =>
        answer instanceof Response ? sendStream(incoming, response, answer) : sendReply(incoming, response, answer),
      (error) => {
        logger.error('A relayed request failed', error)
        stream.close()
      }
    )
  }

  async #handle(incoming: IncomingMessage, peer: Peer): Promise<Reply | Response> {
    const target = parseTarget(incoming.url ?? '', incoming.headers.host ?? '')
    if (!target) return textReply('Bad request\n', 400)
    if (this.#options.refusedPaths.has(target.path)) return jsonReply({ result: NOT_PERMITTED }, 403)
    return this.#options.handle(new NodeRequest(incoming, target, () => {}), peer)
  }

  #connect(stream: ServerHttp2Stream, target: string, assertion: Assertion): void {
    const { secret, release } = this.#options.callers.open(assertion)
    stream.once('close', release)
    if (target !== CONSOLE_TARGET) return void this.#connectTunnel(stream, target, hashSecret(secret))
    stream.respond({ ':status': 200 })
    const connection = Object.assign(tunnelAsDuplex(stream), { remoteAddress: assertion.address })
    this.#secrets.set(connection, secret)
    this.#server.emit('connection', connection)
  }

  async #connectTunnel(stream: ServerHttp2Stream, target: string, session: string): Promise<void> {
    const answer = (status: number) => {
      if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': status }, { endStream: true })
    }
    const far = await this.#options.openTunnel(target, session).catch(() => answer(502))
    if (!far) return answer(403)
    if (stream.destroyed) return void far.destroy()
    stream.respond({ ':status': 200 })
    const near = tunnelAsDuplex(stream)
    pipeline(near, far, near, () => {
      near.destroy()
      far.destroy()
    })
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const secret = this.#secrets.get(request.socket)
    if (secret === undefined) return void socket.destroy()
    actAs(request.headers, secret)
    this.#options.acceptSocket(request, socket, head, () => {})
  }
}

/** Gives a request the session of its caller, instead of what it came with. */
function actAs(headers: IncomingHttpHeaders, secret: string): void {
  const language = languageCookie(headers.cookie)
  for (const name of CREDENTIALS) delete headers[name]
  headers.cookie = [`${SESSION_COOKIE}=${secret}`, ...(language ? [language] : [])].join('; ')
}

function respondWithChallenge(stream: ServerHttp2Stream, challenges: Challenges): void {
  stream.respond({ ':status': 200, 'content-type': 'application/json' })
  stream.end(JSON.stringify({ challenge: challenges.make() } satisfies ChallengeResponse))
}

function refuse(stream: ServerHttp2Stream, reason: Refusal): void {
  if (!stream.headersSent && !stream.destroyed)
    stream.respond({ ':status': 401, [REFUSAL_HEADER]: reason }, { endStream: true })
}
