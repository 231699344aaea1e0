// One connection of an RTSP server (RFC 2326): handles requests and sends the stream as RTP.

import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { rtspKey } from '../../contract/rules/network.ts'
import { normalizeAddress } from '../access/ip-allow-list.ts'
import { createRtpNumbering, PAYLOAD_TYPE } from '../legs/rtp.ts'
import { createPacketQueue, GROUP_MAX, type PacketQueue } from '../mpegts/packet-queue.ts'
import type { RtspLogin } from './authentication.ts'
import type { RtspRequest } from './message.ts'
import { createInterleavedTransport, createRtpWriter, createUdpTransport, type RtpTransport } from './rtp-transport.ts'

const METHODS = 'OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, SET_PARAMETER, TEARDOWN'
/**
 * Session timeout in seconds that is announced to players. It is not enforced, because a closed connection ends the
 * session.
 */
const SESSION_TIMEOUT = 60

export interface RtspPlayerContext {
  /** Whether there is a stream with this key, which is the path of the URL. */
  hasStream(key: string): boolean
  /** Counts a wrong key. Returns false if the address is now blocked. */
  recordWrongKey(key: string): boolean
  /** Counts a wrong login. Returns false if the address is now blocked. */
  recordWrongLogin(authorization: string): boolean
  /** Whether one more player is allowed. */
  hasRoom(): boolean
  onBytes(bytes: number): void
  /** It plays the stream with a key from now on, and its queue has to begin. */
  onPlay(key: string, queue: PacketQueue): void
  onChange(): void
  /** Current rate of the stream. */
  inputKbps(): number
  /** Milliseconds of a monotonic clock. */
  now(): number
}

export class RtspPlayer {
  readonly #socket: Socket
  readonly #context: RtspPlayerContext
  readonly #login: RtspLogin | undefined
  readonly #numbering = createRtpNumbering()
  #session: string | undefined
  /** Key of the stream of the session. */
  #key: string | undefined
  #since = 0
  #transport: RtpTransport | undefined
  #writer: Writable | undefined
  #queue: PacketQueue | undefined

  /** @param login undefined if the stream needs no login */
  constructor(socket: Socket, context: RtspPlayerContext, login: RtspLogin | undefined) {
    this.#socket = socket
    this.#context = context
    this.#login = login
  }

  /** When the session was set up, from which time the connection counts as a player; undefined without a session. */
  since(): number | undefined {
    return this.#session === undefined ? undefined : this.#since
  }

  /** Key of the stream that it has set up; undefined without a session. */
  key(): string | undefined {
    return this.#key
  }

  /** Undefined while it does not play. */
  queue(): PacketQueue | undefined {
    return this.#queue
  }

  handleRequest(request: RtspRequest): void {
    if (request.method === 'OPTIONS') this.#respond(request, '200 OK', [`Public: ${METHODS}`])
    else if (this.#isAuthorized(request)) this.#handleMethod(request)
  }

  close(): void {
    const hadSession = this.#session !== undefined
    this.#session = undefined
    this.#key = undefined
    this.#queue = undefined
    this.#writer?.destroy()
    this.#transport?.close()
    this.#transport = undefined
    if (hadSession) this.#context.onChange()
  }

  #handleMethod(request: RtspRequest): void {
    const session = request.headers.get('session')
    if (this.#session && session !== undefined && session.split(';')[0] !== this.#session) {
      this.#respond(request, '454 Session Not Found')
      return
    }
    if (this.#key !== undefined && this.#key !== keyOfUrl(request.url)) {
      this.#respond(request, '455 Method Not Valid in This State')
      return
    }
    switch (request.method) {
      case 'DESCRIBE':
        this.#describe(request)
        break
      case 'SETUP':
        void this.#setUp(request)
        break
      case 'PLAY':
        this.#play(request)
        break
      case 'GET_PARAMETER':
      case 'SET_PARAMETER':
        this.#respond(request)
        break
      case 'TEARDOWN':
        this.#respond(request)
        this.close()
        break
      default:
        this.#respond(request, '405 Method Not Allowed', [`Allow: ${METHODS}`])
    }
  }

  /** Checks the login and the key. If one is wrong, responds or disconnects, and returns false. */
  #isAuthorized(request: RtspRequest): boolean {
    const { method, url, headers } = request
    const authorization = headers.get('authorization')
    if (this.#login && !this.#login.accepts(method, url, authorization)) {
      // The first request of a player never has the header.
      if (authorization !== undefined && !this.#context.recordWrongLogin(authorization)) this.#socket.destroy()
      else this.#respond(request, '401 Unauthorized', this.#login.challenge())
      return false
    }
    const key = keyOfUrl(url)
    if (key !== undefined && this.#context.hasStream(key)) return true
    if (key !== undefined && !this.#context.recordWrongKey(key)) this.#socket.destroy()
    else this.#respond(request, '404 Not Found')
    return false
  }

  #respond(request: RtspRequest, status = '200 OK', headers: readonly string[] = [], body = ''): void {
    if (!this.#socket.writable) return
    // Only digits of CSeq are repeated, so that a client cannot inject header lines.
    const sequence = /^\d{1,10}$/.exec(request.headers.get('cseq') ?? '')?.[0] ?? 0
    const lines = [
      `RTSP/1.0 ${status}`,
      `CSeq: ${sequence}`,
      ...(this.#session ? [`Session: ${this.#session};timeout=${SESSION_TIMEOUT}`] : []),
      ...headers,
      ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
      '',
      body
    ]
    this.#socket.write(lines.join('\r\n'))
  }

  #describe(request: RtspRequest): void {
    const address = normalizeAddress(this.#socket.localAddress) || '0.0.0.0'
    const isIpv6 = address.includes(':')
    const sdp = [
      'v=0',
      `o=- ${this.#numbering.source} 1 IN ${isIpv6 ? 'IP6' : 'IP4'} ${address}`,
      's=-',
      isIpv6 ? 'c=IN IP6 ::' : 'c=IN IP4 0.0.0.0',
      't=0 0',
      'a=control:*',
      `m=video 0 RTP/AVP ${PAYLOAD_TYPE}`,
      `a=rtpmap:${PAYLOAD_TYPE} MP2T/90000`,
      'a=control:track1',
      ''
    ].join('\r\n')
    const base = request.url.replace(/[/?]*(\?.*)?$/, '/')
    this.#respond(request, '200 OK', ['Content-Type: application/sdp', `Content-Base: ${base}`], sdp)
  }

  async #setUp(request: RtspRequest): Promise<void> {
    if (this.#transport) return this.#respond(request, '455 Method Not Valid in This State')
    if (!this.#context.hasRoom()) return this.#respond(request, '453 Not Enough Bandwidth')
    for (const text of (request.headers.get('transport') ?? '').split(',')) {
      const options = text.trim().split(';')
      if (options.includes('multicast')) continue
      const [protocol = ''] = options
      // Without await, because the same chunk can contain PLAY.
      if (/^RTP\/AVP\/TCP$/i.test(protocol))
        return this.#begin(request, createInterleavedTransport(this.#socket, options))
      if (!/^RTP\/AVP(\/UDP)?$/i.test(protocol)) continue
      const transport = await this.#createUdpTransport(options)
      if (transport) return this.#begin(request, transport)
    }
    this.#respond(request, '461 Unsupported Transport')
  }

  /** Returns undefined if the client port is missing or not valid, or no local ports are free. */
  #createUdpTransport(options: readonly string[]): Promise<RtpTransport | undefined> {
    const ports = options.find((option) => option.startsWith('client_port=')) ?? ''
    const [, rtpPort, rtcpPort] = /^client_port=(\d{1,5})(?:-(\d{1,5}))?$/.exec(ports) ?? []
    if (!rtpPort) return Promise.resolve(undefined)
    return createUdpTransport(this.#socket, Number(rtpPort), Number(rtcpPort ?? Number(rtpPort) + 1)).catch(
      () => undefined
    )
  }

  #begin(request: RtspRequest, transport: RtpTransport): void {
    if (this.#socket.destroyed) return void transport.close()
    this.#transport?.close()
    this.#transport = transport
    this.#session = randomBytes(12).toString('hex')
    this.#key = keyOfUrl(request.url)
    this.#since = this.#context.now()
    this.#context.onChange()
    const source = this.#numbering.source.toString(16).padStart(8, '0')
    this.#respond(request, '200 OK', [`Transport: ${transport.header};ssrc=${source}`])
  }

  #play(request: RtspRequest): void {
    const transport = this.#transport
    if (!transport) return void this.#respond(request, '455 Method Not Valid in This State')
    const track = `${request.url.replace(/\/*$/, '')}/track1`
    const first = `seq=${this.#numbering.sequence()};rtptime=${this.#numbering.timestamp(this.#context.now())}`
    this.#respond(request, '200 OK', ['Range: npt=now-', `RTP-Info: url=${track};${first}`])
    if (this.#queue) return
    this.#writer = createRtpWriter(transport, this.#numbering, this.#context)
    const options = { pipeCopies: true, groupBytes: GROUP_MAX }
    this.#queue = createPacketQueue(this.#writer, this.#context.inputKbps, options)
    this.#context.onPlay(this.#key ?? '', this.#queue)
  }
}

/** The key in `rtsp://host/key` or `rtsp://host/key/track1`; undefined if the URL has no valid key. */
function keyOfUrl(url: string): string | undefined {
  const [, encoded] = /^rtsps?:\/\/[^/]+\/([\w.+'[\]()%-]+)(?:\/(?:track1)?)?(?:\?.*)?$/i.exec(url) ?? []
  try {
    const key = encoded && decodeURIComponent(encoded)
    return key && !rtspKey(key) ? key : undefined
  } catch {
    return undefined
  }
}
