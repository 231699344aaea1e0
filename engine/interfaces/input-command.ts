// The commands that inputs are fetched with.
import type { ObservedLeg } from './channel.ts'
import type { Failure } from './failure.ts'
import type { DatagramSource } from './relay.ts'

/** An SRT connection in caller mode. */
export interface SrtCall {
  /** Whether the other end sends the stream; otherwise it receives it. */
  isReceiver: boolean
  host: string
  port: number
  streamId: string
  /** Empty: no encryption. */
  passphrase: string
  /** AES key length in bytes; 0 lets the other end choose. */
  keyLength: number
  /** Milliseconds. */
  latency: number
  /** Bandwidth for retransmission in percent of the stream's rate; 0 is unlimited. */
  overhead: number
}

/** How ffmpeg, or another program, receives an input. */
export interface InputCommand {
  args: string[]
  /** As `Launch.hiddenArgs`. Any part of a URL can be a login or key. */
  hiddenArgs?: string[]
  /** As `Launch.allowedHosts`. */
  allowedHosts?: Readonly<Record<string, string>>
  /** Strings that must not leave the engine. */
  secrets: string[]
  /** It waits for a caller, so silence is not a failure. */
  isListener: boolean
  /** Protocol without a connection (UDP, RTP), so silence is not a failure of the other end. */
  isConnectionless: boolean
  /** It is remuxed to MPEG-TS, so its continuity counters do not show losses of the source. */
  isRemuxed?: boolean
  /** Why the run ended, if there is a more specific source than ffmpeg's stderr. */
  failure?(): Failure | undefined
  /** Whether the run ended because the source changed its format, which is not a failure. */
  formatChanged?(): boolean
  /** Whether the run ended because its source has disappeared. The next run waits for the source, so it need not start later each time. */
  hasLostSource?(): boolean
  /** State before the first media arrives, if it is known. */
  problem?(): Pick<ObservedLeg, 'state' | 'connState' | 'reason'> | undefined
  /** The same connection for `headend-srt`. */
  srtCall?: SrtCall
  /** Datagrams that the relay receives itself, without a process. */
  datagrams?: DatagramSource
}
