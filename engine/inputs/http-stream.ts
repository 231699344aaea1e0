// An endless MPEG-TS over HTTP, received without ffmpeg: ffmpeg would have to be told to read in real time, because a
// file would otherwise be read at once, and the second for which it probes would delay the stream for good.
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { urlHost } from '../../contract/ipv6.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { Launch, Process, Verification } from '../interfaces/launcher.ts'
import type { Relay } from '../interfaces/relay.ts'
import { TS_PACKET_SIZE } from '../mpegts/packet.ts'
import { pcrOffset, readPcr, TICKS_PER_SECOND, timeDifference } from '../mpegts/timestamps.ts'
import { tlsOptions } from '../process/verification.ts'

/** Milliseconds for the response and its first packets. */
const TIMEOUT = 3000
const REDIRECTS_MAX = 5
/** The first line of a playlist (RFC 8216, 4.3.1.1). A master playlist has some lines for each variant. */
const PLAYLIST_START = '#EXTM3U'
const PLAYLIST_MAX_BYTES = 256 << 10
/** Bytes from which the start of a packet is found. */
const PROBE_BYTES = 3 * TS_PACKET_SIZE
/** Seconds that a live stream can be ahead of the clock, because a server may start with what it has buffered. */
const AHEAD_MAX = 5

export interface HttpStream {
  /** Starts to pass the stream to the relay. */
  run(launch: Launch, relay: Relay): Promise<Process>
  /** Whether the server sent faster than in real time, so that the stream must be paced. */
  isTooFast(): boolean
  close(): void
}

/** The response to the request of a stream. */
export interface HttpSource {
  /** Absent: the response is not an endless MPEG-TS. */
  stream?: HttpStream
  /** The text of an HLS playlist. */
  playlist?: string
}

/**
 * Requests a stream.
 * @param resolveHost applies the address policy, also to the target of each redirect
 * @param verification as `Launch.verification`
 * @returns an empty object if the response is neither an endless MPEG-TS nor a playlist, or fails
 */
export async function openHttpStream(
  source: SourceUrl,
  resolveHost: (host: string) => Promise<string>,
  verification: Verification | undefined
): Promise<HttpSource> {
  try {
    const response = await fetchResponse(source, resolveHost, tlsOptions(verification))
    if (!isEndless(response)) return await readPlaylist(response)
    const head = await readHead(response)
    const start = findPacket(head)
    return start < 0 ? await readPlaylist(response, head) : { stream: new ResponseStream(response, head, start) }
  } catch {
    return {}
  }
}

/** Reads the rest of a response, if it begins like a playlist. @param head what was read of it */
async function readPlaylist(response: IncomingMessage, head?: Buffer): Promise<HttpSource> {
  let text = head?.toString('latin1') ?? ''
  const isPlaylist = () => text.startsWith(PLAYLIST_START) && text.length < PLAYLIST_MAX_BYTES
  if (response.statusCode === 200 && !response.destroyed && (head === undefined || isPlaylist()))
    for await (const chunk of response) {
      text += chunk.toString('latin1')
      if (!isPlaylist()) break
    }
  response.destroy()
  return isPlaylist() ? { playlist: text } : {}
}

class ResponseStream implements HttpStream {
  readonly #response: IncomingMessage
  readonly #head: Buffer
  readonly #clock: PacketClock
  #isTooFast = false

  constructor(response: IncomingMessage, head: Buffer, start: number) {
    this.#response = response
    this.#head = head
    this.#clock = new PacketClock(start)
    response.on('error', () => {})
  }

  async run(launch: Launch, relay: Relay): Promise<Process> {
    const feed = await relay.openFeed()
    const response = this.#response
    const closed = Promise.withResolvers<void>()
    let isStopping = false
    feed.on('error', () => response.destroy())
    const pass = (data: Buffer) => {
      this.#isTooFast ||= this.#clock.secondsAhead(data) > AHEAD_MAX
      if (this.#isTooFast) response.destroy()
      else if (!feed.write(data)) response.pause()
    }
    feed.on('drain', () => response.resume())
    feed.on('end', () => feed.destroy())
    const handleClose = () => {
      // Received media is still passed on, unless the run is stopped.
      if (isStopping) feed.destroy()
      else feed.end()
      closed.resolve()
      if (!isStopping) launch.onEnd([])
    }
    pass(this.#head)
    response.on('data', pass)
    if (response.destroyed) queueMicrotask(handleClose)
    else response.once('close', handleClose)
    response.setTimeout(0)
    response.resume()
    return {
      pid: undefined,
      stdin: undefined,
      stop() {
        isStopping = true
        response.destroy()
        return closed.promise
      }
    }
  }

  isTooFast(): boolean {
    return this.#isTooFast
  }

  close(): void {
    this.#response.destroy()
  }
}

/** Compares the clock references of the packets with the clock. */
class PacketClock {
  /** Bytes until the next packet. */
  #skip: number
  #first: { pcr: number; at: number } | undefined

  constructor(skip: number) {
    this.#skip = skip
  }

  /** How many seconds of the stream have arrived too early. Packets that are split between two chunks are not read. */
  secondsAhead(data: Buffer): number {
    let ahead = 0
    for (; this.#skip < data.length; this.#skip += TS_PACKET_SIZE) {
      const packet = data.subarray(this.#skip, this.#skip + TS_PACKET_SIZE)
      const offset = packet.length === TS_PACKET_SIZE ? pcrOffset(packet) : -1
      if (offset < 0) continue
      const pcr = readPcr(packet, offset)
      this.#first ??= { pcr, at: performance.now() }
      ahead = timeDifference(pcr, this.#first.pcr) / TICKS_PER_SECOND - (performance.now() - this.#first.at) / 1000
      // A clock that jumps starts again.
      if (Math.abs(ahead) > 60) this.#first = undefined
    }
    this.#skip -= data.length
    return this.#first ? ahead : 0
  }
}

async function fetchResponse(
  { scheme, host, port, path, user, password = '' }: SourceUrl,
  resolveHost: (host: string) => Promise<string>,
  tls: ConnectionOptions
): Promise<IncomingMessage> {
  const first = new URL(`${scheme}://${urlHost(host)}:${port}${path}`)
  let url = first
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    if (!/^https?:$/.test(url.protocol)) throw new Error('Redirect to another protocol')
    const address = await resolveHost(url.hostname)
    // The login is only for the server that the user has named.
    const auth = user !== undefined && url.origin === first.origin ? { auth: `${user}:${password}` } : {}
    const response = await fetchOnce(url, address, { ...auth, ...tls })
    const { location } = response.headers
    const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode ?? 0) && location !== undefined
    if (!isRedirect) return response
    response.destroy()
    url = new URL(location, url)
  }
  throw new Error('Too many redirects')
}

function fetchOnce(url: URL, address: string, options: RequestOptions): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, [{ address, family: isIP(address) }]) : callback(null, address, isIP(address))
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent: false, lookup, timeout: TIMEOUT }, resolve)
    outgoing.on('timeout', () => outgoing.destroy(new Error('No response')))
    outgoing.on('error', reject).end()
  })
}

/** Whether a response has no end that is known. The content type is checked by its first packets. */
const isEndless = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 200 && headers['content-length'] === undefined && !/mpegurl/i.test(headers['content-type'] ?? '')

/** Reads the first bytes; fewer if it ends, or if they do not arrive in time. The response is then paused. */
function readHead(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const finish = () => {
      clearTimeout(timer)
      response.off('data', collect).off('close', finish).pause()
      resolve(Buffer.concat(chunks))
    }
    const collect = (chunk: Buffer) => {
      chunks.push(chunk)
      if (Buffer.concat(chunks).length >= PROBE_BYTES) finish()
    }
    const timer = setTimeout(finish, TIMEOUT)
    response
      .on('data', collect)
      .on('close', finish)
      .on('error', () => {})
  })
}

/** Offset of the first packet; -1 if the bytes are not MPEG-TS. */
function findPacket(data: Buffer): number {
  for (let offset = 0; offset < TS_PACKET_SIZE; offset++)
    if (data[offset] === 0x47 && data[offset + TS_PACKET_SIZE] === 0x47) return offset
  return -1
}
