// The command of an output that a process carries: MPEG-TS from stdin to a target. SRT is copied byte for byte, RTMP is
// remuxed. Secrets are options in a private file (`Launch.privateFile`), except the RTMP login, which ffmpeg accepts
// only in the URL; that URL is hidden.
import { urlHost } from '../../contract/ipv6.ts'
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import { type RTMP, SRT } from '../../contract/stream/protocols.ts'
import type { RtmpOutput, SrtOutput } from '../../contract/stream/source.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import { targetHost } from '../../contract/stream/stream-hosts.ts'
import { rtmpLogin, verifyArgs } from '../inputs/input-command.ts'
import type { WantedOutput } from '../interfaces/channel.ts'
import type { Launch, Verification } from '../interfaces/launcher.ts'
import type { HostLookup } from '../interfaces/leg-parts.ts'
import type { SrtCall } from '../interfaces/legs.ts'
import { verificationOf } from '../process/verification.ts'

/** An output that a process carries. */
export type ProcessOutputConfig = Extract<WantedOutput, { protocol: typeof RTMP | typeof SRT }>

export interface OutputCommand {
  args: string[]
  privateFile: string
  /** As `Launch.hiddenArgs`. */
  hiddenArgs?: string[]
  /** As `Launch.verification`. */
  verification?: Verification
  /** Strings that must not leave the engine. */
  secrets: string[]
  /** It waits for a player, so silence is not a failure, and the player can leave. */
  isListener: boolean
  /** It copies bytes. It need not be started with the beginning of a stream, and null packets keep it active. */
  isPassthrough: boolean
  /** The same connection for `headend-srt`. */
  srtCall?: SrtCall
}

const LOG_ARGS = ['-hide_banner', '-nostdin', '-nostats', '-v', 'warning']
const PROGRESS_ARGS = ['-progress', 'pipe:3', '-stats_period', '0.5']
const PRIVATE_FILE_ARGS = ['-fpre', '/dev/fd/4']
const KEY_BYTES = { disable: 0, 'aes-128': 16, 'aes-192': 24, 'aes-256': 32 } as const

/**
 * Milliseconds for which a stream is probed for RTMP, by the number of attempts that failed because probing was too
 * short.
 */
const PROBE_TIMES = [1000, 3000, 5000] as const
/** Characters of a line in ffmpeg's options file, which reads at most 1000. */
const OPTION_LINE_MAX = 900

/**
 * @param bindHost address at which SRT listens
 * @param shortProbes number of attempts that failed because probing was too short
 * @throws Error if the configuration cannot be expressed as a command
 */
export function buildOutputCommand(output: ProcessOutputConfig, bindHost: string, shortProbes = 0): OutputCommand {
  return output.protocol === SRT ? srtCommand(output.config, bindHost) : rtmpCommand(output.config, shortProbes)
}

/**
 * Replaces the target host by the address that the policy has allowed. RTMP keeps the name, because it is sent to the
 * other end.
 */
function withTargetAddress(output: ProcessOutputConfig, address: string): ProcessOutputConfig {
  return output.protocol === SRT ? { ...output, config: { ...output.config, 'dst-ip': address } } : output
}

function srtCommand(config: SrtOutput, bindHost: string): OutputCommand {
  const isListener = config.mode === 'listener'
  const [host, port] = isListener ? [bindHost, config['bind-port']] : [config['dst-ip'], config['dst-port']]
  if (!host || !port || !/^[\w.:-]+$/.test(host)) throw new Error('The target has no address')
  const keyLength = KEY_BYTES[config.enc ?? 'disable']
  if (keyLength > 0 && !config.passphrase) throw new Error('Encryption is on, but there is no passphrase')
  const srtCall: SrtCall = {
    isReceiver: false,
    host,
    port,
    // Both ends of a rendezvous are alike, so neither sends a stream ID.
    streamId: config.mode === 'rendezvous' ? '' : (config['stream-id'] ?? ''),
    passphrase: keyLength > 0 ? (config.passphrase ?? '') : '',
    keyLength,
    latency: config.latency ?? LATENCY_DEFAULT,
    overhead: config.bandwidth ?? 0,
    localPort: config.mode === 'rendezvous' ? (config['bind-port'] ?? port) : 0
  }
  return {
    args: [
      ...[...LOG_ARGS, ...PROGRESS_ARGS],
      ...['-probesize', '32', '-analyzeduration', '0', '-f', 'data', '-raw_packet_size', '1316', '-i', 'pipe:0'],
      ...['-map', '0', '-c', 'copy', ...PRIVATE_FILE_ARGS, '-protocol_whitelist', 'srt'],
      // Without flushing, each SRT message is filled with seven whole packets.
      ...['-f', 'data', '-flush_packets', '0'],
      `srt://${urlHost(host)}:${port}?mode=${config.mode}&pkt_size=1316`
    ],
    privateFile: optionLines(srtOptions(srtCall, isListener)),
    secrets: [config.passphrase, config['stream-id']].filter((secret) => secret !== undefined),
    isListener,
    isPassthrough: true,
    ...(!isListener && { srtCall })
  }
}

/** ffmpeg's options of SRT. */
function srtOptions(call: SrtCall, isListener: boolean): Record<string, string | number> {
  const { passphrase, keyLength, streamId, overhead, latency } = call
  return {
    ...(passphrase && { passphrase, pbkeylen: keyLength }),
    ...(streamId && !isListener && { srt_streamid: streamId }),
    // The default of SRT is unlimited bandwidth.
    ...(overhead > 0 && { maxbw: 0, oheadbw: overhead }),
    // Microseconds.
    latency: latency * 1000
  }
}

function rtmpCommand(config: RtmpOutput, shortProbes: number): OutputCommand {
  const url = parseSourceUrl(config.url)
  if (isFault(url) || (url.scheme !== 'rtmp' && url.scheme !== 'rtmps')) throw new Error('The URL is not an RTMP URL')
  const [app, key] = splitPath(url.path, config.key)
  const user = config['enable-auth'] ? config.username : url.user
  const password = config['enable-auth'] ? config.password : url.password
  const probeTime = PROBE_TIMES[Math.min(shortProbes, PROBE_TIMES.length - 1)] ?? 1000
  const target = `${url.scheme}://${rtmpLogin({ user, password })}${urlHost(url.host)}:${url.port}/`
  const verification = url.scheme === 'rtmps' ? verificationOf(url.host, config) : undefined
  return {
    args: [
      ...[...LOG_ARGS, ...PROGRESS_ARGS],
      ...['-probesize', '5000000', '-analyzeduration', String(probeTime * 1000), '-fpsprobesize', '0', '-f', 'mpegts'],
      ...['-i', 'pipe:0', '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy', ...PRIVATE_FILE_ARGS],
      ...['-protocol_whitelist', url.scheme === 'rtmp' ? 'rtmp,tcp' : 'rtmps,tls,tcp', '-rw_timeout', '10000000'],
      ...(verification ? verifyArgs(url.scheme) : []),
      ...['-f', 'flv', '-flvflags', 'no_duration_filesize'],
      target
    ],
    hiddenArgs: [target],
    ...(verification && { verification }),
    privateFile: optionLines({ rtmp_app: app, ...(key && { rtmp_playpath: key }) }),
    secrets: [key, password ?? '', ...app.split('?').slice(1)].filter((secret) => secret !== ''),
    isListener: false,
    isPassthrough: false
  }
}

/** The application and the stream key of an RTMP URL. Without a separate key, the last part of the path is the key. */
function splitPath(urlPath: string, key: string | undefined): [app: string, key: string] {
  const path = urlPath.slice(1).replace(/\/$/, '')
  const end = key ? path.length : path.lastIndexOf('/')
  return end < 0 ? [path, ''] : [path.slice(0, end), key ?? path.slice(end + 1)]
}

/** @throws Error if ffmpeg could not read a line */
function optionLines(options: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(options).map(([name, value]) => `${name}=${value}\n`)
  if (lines.some((line) => line.length > OPTION_LINE_MAX || /\p{Cc}/u.test(line.slice(0, -1))))
    throw new Error('A key or passphrase is too long or contains a character that cannot be sent')
  return lines.join('')
}

interface ResolvedTarget {
  output: ProcessOutputConfig
  /** As `Launch.allowedHosts`. */
  allowedHosts: NonNullable<Launch['allowedHosts']>
}

/**
 * Applies the address policy to the target of an output.
 * @throws as `HostLookup.resolveHost`
 */
export async function resolveTarget(wanted: ProcessOutputConfig, { resolveHost }: HostLookup): Promise<ResolvedTarget> {
  const host = targetHost(wanted)
  if (host === undefined) return { output: wanted, allowedHosts: {} }
  const address = await resolveHost(host)
  return { output: withTargetAddress(wanted, address), allowedHosts: { [host]: address } }
}
