// Sends the digest of the hub over the streams that the cloud has opened (contract/cloud/digest.ts): over one of them,
// and over the next one when it ends.
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { DIGEST_INTERVAL, DIGEST_PACE, DIGEST_PATH, type Digest, type DigestLine } from '../../contract/cloud/digest.ts'
import type { Changes } from '../store/changes.ts'
import { DigestDelta } from './digest-delta.ts'

interface DigestStreamsOptions {
  /** The digest now; undefined unless the hub is accepted. */
  read(): Digest | undefined
  changes: Pick<Changes, 'subscribe'>
}

/** Streams at a time, more than there are links. The oldest one makes room. */
const STREAMS_MAX = 4

export class DigestStreams {
  readonly #options: DigestStreamsOptions
  /** The first one carries the digest. */
  readonly #senders: DigestSender[] = []
  readonly #unsubscribe: () => void

  constructor(options: DigestStreamsOptions) {
    this.#options = options
    this.#unsubscribe = options.changes.subscribe((topic) => {
      // Verdicts on channels and devices are announced with the problems.
      if (topic === 'problem') this.#senders[0]?.changed()
    })
  }

  /** Answers the request for the digest. @returns false for another request */
  handle(stream: ServerHttp2Stream, { ':method': method, ':path': path }: IncomingHttpHeaders): boolean {
    if (method !== 'GET' || path !== DIGEST_PATH) return false
    if (this.#options.read() === undefined) {
      stream.respond({ ':status': 403 }, { endStream: true })
      return true
    }
    if (this.#senders.length >= STREAMS_MAX) this.#senders[0]?.end()
    const sender = new DigestSender(stream, this.#options.read)
    this.#senders.push(sender)
    stream.once('close', () => this.#remove(sender))
    stream.respond({ ':status': 200, 'content-type': 'application/x-ndjson' })
    if (this.#senders[0] === sender) sender.carry()
    else sender.wait()
    return true
  }

  close(): void {
    this.#unsubscribe()
    for (const sender of [...this.#senders]) sender.end()
  }

  #remove(sender: DigestSender): void {
    sender.end()
    const index = this.#senders.indexOf(sender)
    if (index < 0) return
    this.#senders.splice(index, 1)
    if (index === 0) this.#senders[0]?.carry()
  }
}

class DigestSender {
  readonly #stream: ServerHttp2Stream
  readonly #read: () => Digest | undefined
  /** Undefined while another stream carries the digest. */
  #delta: DigestDelta | undefined
  #timer: NodeJS.Timeout | undefined
  /** When the timer is due, and when the digest was read last, in milliseconds since the epoch. */
  #dueAt = Number.POSITIVE_INFINITY
  #readAt = 0
  /** When a line is sent even if nothing has changed. */
  #idleAt = 0

  constructor(stream: ServerHttp2Stream, read: () => Digest | undefined) {
    this.#stream = stream
    this.#read = read
  }

  /** Says that another stream carries the digest. */
  wait(): void {
    this.#send(true)
  }

  /** Sends the digest from now on. */
  carry(): void {
    this.#delta = new DigestDelta()
    this.changed()
  }

  /** A verdict may have changed. */
  changed(): void {
    this.#schedule(Math.max(0, this.#readAt + DIGEST_PACE - Date.now()), false)
  }

  end(): void {
    clearTimeout(this.#timer)
    if (!this.#stream.destroyed) this.#stream.end()
  }

  #schedule(delay: number, isIdle: boolean): void {
    const dueAt = Date.now() + delay
    if (dueAt >= this.#dueAt || this.#stream.destroyed) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => this.#send(isIdle), delay).unref()
  }

  #send(isIdle: boolean): void {
    this.#dueAt = Number.POSITIVE_INFINITY
    const line = this.#nextLine(isIdle)
    if (line) this.#stream.write(`${JSON.stringify(line)}\n`)
    if (this.#stream.writableNeedDrain) this.#stream.once('drain', () => this.#continue(line))
    else this.#continue(line)
  }

  #continue(line: DigestLine | undefined): void {
    if (line) this.#idleAt = Date.now() + DIGEST_INTERVAL
    if (line?.more) this.#schedule(DIGEST_PACE, false)
    this.#schedule(Math.max(0, this.#idleAt - Date.now()), true)
  }

  #nextLine(isIdle: boolean): DigestLine | undefined {
    const now = Date.now()
    if (!this.#delta) return { now, standby: true }
    this.#readAt = now
    const digest = this.#read()
    if (!digest) {
      this.end()
      return undefined
    }
    return this.#delta.next(digest, { now, isIdle })
  }
}
