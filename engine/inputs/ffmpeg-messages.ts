// Messages on ffmpeg's stderr that report the state of a running input.
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { WantedInput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import { TICKS_PER_SECOND } from '../mpegts/timestamps.ts'
import { explainExit } from '../process/failure.ts'
import type { SrtCallProcess } from '../srt/caller.ts'

/** A frame that is not newer than the last one, in 90 kHz units. ffmpeg then uses the last timestamp plus one. */
const TIMESTAMP_BACK = /Non-monoton\w+ DTS.*previous: (-?\d+), current: (-?\d+)/
/**
 * A source that goes back by more has restarted. Timestamps would otherwise stand still for the length of its previous
 * run.
 */
const JUMP_BACK = 2 * TICKS_PER_SECOND

/** Whether the timestamps of the source went back so far that it has restarted. */
export function isTimestampReset(text: string): boolean {
  const [, previous, current] = TIMESTAMP_BACK.exec(text) ?? []
  return Number(previous) - Number(current) > JUMP_BACK
}

/**
 * Whether ffmpeg drops RTP packets because their sequence numbers are lower than the last one. It prints this only
 * once, and it drops all such packets, even if the sender has restarted.
 */
export const isRtpPacketDropped = (text: string): boolean => /RTP: dropping old packet/.test(text)

/** Whether packets have RTP sequence numbers. */
export const isOverRtp = ({ scheme }: SourceUrl): boolean => scheme === 'rtp' || scheme === 'rtsp'

/** Name of the codec of a track that MPEG-TS cannot carry, so that receivers do not recognize it. */
export const uncarriedCodec = (text: string): string | undefined =>
  /codec (\w+), is muxed as a private data stream/.exec(text)?.[1]

/** Number of RTP packets that ffmpeg reports as missing; 0 for other messages. */
export const missedRtpPackets = (text: string): number => Number(/RTP: missed (\d+) packets/.exec(text)?.[1] ?? 0)

/** Whether an SRT listener refused a caller for its passphrase or missing encryption. */
export const isPassphraseRefused = (text: string): boolean => /BADSECRET|UNSECURE/.test(text)

/**
 * The failure of a run of an input that ended; undefined if the end is not a failure.
 * @param lines last lines of stderr
 * @param opened whether the run had media
 */
export function explainEnd(
  lines: readonly string[],
  wanted: WantedInput,
  command: InputCommand,
  call: SrtCallProcess | undefined,
  opened: boolean
): Failure | undefined {
  if (command.formatChanged?.()) return undefined
  const srtCaller = wanted.kind === 'url' && wanted.url.srt !== undefined && wanted.url.srt.mode !== 'listener'
  return call?.failure() ?? command.failure?.() ?? explainExit(lines, { opened, srtCaller, secrets: command.secrets })
}
