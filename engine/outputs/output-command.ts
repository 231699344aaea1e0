// The ffmpeg command of an output: MPEG-TS from stdin to a target. SRT carries it byte for byte; RTMP is remuxed.
// Secrets are options in a private file (see `Launch.preset`), except the login of RTMP, which ffmpeg knows only in the URL: that is hidden.
import { RTMP, RTP, SRT, UDP } from '../../contract/stream/protocols.ts'
import type { RtmpOutput, SrtOutput } from '../../contract/stream/source.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import { rtmpLogin } from '../inputs/input-command.ts'
import type { WantedOutput } from '../interfaces/channel.ts'
import type { SrtCall } from '../srt/caller.ts'

/** What a process carries. */
export type ProcessOutput = Extract<WantedOutput, { protocol: typeof RTMP | typeof SRT }>

export interface OutputCommand {
  args: string[]
  preset: string
  /** As `Launch.hides`. */
  hides?: string[]
  secrets: string[]
  /** It waits for a client: nothing to fail, and its client may leave. */
  listens: boolean
  /** It passes bytes on unread: it need not be shown the beginning of the stream, and null packets keep it moving. */
  raw: boolean
  /** The same as a call over SRT. */
  call?: SrtCall
}

const QUIET = ['-hide_banner', '-nostdin', '-nostats', '-v', 'warning', '-progress', 'pipe:3', '-stats_period', '0.5']
const PRESET = ['-fpre', '/dev/fd/4']
const KEY_BYTES = { disable: 0, 'aes-128': 16, 'aes-192': 24, 'aes-256': 32 } as const
/** Milliseconds for which RTMP is probed, by the number of tries that failed because it was too short. */
const PROBING = [1000, 3000, 5000] as const

/**
 * @param bindHost address for SRT listeners
 * @param tries tries that failed because probing was too short
 * @throws Error for a target that cannot be made into a command
 */
export function outputCommand(output: ProcessOutput, bindHost: string, tries = 0): OutputCommand {
  return output.protocol === SRT ? srt(output.config, bindHost) : rtmp(output.config, tries)
}

/** The host that a push goes to; undefined where the other end comes to us. */
export function targetHost({ protocol, config }: WantedOutput): string | undefined {
  if (protocol === UDP || protocol === RTP) return config['dst-ip']
  if (protocol === SRT) return config.mode === 'caller' ? config['dst-ip'] : undefined
  const url = protocol === RTMP ? parseSourceUrl(config.url) : undefined
  return url && !isFault(url) ? url.host : undefined
}

/** The same push, to the address that was judged where the other end need not know its name. */
export function toAddress(output: ProcessOutput, address: string): ProcessOutput {
  return output.protocol === SRT ? { ...output, config: { ...output.config, 'dst-ip': address } } : output
}

function srt(config: SrtOutput, bindHost: string): OutputCommand {
  const listens = config.mode === 'listener'
  const [host, port] = listens ? [bindHost, config['bind-port']] : [config['dst-ip'], config['dst-port']]
  if (!host || !port || !/^[\w.-]+$/.test(host)) throw new Error('the target has no address')
  const options: Record<string, string | number> = {}
  const keyBytes = KEY_BYTES[config.enc ?? 'disable']
  if (keyBytes > 0 && config.passphrase) Object.assign(options, { passphrase: config.passphrase, pbkeylen: keyBytes })
  if (keyBytes > 0 && !config.passphrase) throw new Error('encryption is on but there is no passphrase')
  if (config['stream-id'] && !listens) options.srt_streamid = config['stream-id']
  // Without a word of it SRT sends as fast as it must.
  const overhead = config.bandwidth ?? 0
  if (overhead > 0) Object.assign(options, { maxbw: 0, oheadbw: overhead })
  // Microseconds.
  options.latency = (config.latency ?? 120) * 1000
  const streamId = config['stream-id'] ?? ''
  const passphrase = keyBytes > 0 ? (config.passphrase ?? '') : ''
  const latency = config.latency ?? 120
  const call: SrtCall = { receives: false, host, port, streamId, passphrase, keyLength: keyBytes, latency, overhead }
  return {
    args: [
      ...QUIET,
      ...['-probesize', '32', '-analyzeduration', '0', '-f', 'data', '-raw_packet_size', '1316', '-i', 'pipe:0'],
      ...['-map', '0', '-c', 'copy', ...PRESET, '-protocol_whitelist', 'srt'],
      // Written when a whole SRT message is full, so that each holds seven whole packets.
      ...['-f', 'data', '-flush_packets', '0'],
      `srt://${host}:${port}?mode=${listens ? 'listener' : 'caller'}&pkt_size=1316`
    ],
    preset: lines(options),
    secrets: [config.passphrase, config['stream-id']].filter((each) => each !== undefined),
    listens,
    raw: true,
    ...(!listens && { call })
  }
}

function rtmp(config: RtmpOutput, tries: number): OutputCommand {
  const url = parseSourceUrl(config.url)
  if (isFault(url) || (url.scheme !== 'rtmp' && url.scheme !== 'rtmps')) throw new Error('the URL is not one of RTMP')
  const path = url.path.slice(1).replace(/\/$/, '')
  // Without a key of its own the last part of the path is the key.
  const cut = config.key ? path.length : path.lastIndexOf('/')
  const [app, key] = cut < 0 ? [path, ''] : [path.slice(0, cut), config.key ?? path.slice(cut + 1)]
  const user = config['enable-auth'] ? config.username : url.user
  const password = config['enable-auth'] ? config.password : url.password
  const probing = PROBING[Math.min(tries, PROBING.length - 1)] ?? 1000
  const target = `${url.scheme}://${rtmpLogin({ user, password })}${url.host}:${url.port}/`
  return {
    args: [
      ...QUIET,
      ...['-probesize', '5000000', '-analyzeduration', String(probing * 1000), '-fpsprobesize', '0', '-f', 'mpegts'],
      ...['-i', 'pipe:0', '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy', ...PRESET],
      ...['-protocol_whitelist', url.scheme === 'rtmp' ? 'rtmp,tcp' : 'rtmps,tls,tcp', '-rw_timeout', '10000000'],
      ...['-f', 'flv', '-flvflags', 'no_duration_filesize'],
      target
    ],
    hides: [target],
    preset: lines({ rtmp_app: app, ...(key && { rtmp_playpath: key }) }),
    secrets: [key, password ?? '', ...app.split('?').slice(1)].filter((each) => each !== ''),
    listens: false,
    raw: false
  }
}

function lines(options: Readonly<Record<string, string | number>>): string {
  const text = Object.entries(options).map(([name, value]) => `${name}=${value}\n`)
  if (text.some((line) => line.length > 900 || /\p{Cc}/u.test(line.slice(0, -1))))
    throw new Error('a key or passphrase is too long or holds a character that cannot be sent')
  return text.join('')
}
