// One SRT connection that we dial, through our program on libsrt (engine/native/srt/call.c): unlike ffmpeg it tells what the connection is like,
// says why it failed in a word, and shows no secret in the list of processes.
import { join } from 'node:path'
import { CONNECTION } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { type Failure, failure } from '../process/failure.ts'
import type { Launch } from '../process/launcher.ts'
import type { SrtFigures } from './srt-stats.ts'

/** Where `make engines` puts the program. Where it is not, ffmpeg makes the calls. */
export const SRT_PROGRAM = join(import.meta.dirname, '../../build/headend-srt')

export interface SrtCall {
  /** The other end sends; else it takes. */
  receives: boolean
  host: string
  port: number
  streamId: string
  /** Empty: no encryption. */
  passphrase: string
  /** Bytes; 0 leaves it to the other end. */
  keyLength: number
  /** Milliseconds. */
  latency: number
  /** Percent beyond the stream's own rate for what is sent once more; 0 is no limit. */
  overhead: number
}

export interface CallWatch {
  opened(): void
  /** Twice a second, counted since it opened. */
  figures(figures: SrtFigures): void
}

/** Milliseconds for which the other end may take to answer. */
const PATIENCE = 3000

/** What the program says when nobody took the call. */
const FAILURES: Readonly<Record<string, readonly [connState: number, reason: Reason]>> = {
  timeout: [CONNECTION.failed, 'no-answer'],
  network: [CONNECTION.failed, 'network-fails'],
  refused: [CONNECTION.refused, 'call-refused'],
  key: [CONNECTION.refused, 'stream-id-unknown'],
  busy: [CONNECTION.refused, 'stream-id-busy'],
  full: [CONNECTION.refused, 'other-end-full'],
  mode: [CONNECTION.refused, 'wrong-direction'],
  passphrase: [CONNECTION.notAuthorized, 'passphrase-refused'],
  forbidden: [CONNECTION.notAuthorized, 'not-allowed'],
  handshake: [CONNECTION.handshakeFailed, 'handshake-failed']
}

export interface Call {
  launch: Pick<Launch, 'program' | 'args' | 'preset' | 'says'>
  /** Why it is over; undefined when it was the other end's wish. */
  failure(): Failure | undefined
}

/** How a call is made; undefined without one, or without the program. */
export function makeCall(call: SrtCall | undefined, program: string | undefined, watch: CallWatch): Call | undefined {
  if (!call || program === undefined) return undefined
  const { receives, host, port, streamId, passphrase, keyLength, latency, overhead } = call
  const fields = [receives ? 's' : 't', host, port, streamId, passphrase, keyLength, latency, overhead, PATIENCE]
  if (/\p{Cc}/u.test(fields.join(''))) throw new Error('a key or passphrase holds a character that cannot be sent')
  let why: Failure | undefined
  return {
    launch: {
      program,
      args: ['call'],
      preset: `${fields.join('\t')}\n`,
      says(text) {
        const said = JSON.parse(text)
        if (said.open) watch.opened()
        else if (said.stats) {
          const { stats: _, ...figures } = said
          watch.figures(figures)
        } else if (said.failed === 'name') why = failure(CONNECTION.nameNotFound, `name-unknown ${host}`)
        else if (said.failed) {
          const known = FAILURES[said.failed]
          why = known ? failure(...known) : failure(CONNECTION.creationFailed, `not-started ${said.failed}`)
        }
      }
    },
    failure: () => why
  }
}
