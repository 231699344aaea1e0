// One player at an RTSP server (RFC 2326): it is told of the stream, and given it as RTP over its connection or over UDP to its own
// address; to no other, so that nobody has a stream sent to somebody else.

import { randomBytes } from 'node:crypto'
import { createSocket, type Socket as Datagrams } from 'node:dgram'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { RTP } from '../../contract/stream/protocols.ts'
import { plainAddress } from '../access/ip-allow-list.ts'
import { createFeed, type Feed } from '../mpegts/packet-queue.ts'
import { payloadOf } from '../outputs/datagram-output.ts'
import type { RtspLogin } from './authentication.ts'
import type { RtspRequest } from './message.ts'
import { createRtpNumbering, PAYLOAD_TYPE, RTP_HEADER, type RtpNumbering } from './rtp.ts'

const METHODS = 'OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, SET_PARAMETER, TEARDOWN'
/** Seconds that a player is told to speak up within. What counts is its connection. */
const TIMEOUT = 60
/** Milliseconds between two reports of what was sent (RFC 3550, 6.2). */
const REPORTS = 5000

export interface RtspHouse {
  key: string
  /** Counts a key or login that is wrong. @returns whether there may be another one */
  wrongKey(key: string): boolean
  wrongLogin(said: string): boolean
  /** A place for one more player. */
  room(): boolean
  carried(bytes: number): void
  changed(): void
  kbps(): number
  /** Milliseconds of a clock that never goes back. */
  now(): number
}

export interface RtspPlayer {
  /** When it was set up, from when on it counts; undefined while it is not. */
  since(): number | undefined
  /** Undefined while it does not play. */
  feed(): Feed | undefined
  request(request: RtspRequest): void
  close(): void
}

export function createRtspPlayer(socket: Socket, house: RtspHouse, login: RtspLogin | undefined): RtspPlayer {
  const numbering = createRtpNumbering()
  let session: string | undefined
  let since = 0
  let way: Way | undefined
  let datagrams: Datagrams[] = []
  let feed: Feed | undefined
  let pipe: Writable | undefined

  const strings = (status: string, request: RtspRequest, lines: readonly string[], body: string) =>
    [
      `RTSP/1.0 ${status}`,
      // What is given back is a number, so that no line of it can be made up.
      `CSeq: ${/^\d{1,10}$/.exec(request.headers.get('cseq') ?? '')?.[0] ?? 0}`,
      ...(session ? [`Session: ${session};timeout=${TIMEOUT}`] : []),
      ...lines,
      ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
      '',
      body
    ].join('\r\n')

  function answer(request: RtspRequest, status = '200 OK', lines: readonly string[] = [], body = ''): void {
    if (socket.writable) socket.write(strings(status, request, lines, body))
  }

  /** What of the path stands behind the server's address, with the track behind the key. */
  const pathOf = (url: string) => /^rtsps?:\/\/[^/]+\/([\w-]+)(?:\/(?:track1)?)?(?:\?.*)?$/i.exec(url)?.[1]

  function describe(request: RtspRequest): void {
    const address = plainAddress(socket.localAddress) || '0.0.0.0'
    const body = [
      ...['v=0', `o=- ${numbering.source} 1 IN IP4 ${address}`, 's=-', 'c=IN IP4 0.0.0.0', 't=0 0', 'a=control:*'],
      ...[`m=video 0 RTP/AVP ${PAYLOAD_TYPE}`, `a=rtpmap:${PAYLOAD_TYPE} MP2T/90000`, 'a=control:track1', '']
    ].join('\r\n')
    const base = request.url.replace(/[/?]*(\?.*)?$/, '/')
    answer(request, '200 OK', ['Content-Type: application/sdp', `Content-Base: ${base}`], body)
  }

  async function setUp(request: RtspRequest): Promise<void> {
    if (way) return answer(request, '455 Method Not Valid in This State')
    if (!house.room()) return answer(request, '453 Not Enough Bandwidth')
    for (const wanted of (request.headers.get('transport') ?? '').split(',')) {
      const options = wanted.trim().split(';')
      if (options.includes('multicast')) continue
      const [kind = ''] = options
      if (/^RTP\/AVP\/TCP$/i.test(kind)) return begin(request, overConnection(options))
      if (!/^RTP\/AVP(\/UDP)?$/i.test(kind)) continue
      const [, port, next] =
        /^client_port=(\d{1,5})(?:-(\d{1,5}))?$/.exec(options.find((each) => each.startsWith('client_port=')) ?? '') ??
        []
      const transport =
        port && (await overDatagrams(Number(port), Number(next ?? Number(port) + 1)).catch(() => undefined))
      if (transport) return begin(request, transport)
    }
    answer(request, '461 Unsupported Transport')
  }

  function begin(request: RtspRequest, transport: string): void {
    session = randomBytes(12).toString('hex')
    since = house.now()
    house.changed()
    answer(request, '200 OK', [`Transport: ${transport};ssrc=${numbering.source.toString(16).padStart(8, '0')}`])
  }

  /** Packets in frames, between the answers. */
  function overConnection(options: readonly string[]): string {
    const channel = Number(
      /^interleaved=(\d{1,3})/.exec(options.find((each) => each.startsWith('inter')) ?? '')?.[1] ?? 0
    )
    const [media, reports] = [channel & 0xff, (channel + 1) & 0xff]
    const frame = (packet: Buffer, to: number) => {
      const head = Buffer.from([0x24, to, 0, 0])
      head.writeUInt16BE(packet.length, 2)
      return [head, packet]
    }
    way = {
      send: (packets, done) => void socket.write(Buffer.concat(packets.flatMap((one) => frame(one, media))), done),
      report: (packet) => void socket.write(Buffer.concat(frame(packet, reports)))
    }
    return `RTP/AVP/TCP;unicast;interleaved=${media}-${reports}`
  }

  /** To the player's own address, from a pair of ports of ours. */
  async function overDatagrams(port: number, next: number): Promise<string> {
    const peer = plainAddress(socket.remoteAddress)
    const own = plainAddress(socket.localAddress)
    const pair = await portPair(own)
    // It may have left meanwhile.
    if (socket.destroyed) for (const each of pair) each.close()
    if (socket.destroyed) throw new Error('the player has left')
    datagrams = pair
    const [rtp, rtcp] = pair
    // What comes back from elsewhere is nobody's.
    await Promise.all([connected(rtp, port, peer), connected(rtcp, next, peer)])
    way = {
      send(packets, done) {
        let left = packets.length
        for (const packet of packets) rtp.send(packet, () => --left === 0 && done())
      },
      report: (packet) => rtcp.send(packet, () => {})
    }
    const [first, second] = [rtp.address().port, rtcp.address().port]
    return `RTP/AVP;unicast;client_port=${port}-${next};server_port=${first}-${second}`
  }

  function play(request: RtspRequest): void {
    if (!way) return void answer(request, '455 Method Not Valid in This State')
    const track = `${request.url.replace(/\/*$/, '')}/track1`
    const first = `seq=${numbering.sequence()};rtptime=${numbering.timestamp(house.now())}`
    answer(request, '200 OK', ['Range: npt=now-', `RTP-Info: url=${track};${first}`])
    if (feed) return
    pipe = packetsInto(way, numbering, house)
    feed = createFeed(pipe, house.kbps)
    feed.seek()
  }

  function close(): void {
    const counted = session !== undefined
    session = undefined
    way = undefined
    feed = undefined
    pipe?.destroy()
    for (const each of datagrams) each.close()
    datagrams = []
    if (counted) house.changed()
  }

  return {
    since: () => (session === undefined ? undefined : since),
    feed: () => feed,
    close,
    request(request) {
      const { method, url, headers } = request
      if (method === 'OPTIONS') return answer(request, '200 OK', [`Public: ${METHODS}`])
      if (login && !login.accepts(method, url, headers.get('authorization'))) {
        const said = headers.get('authorization')
        // The first request of all comes without one.
        if (said !== undefined && !house.wrongLogin(said)) return void socket.destroy()
        return answer(request, '401 Unauthorized', login.challenge())
      }
      const path = pathOf(url)
      if (path !== house.key) {
        if (path !== undefined && !house.wrongKey(path)) return void socket.destroy()
        return answer(request, '404 Not Found')
      }
      if (session && headers.has('session') && headers.get('session')?.split(';')[0] !== session)
        return answer(request, '454 Session Not Found')
      if (method === 'DESCRIBE') return describe(request)
      if (method === 'SETUP') return void setUp(request)
      if (method === 'PLAY') return play(request)
      if (method === 'GET_PARAMETER' || method === 'SET_PARAMETER') return answer(request)
      if (method === 'TEARDOWN') {
        answer(request)
        return close()
      }
      answer(request, '405 Method Not Allowed', [`Allow: ${METHODS}`])
    }
  }
}

/** How a player is given packets of RTP, and reports of RTCP beside them. */
interface Way {
  send(packets: Buffer[], done: (error?: Error | null) => void): void
  report(packet: Buffer): void
}

/** Cuts what is written into packets of RTP, and reports with the first of them and from then on. */
function packetsInto(
  { send, report }: Way,
  numbering: RtpNumbering,
  { carried, now }: Pick<RtspHouse, 'carried' | 'now'>
): Writable {
  const size = payloadOf(RTP)
  let [count, octets, reported] = [0, 0, Number.NEGATIVE_INFINITY]
  return new Writable({
    highWaterMark: size,
    write(data: Buffer, _, done) {
      const packets: Buffer[] = []
      for (let at = 0; at < data.length; at += size)
        packets.push(Buffer.concat([numbering.header(now()), data.subarray(at, at + size)]))
      count += packets.length
      octets += data.length
      send(packets, (error) => {
        if (!error) carried(packets.reduce((sum, packet) => sum + packet.length - RTP_HEADER, 0))
        done(error)
      })
      const at = now()
      if (at - reported < REPORTS) return
      reported = at
      report(numbering.report(at, Date.now(), count, octets))
    }
  }).on('error', () => {})
}

/** Two ports next to each other, the first even (RFC 3550, 11). */
async function portPair(host: string): Promise<[Datagrams, Datagrams]> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const first = await bound(host, 0)
    if (!first) continue
    const { port } = first.address()
    const second = port % 2 === 0 ? await bound(host, port + 1) : undefined
    if (second) return [first, second]
    first.close()
  }
  throw new Error('no two ports are free')
}

/** Lets a socket send there, and hear nobody else. */
function connected(socket: Datagrams, port: number, host: string): Promise<void> {
  return new Promise((resolve) => socket.connect(port, host, () => resolve()))
}

function bound(host: string, port: number): Promise<Datagrams | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => {
      socket.close()
      resolve(undefined)
    })
    socket.bind(port, host, () => {
      // Who left says so with an ICMP message; its connection ends, too.
      socket.removeAllListeners('error').on('error', () => {})
      resolve(socket)
    })
  })
}
