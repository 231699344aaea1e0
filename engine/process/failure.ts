// Turns the stderr output of a process that ended into a failure. The exit code does not help: ffmpeg exits with 0 when
// its source ends.
import { NOT_IMPLEMENTED, UNSUPPORTED } from '../../contract/codes.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'
import {
  type Failure,
  ForbiddenAddressError,
  InterfaceMissingError,
  NdiUnavailableError,
  NotInstalledError,
  PortClosedError
} from '../interfaces/errors.ts'

export function failure(connState: number, reason: Reason, state: number = SOURCE_STATE.failed): Failure {
  return { state, connState, reason }
}

/** The task of the process at its exit, because the same message can have different causes. */
interface ExitContext {
  /** Whether it had media or a connection. */
  opened: boolean
  /** Whether it was an SRT caller, for which a missing peer means no response. */
  srtCaller: boolean
  /** Strings that must not appear in the reason. */
  secrets: readonly string[]
}

/**
 * Messages of ffmpeg 5.1 with libsrt 1.5, and the connection state and source state that they mean. The first match
 * counts, so causes are listed before their consequences.
 */
const CAUSES: readonly [RegExp, number, number?][] = [
  [/BADSECRET|ERROR:UNSECURE|Incorrect passphrase|Password required or unexpected/, CONNECTION_STATE.notAuthorized],
  [
    /\b401\b|\b403 Forbidden|authorization failed|access denied|Authentication failed|authmod=/i,
    CONNECTION_STATE.notAuthorized
  ],
  [
    /Failed to resolve hostname|Name or service not known|Temporary failure in name resolution/,
    CONNECTION_STATE.nameNotFound
  ],
  [
    /Address already in use|Cannot assign requested address|bind failed|^srt:.*: Permission denied/,
    CONNECTION_STATE.creationFailed,
    SOURCE_STATE.addFailed
  ],
  [
    /not currently supported in container|codec (\S+ )?not compatible|incompatible with output codec|not supported in FLV/i,
    CONNECTION_STATE.streamFailed,
    SOURCE_STATE.unsupported
  ],
  [/Connection refused|REJECT reported/, CONNECTION_STATE.refused],
  [/tcp:.*(timed out|No route to host|Network is unreachable)/, CONNECTION_STATE.tcpPortFailed],
  [/No route to host|Network is unreachable|timed out/, CONNECTION_STATE.failed],
  [/handshake|TLS|certificate|Server response validating failed/i, CONNECTION_STATE.handshakeFailed],
  [
    /Server error:|Server returned|HTTP error|Invalid data found|^https?:.*: Invalid argument|method .* failed|Could not (find codec|write header)|not in the whitelist|not on whitelist/i,
    CONNECTION_STATE.streamFailed
  ],
  [/Connection reset by peer|Broken pipe|Connection was broken/, CONNECTION_STATE.disconnected]
]

/**
 * Reason codes for these messages, so that the hub can translate them; the value of a reason is the first capture
 * group. Other messages, such as those about servers and certificates, are shown as they are.
 */
const REASONS: readonly [RegExp, ReasonCode][] = [
  [/BADSECRET|ERROR:UNSECURE|Incorrect passphrase|Password required or unexpected/, 'passphrase-refused'],
  [/\b401\b|authorization failed|Authentication failed|authmod=/i, 'login-refused'],
  [/\b403 Forbidden|access denied/i, 'not-allowed'],
  [/Failed to resolve hostname ([^\s:]+)/, 'name-unknown'],
  [/Connection refused/, 'call-refused'],
  [/^srt:.*:(\d+): Permission denied/, 'port-privileged'],
  [/No route to host|Network is unreachable/, 'network-fails'],
  [/timed out/, 'timed-out'],
  [/handshake|Server response validating failed/i, 'handshake-failed'],
  [/(?:Server returned|HTTP error) ([45]\w\w)\b/, 'server-error'],
  // The second one: a redirect to another protocol.
  [/Invalid data found|^https?:.*: Invalid argument/, 'not-a-stream'],
  [/Connection reset by peer|Broken pipe|Connection was broken/, 'other-end'],
  [/^rtmps?:.*Input\/output error/, 'stream-refused']
]

/**
 * Names of codecs that ffmpeg calls by another name than the standard, and by the number in its message about a tag.
 */
const CODEC_NAMES: Readonly<Record<string, string>> = {
  1: 'MPEG-1',
  2: 'MPEG-2',
  12: 'MPEG-4',
  86016: 'MP2',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  opus: 'Opus'
}

/** Codecs of audio that the engine can encode as AAC. */
const AUDIO_CODECS = new Set(['MP2', 'AC-3', 'E-AC-3', 'Opus', 'DTS'])

/** Why a container does not take a codec, with the name of the codec if the message has it. */
function codecReason(line: string): Reason {
  const [, name, id] = /codec '?(\w+)'? not compatible|output codec id '(\d+)'/.exec(line) ?? []
  const codec = CODEC_NAMES[name?.toLowerCase() ?? id ?? ''] ?? name?.toUpperCase()
  if (codec === undefined) return 'codec-not-carried'
  return AUDIO_CODECS.has(codec) ? `audio-unsupported ${codec}` : `codec-unsupported ${codec}`
}

/**
 * Converts a line of stderr into a reason. The message is recognized before secrets are masked: a short key, such as
 * `k`, would mask letters of every message, and so break the recognition and show which letters it has.
 */
function reasonOfLine(line: string, secrets: readonly string[]): Reason {
  const text = removeUrlSecrets(line)
  for (const [pattern, code] of REASONS) {
    const match = pattern.exec(text)
    if (match) return match[1] === undefined ? code : `${code} ${maskSecrets(match[1], secrets.filter(isDistinctive))}`
  }
  return quote(line, secrets)
}

/** The reason for a message that is not recognized. It is not quoted if masking it would give a secret away. */
export function quote(line: string, secrets: readonly string[]): Reason {
  const text = scrub(line, secrets)
  return text === undefined ? 'said-hidden' : `said ${text}`
}

/** ffmpeg ran without the library that hides arguments (`engine/native/hide-args`). */
const HIDE_ARGS_NOT_LOADED = /^hidden:\d|headend-hide-args.*cannot be preloaded/
/** Message of that library: a server redirected to an address that the policy has not allowed. */
const CONNECTION_BLOCKED = /^headend-hide-args: Blocked a connection/
/** Message of that library: a TLS server has a certificate that is not valid. */
const CERTIFICATE_REFUSED = /^headend-hide-args: Certificate refused: ([a-z-]+)/
const CERTIFICATE_REASONS: Readonly<Record<string, Reason>> = {
  'wrong-name': 'certificate-wrong-name',
  expired: 'certificate-expired',
  'not-yet-valid': 'certificate-not-yet-valid',
  'issuer-unknown': 'certificate-issuer-unknown'
}
/** ffmpeg's own verification, which has no cause, if it uses another TLS library than GnuTLS. */
const CERTIFICATE_INVALID =
  /Peer certificate failed verification|certificate's owner does not match|certificate verify failed/i

/** The line that the launcher adds if a signal has ended a program. It is the last one. */
export const endedBySignal = (signal: string): string => `Ended by ${signal}`
const ENDED_BY_SIGNAL = /^Ended by (SIG\w+)$/
/** A program of the engine was stopped by a signal, or hangs. The watchdog is going to end it. */
export const PROGRAM_STUCK: Failure = failure(CONNECTION_STATE.creationFailed, 'program-stuck')
/** The line that the watchdog adds before it kills a program. */
const NO_SIGN_OF_LIFE = /^No sign of life for \d+ s$/

/**
 * The failure of a program that a signal has ended, or that was stopped: the fault is on this machine. Undefined if it
 * ended by itself.
 */
export function programFailure(lines: readonly string[]): Failure | undefined {
  const last = lines.at(-1) ?? ''
  const [, signal] = ENDED_BY_SIGNAL.exec(last) ?? []
  // A program that writes to a pipe that its reader has closed ends by SIGPIPE.
  if (signal !== undefined && signal !== 'SIGPIPE')
    return failure(CONNECTION_STATE.creationFailed, `program-ended ${signal}`)
  return NO_SIGN_OF_LIFE.test(last) ? PROGRAM_STUCK : undefined
}

/** Why the certificate of a server was refused; undefined if it was not. */
function certificateReason(lines: readonly string[]): Reason | undefined {
  const [, cause] = lines.map((line) => CERTIFICATE_REFUSED.exec(line)).find((match) => match !== null) ?? []
  if (cause !== undefined) return CERTIFICATE_REASONS[cause] ?? 'certificate-invalid'
  return lines.some((line) => CERTIFICATE_INVALID.test(line)) ? 'certificate-invalid' : undefined
}

/**
 * The failure of a process that ended by itself.
 * @param lines last lines of stderr
 */
export function explainExit(lines: readonly string[], { opened, srtCaller, secrets }: ExitContext): Failure {
  if (lines.some((line) => HIDE_ARGS_NOT_LOADED.test(line)))
    return failure(CONNECTION_STATE.creationFailed, 'not-veiled', SOURCE_STATE.addFailed)
  if (lines.some((line) => CONNECTION_BLOCKED.test(line)))
    return failure(CONNECTION_STATE.creationFailed, 'forbidden', SOURCE_STATE.addFailed)
  const programFault = programFailure(lines)
  if (programFault) return programFault
  const refused = certificateReason(lines)
  if (refused) return failure(CONNECTION_STATE.handshakeFailed, refused)
  for (const [pattern, connState, state] of CAUSES) {
    const line = lines.find((each) => pattern.test(removeUrlSecrets(each)))
    if (line !== undefined)
      return failure(
        connState,
        state === SOURCE_STATE.unsupported ? codecReason(line) : reasonOfLine(line, secrets),
        state
      )
  }
  if (opened) return failure(CONNECTION_STATE.disconnected, 'other-end')
  const last = lines.at(-1)
  if (srtCaller && last?.includes('Input/output error')) return failure(CONNECTION_STATE.failed, 'no-answer')
  if (last?.includes('Input/output error')) return failure(CONNECTION_STATE.streamFailed, reasonOfLine(last, secrets))
  return failure(CONNECTION_STATE.failed, last === undefined ? 'ended-silently' : quote(last, secrets))
}

/**
 * The failure of an order that a device has refused: its error code if there is one, otherwise its message. Or of one
 * that could not be sent, because the port for the device is not open.
 * @param unsupported reason for a device that does not support such orders
 */
export function orderFailure(
  error: Error & { code?: unknown },
  secrets: readonly string[],
  unsupported: Reason = 'device-cannot-push'
): Failure {
  if (error instanceof PortClosedError)
    return failure(CONNECTION_STATE.creationFailed, error.reason, SOURCE_STATE.addFailed)
  if (error.code === NOT_IMPLEMENTED)
    return failure(CONNECTION_STATE.failed, 'firmware-too-old', SOURCE_STATE.firmwareTooOld)
  if (error.code === UNSUPPORTED) return failure(CONNECTION_STATE.failed, unsupported, SOURCE_STATE.unsupported)
  return failure(CONNECTION_STATE.failed, `device-refuses ${scrub(error.message, secrets) ?? '***'}`)
}

/**
 * Minimum characters of a secret that is masked, with and without special characters; a shorter one could be a part of
 * any message.
 */
const DISTINCTIVE_MIN = 4
const DISTINCTIVE_WORD_MIN = 8
const isDistinctive = (secret: string) =>
  secret.length >= (/^\w*$/.test(secret) ? DISTINCTIVE_WORD_MIN : DISTINCTIVE_MIN)

/**
 * Removes secrets from a line of stderr: URLs are reduced to scheme, host and port, because the login and the path may
 * be secret; known secrets are masked; ffmpeg's prefixes with object addresses are removed. The result has at most 200
 * characters.
 * @returns undefined if the line contains a short secret, because the masked line would show which letters it has
 */
export function scrub(line: string, secrets: readonly string[]): string | undefined {
  // Before URLs are shortened, because a secret with a space would survive behind one.
  const text = removeUrlSecrets(maskSecrets(line, secrets.filter(isDistinctive)))
  const short = secrets.filter((secret) => secret !== '' && !isDistinctive(secret))
  return short.some((secret) => text.includes(secret)) ? undefined : text.slice(0, 200)
}

/** Masks secrets, percent-encoded or not; longest first, because one may contain another. */
function maskSecrets(line: string, secrets: readonly string[]): string {
  const known = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((secret) => secret !== '')
  let text = line
  for (const secret of known.sort((a, b) => b.length - a.length)) text = text.replaceAll(secret, '***')
  return text
}

/** Reduces URLs to scheme, host and port, removes the values of options for secrets, and removes ffmpeg's prefixes. */
function removeUrlSecrets(line: string): string {
  return line
    .replace(/^(\[[^\]]*\] ?)+/, '')
    .replace(/^\d\d:\d\d:\d\d\.\d+\/\S+ /, '')
    .replace(/\b([a-z]+):\/\/(?:[^\s/?#]*@)?([^\s/?#:@]+(?::\d+)?)[^\s]*/gi, (url, scheme, host) => {
      const end = /[:,;.)'"]+$/.exec(url)?.[0] ?? ''
      return `${scheme}://${host}${end}`
    })
    .replace(/(passphrase|password|playpath|streamid)=[^\s&]*/gi, '$1=***')
}

/** By system error code. */
const SYSTEM_CAUSES: Readonly<Record<string, readonly [connState: number, reason: Reason]>> = {
  ENETUNREACH: [CONNECTION_STATE.failed, 'network-fails'],
  EHOSTUNREACH: [CONNECTION_STATE.failed, 'network-fails'],
  ETIMEDOUT: [CONNECTION_STATE.tcpPortFailed, 'timed-out'],
  ECONNREFUSED: [CONNECTION_STATE.refused, 'call-refused'],
  ECONNRESET: [CONNECTION_STATE.disconnected, 'other-end']
}

export function systemFailure(error: NodeJS.ErrnoException & { hostname?: string; port?: number }): Failure {
  if (error instanceof NdiUnavailableError) return error.failure
  if (error instanceof ForbiddenAddressError) return creationFailure('forbidden')
  if (error instanceof InterfaceMissingError) return creationFailure(`interface-missing ${error.iface}`)
  if (error instanceof NotInstalledError) return creationFailure(`not-installed ${error.program}`)
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return failure(CONNECTION_STATE.nameNotFound, `name-unknown ${error.hostname ?? ''}`)
  // With TCP a single port can be unreachable. Datagrams have no connection that could fail.
  if (error.syscall === 'connect' && /^E(NET|HOST)UNREACH$/.test(error.code ?? ''))
    return failure(CONNECTION_STATE.tcpPortFailed, 'network-fails')
  if (error.code === 'EADDRINUSE' && error.port) return creationFailure(`port-taken ${error.port}`)
  // Ports below 1024 need a right that the engine does not have.
  if (error.code === 'EACCES' && (error.syscall === 'listen' || error.syscall === 'bind') && error.port)
    return creationFailure(`port-privileged ${error.port}`)
  if (error.code === 'ENOSPC') return creationFailure('storage-full')
  if (error.code === 'ENOMEM') return creationFailure('memory-full')
  const cause = SYSTEM_CAUSES[error.code ?? '']
  return cause ? failure(...cause) : creationFailure(`not-started ${error.message}`)
}

const creationFailure = (reason: Reason) => failure(CONNECTION_STATE.creationFailed, reason, SOURCE_STATE.addFailed)

/**
 * @param cause the value of `failed` in the report of the program
 * @returns undefined if the stderr of ffmpeg is more precise
 */
export function ndiFailure(cause: string): Failure | undefined {
  switch (cause) {
    case 'ffmpeg':
      return undefined
    case 'gone':
      return failure(CONNECTION_STATE.disconnected, 'ndi-offline', SOURCE_STATE.offline)
    case 'format':
      return failure(CONNECTION_STATE.streamFailed, 'codec-not-carried', SOURCE_STATE.unsupported)
    case 'processor':
      return failure(CONNECTION_STATE.creationFailed, 'ndi-processor', SOURCE_STATE.unsupported)
    default:
      return failure(CONNECTION_STATE.creationFailed, `ndi-unusable ${cause}`, SOURCE_STATE.unsupported)
  }
}
