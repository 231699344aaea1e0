// Reads the digest of a hub from its link. A hub is a stranger: lines and bytes are limited, and a stream that breaks a
// rule ends.
import { constants } from 'node:http2'
import { StringDecoder } from 'node:string_decoder'
import { ZodError } from 'zod'
import { DigestLineShape } from '../../contract/cloud/digest.schema.ts'
import {
  DIGEST_CHANNELS_MAX,
  DIGEST_LINE_MAX,
  DIGEST_PATH,
  DIGEST_SILENCE_MAX,
  type DigestLine
} from '../../contract/cloud/digest.ts'
import type { Link } from '../../device-link/link.ts'

/** Bytes that a hub may send at once, which is more than the largest digest, and in each second after that. */
const BURST = DIGEST_CHANNELS_MAX * 512
const BYTES_PER_SECOND = 2 * DIGEST_LINE_MAX

/** `refused`: the hub has broken a rule; `missing`: it does not know the request, or does not answer it. */
export type DigestEnd = { why: 'closed' | 'missing' } | { why: 'refused'; reason: string }

interface DigestStreamOptions {
  /** @throws Error if the line cannot be used */
  onLine(line: DigestLine): void
  /** Called once. */
  onEnd(end: DigestEnd): void
  /** Milliseconds of a clock that never jumps. */
  monotonic?: () => number
}

/** @returns a function that closes the stream */
export function openDigestStream(link: Link, options: DigestStreamOptions): () => void {
  const { onLine, onEnd, monotonic = () => performance.now() } = options
  const stream = link.session.request({ ':method': 'GET', ':path': DIGEST_PATH }, { endStream: true })
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let allowance = BURST
  let countedAt = monotonic()
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined

  function end(why: DigestEnd): void {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    stream.close(constants.NGHTTP2_CANCEL)
    onEnd(why)
  }
  const refuse = (reason: string) => end({ why: 'refused', reason })

  /** Ends the stream if no line arrives in time, so that the caller opens another one. */
  function watch(): void {
    clearTimeout(timer)
    timer = setTimeout(() => end({ why: 'missing' }), DIGEST_SILENCE_MAX)
  }

  function isWithinRate(bytes: number): boolean {
    const now = monotonic()
    allowance = Math.min(BURST, allowance + ((now - countedAt) / 1000) * BYTES_PER_SECOND) - bytes
    countedAt = now
    return allowance >= 0
  }

  function read(text: string): void {
    try {
      onLine(DigestLineShape.parse(JSON.parse(text)))
      watch()
    } catch (error) {
      refuse(error instanceof ZodError ? `wrong ${error.issues[0]?.path.join('.')}` : (error as Error).message)
    }
  }

  stream.on('response', ({ ':status': status }) => {
    if (status !== 200) end({ why: 'missing' })
  })
  stream.on('data', (chunk: Buffer) => {
    if (!isWithinRate(chunk.length)) refuse('too much')
    const lines = (rest + decoder.write(chunk)).split('\n')
    if (lines.some((line) => line.length > DIGEST_LINE_MAX)) refuse('a line is too long')
    rest = lines.pop() ?? ''
    for (const line of lines) if (!hasEnded) read(line)
  })
  stream.on('error', () => {})
  stream.on('close', () => end({ why: 'closed' }))
  watch()
  return () => end({ why: 'closed' })
}
