// Why a process ended, from what it said on stderr. ffmpeg exits 0 when its source dies, so an exit code explains nothing.
import { NOT_IMPLEMENTED, UNSUPPORTED } from '../../contract/codes.ts'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'

export interface Failure {
  /** `SOURCE` */
  state: number
  /** `CONNECTION` */
  connState: number
  /** Without secrets. */
  reason: Reason
}

export function failure(connState: number, reason: Reason, state: number = SOURCE.failed): Failure {
  return { state, connState, reason }
}

/** What the process was doing: the same words mean different things. */
export interface Circumstances {
  /** It had carried media or held a connection. */
  opened: boolean
  /** It calls over SRT, where a peer that is not there simply does not answer. */
  srtCaller: boolean
  /** Strings that must not appear in what is said. */
  secrets: readonly string[]
}

/** First match wins, so causes come before their consequences. Words of ffmpeg 5.1 with libsrt 1.5, checked against it. */
const CAUSES: readonly [RegExp, number, number?][] = [
  [/BADSECRET|ERROR:UNSECURE|Incorrect passphrase|Password required or unexpected/, CONNECTION.notAuthorized],
  [
    /\b401\b|\b403 Forbidden|authorization failed|access denied|Authentication failed|authmod=/i,
    CONNECTION.notAuthorized
  ],
  [
    /Failed to resolve hostname|Name or service not known|Temporary failure in name resolution/,
    CONNECTION.nameNotFound
  ],
  [/Address already in use|Cannot assign requested address|bind failed/, CONNECTION.creationFailed, SOURCE.addFailed],
  [
    /not currently supported in container|codec (\S+ )?not compatible|incompatible with output codec|not supported in FLV/i,
    CONNECTION.streamFailed,
    SOURCE.unsupported
  ],
  [/Connection refused|REJECT reported/, CONNECTION.refused],
  [/tcp:.*(timed out|No route to host|Network is unreachable)/, CONNECTION.tcpPortFailed],
  [/No route to host|Network is unreachable|timed out/, CONNECTION.failed],
  [/handshake|TLS|certificate|Server response validating failed/i, CONNECTION.handshakeFailed],
  [
    /Server error:|Server returned|HTTP error|Invalid data found|method .* failed|Could not (find codec|write header)|not in the whitelist|not on whitelist/i,
    CONNECTION.streamFailed
  ],
  [/Connection reset by peer|Broken pipe|Connection was broken/, CONNECTION.disconnected]
]

/**
 * What those lines mean, so that it can be said in either language; a value is what the brackets hold. What is not here says more in its own
 * words: what a server or a certificate is about.
 */
const MEANINGS: readonly [RegExp, ReasonCode][] = [
  [/BADSECRET|ERROR:UNSECURE|Incorrect passphrase|Password required or unexpected/, 'passphrase-refused'],
  [/\b401\b|authorization failed|Authentication failed|authmod=/i, 'login-refused'],
  [/\b403 Forbidden|access denied/i, 'not-allowed'],
  [/Failed to resolve hostname ([^\s:]+)/, 'name-unknown'],
  [/Connection refused/, 'call-refused'],
  [/No route to host|Network is unreachable/, 'network-fails'],
  [/timed out/, 'timed-out'],
  [/handshake|Server response validating failed/i, 'handshake-failed'],
  [/(?:Server returned|HTTP error) ([45]\w\w)\b/, 'server-error'],
  [/Invalid data found/, 'not-a-stream'],
  [/Connection reset by peer|Broken pipe|Connection was broken/, 'other-end'],
  [/^rtmps?:.*Input\/output error/, 'stream-refused']
]

/** A line of the program's as a reason. */
function meaning(line: string, secrets: readonly string[]): Reason {
  const said = scrub(line, secrets)
  for (const [words, key] of MEANINGS) {
    const found = words.exec(said)
    if (found) return found[1] === undefined ? key : `${key} ${found[1]}`
  }
  return `said ${said}`
}

/** Of ffmpeg into which the library that hides arguments (engines/veil) could not be loaded. */
const UNVEILED = /^hidden:\d|headend-hide-args.*cannot be preloaded/
/** Of that library: a server led to an address that was not judged. */
const LED_AWAY = /^headend-hide-args: it was led/

/** A failure to show for a process that ended by itself. */
export function explain(lines: readonly string[], { opened, srtCaller, secrets }: Circumstances): Failure {
  if (lines.some((line) => UNVEILED.test(line)))
    return failure(CONNECTION.creationFailed, 'not-veiled', SOURCE.addFailed)
  if (lines.some((line) => LED_AWAY.test(line)))
    return failure(CONNECTION.creationFailed, 'forbidden', SOURCE.addFailed)
  for (const [words, connState, state] of CAUSES) {
    const line = lines.find((each) => words.test(each))
    if (line !== undefined)
      return failure(connState, state === SOURCE.unsupported ? 'codec-not-carried' : meaning(line, secrets), state)
  }
  if (opened) return failure(CONNECTION.disconnected, 'other-end')
  const last = lines.at(-1)
  if (srtCaller && last?.includes('Input/output error')) return failure(CONNECTION.failed, 'no-answer')
  if (last?.includes('Input/output error')) return failure(CONNECTION.streamFailed, meaning(last, secrets))
  return failure(CONNECTION.failed, last === undefined ? 'ended-silently' : `said ${scrub(last, secrets)}`)
}

/**
 * Why a device does not do what it was asked for: its answer's code where it gave one, else what it said.
 * @param cannot what is said of one that knows nothing of it
 */
export function orderFailure(
  error: Error & { code?: unknown },
  secrets: readonly string[],
  cannot: Reason = 'device-cannot-push'
): Failure {
  if (error.code === NOT_IMPLEMENTED) return failure(CONNECTION.failed, 'firmware-too-old', SOURCE.firmwareTooOld)
  if (error.code === UNSUPPORTED) return failure(CONNECTION.failed, cannot, SOURCE.unsupported)
  return failure(CONNECTION.failed, `device-refuses ${scrub(error.message, secrets)}`)
}

/**
 * A line of stderr as it may leave the engine: URLs cut down to scheme, host and port (what follows may hold keys, what precedes
 * passwords), known secrets masked, addresses of ffmpeg's own objects dropped.
 */
export function scrub(line: string, secrets: readonly string[]): string {
  let text = line.replace(/^(\[[^\]]*\] ?)+/, '').replace(/^\d\d:\d\d:\d\d\.\d+\/\S+ /, '')
  // Before URLs are cut, so that a secret with a space in it does not survive behind one; longest first, as one may hold another.
  const known = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((secret) => secret !== '')
  for (const secret of known.sort((a, b) => b.length - a.length)) text = text.replaceAll(secret, '***')
  return text
    .replace(/\b([a-z]+):\/\/(?:[^\s/?#]*@)?([^\s/?#:@]+(?::\d+)?)[^\s]*/gi, (url, scheme, host) => {
      const end = /[:,;.)'"]+$/.exec(url)?.[0] ?? ''
      return `${scheme}://${host}${end}`
    })
    .replace(/(passphrase|password|playpath|streamid)=[^\s&]*/gi, '$1=***')
    .slice(0, 200)
}
