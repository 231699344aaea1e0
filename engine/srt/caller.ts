// An SRT connection in caller or rendezvous mode, made by `headend-srt` (engine/native/srt/caller.c). Unlike ffmpeg, it
// reports statistics and the cause of a failure, and shows no secrets in the process list.
import { join } from 'node:path'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { SrtCall } from '../interfaces/legs.ts'
import type { RelayAddress } from '../interfaces/relay.ts'
import type { SrtStats } from '../interfaces/srt-stats.ts'
import { failure } from '../process/failure.ts'

/** Path of `headend-srt`, where `make native` puts it. Without it, ffmpeg makes SRT connections. */
export const SRT_PROGRAM = join(import.meta.dirname, '../../build/headend-srt')

interface SrtCallEvents {
  /** The connection is open. It has no media until `linkCall` is called. */
  onOpen(): void
  /** The relay has closed its end. The connection stays open. */
  onUnlink?(): void
  /** Called twice a second, with statistics since the connection opened. */
  onStats(stats: SrtStats): void
}

/** Milliseconds to wait for a response of the other end. */
const CONNECT_TIMEOUT = 3000

/** By the cause that the program reports. */
const FAILURES: Readonly<Record<string, readonly [connState: number, reason: Reason]>> = {
  timeout: [CONNECTION_STATE.failed, 'no-answer'],
  network: [CONNECTION_STATE.failed, 'network-fails'],
  refused: [CONNECTION_STATE.refused, 'call-refused'],
  key: [CONNECTION_STATE.refused, 'stream-id-unknown'],
  busy: [CONNECTION_STATE.refused, 'stream-id-busy'],
  full: [CONNECTION_STATE.refused, 'other-end-full'],
  mode: [CONNECTION_STATE.refused, 'wrong-direction'],
  passphrase: [CONNECTION_STATE.notAuthorized, 'passphrase-refused'],
  forbidden: [CONNECTION_STATE.notAuthorized, 'not-allowed'],
  handshake: [CONNECTION_STATE.handshakeFailed, 'handshake-failed']
}

export interface SrtCallProcess {
  launch: Pick<Launch, 'program' | 'args' | 'deathSignal' | 'privateFile' | 'pipeStdin' | 'onMessage'>
  /** Why the connection ended; undefined if the other end closed it. */
  failure(): Failure | undefined
}

/**
 * Prepares the process for a call.
 * @param program path of `headend-srt`
 * @returns undefined without a call or without the program
 * @throws Error if a field contains a control character
 */
export function createSrtCall(
  call: SrtCall | undefined,
  program: string | undefined,
  events: SrtCallEvents
): SrtCallProcess | undefined {
  if (!call || program === undefined) return undefined
  const { isReceiver, host, port, streamId, passphrase, keyLength, latency, overhead, localPort } = call
  const direction = isReceiver ? 's' : 't'
  const fields = [direction, host, port, streamId, passphrase, keyLength, latency, overhead, CONNECT_TIMEOUT, localPort]
  if (/\p{Cc}/u.test(fields.join('')))
    throw new Error('A stream ID or passphrase contains a character that cannot be sent')
  let lastFailure: Failure | undefined
  return {
    launch: {
      program,
      args: ['call'],
      deathSignal: 'TERM',
      privateFile: `${fields.join('\t')}\n`,
      // For commands.
      pipeStdin: true,
      onMessage(text) {
        const message = JSON.parse(text)
        if (message.open) events.onOpen()
        else if (message.unlinked) events.onUnlink?.()
        else if (message.stats) {
          const { stats: _, ...stats } = message
          events.onStats(stats)
        } else if (message.failed) lastFailure = callFailure(message.failed, call)
      }
    },
    failure: () => lastFailure
  }
}

/** Connects a call to a relay, instead of the one before. */
export function linkCall(process: Process | undefined, { path, greeting }: RelayAddress): void {
  process?.stdin?.write(`link\t${path}\t${greeting}\n`)
}

function callFailure(cause: string, { host, localPort }: SrtCall): Failure {
  if (cause === 'port') return failure(CONNECTION_STATE.creationFailed, `port-taken ${localPort}`)
  if (cause === 'name') return failure(CONNECTION_STATE.nameNotFound, `name-unknown ${host}`)
  const known = FAILURES[cause]
  return known ? failure(...known) : failure(CONNECTION_STATE.creationFailed, `not-started ${cause}`)
}
