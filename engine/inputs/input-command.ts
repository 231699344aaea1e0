// The ffmpeg command of an input, which writes MPEG-TS to stdout. MPEG-TS sources are copied byte for byte, without
// probing and with all streams; others are remuxed without decoding.
import { urlHost, withoutBrackets } from '../../contract/ipv6.ts'
import { isMulticast } from '../../contract/stream/address-policy.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import { listenAddress } from '../access/listen-address.ts'
import type { Verification } from '../interfaces/launcher.ts'
import type { InputCommand, SrtCall } from '../interfaces/legs.ts'
import type { DatagramSource } from '../interfaces/relay.ts'
import { bufferArgs } from '../mpegts/buffer-args.ts'

/** The SRT listener for a device that pushes. */
export interface PushTarget {
  host: string
  port: number
  passphrase: string
  /** Milliseconds. */
  latency: number
}

/** Converts milliseconds to microseconds, ffmpeg's unit for SRT latency and read timeouts. */
const toMicroseconds = (milliseconds: number) => String(milliseconds * 1000)
/** Milliseconds. */
const READ_TIMEOUT = 10_000
const CONNECT_TIMEOUT = 3000
const LOOPBACK = '127.0.0.1'

const LOG_ARGS = ['-hide_banner', '-nostdin', '-nostats', '-v', 'warning']
const COPY_ARGS = ['-map', '0', '-c', 'copy', '-f', 'data', '-flush_packets', '1', 'pipe:1']
/** All tracks of a source without programs. ffmpeg alone takes one of each kind. A cover picture is not video. */
const ALL_TRACKS = ['-map', '0:V?', '-map', '0:a?']
const remuxArgs = (buffer: number, tracks: readonly string[]) => [
  ...[...tracks, '-sn', '-dn', '-c', 'copy', '-f', 'mpegts', ...bufferArgs(buffer)],
  // Microseconds for which a track without data can delay the others.
  ...['-max_interleave_delta', '500000', '-flush_packets', '1', 'pipe:1']
]
/** Copies bytes: the `data` demuxer forwards its input, one datagram at a time. */
const copy = (url: string) => [
  ...['-probesize', '32', '-analyzeduration', '0', '-f', 'data', '-raw_packet_size', '1316', '-i', url, ...COPY_ARGS]
]
/** Remuxes, after 1 s of probing, which is enough to find the tracks of a live stream. */
const remux = (url: string, buffer = 0, tracks: readonly string[] = []) => [
  ...['-probesize', '1000000', '-analyzeduration', '1000000', '-i', url, ...remuxArgs(buffer, tracks)]
]

/** Protocols that ffmpeg may open for a URL scheme. They also restrict the entries of playlists. */
const PROTOCOL_WHITELIST: Readonly<Partial<Record<SourceUrl['scheme'], string>>> = {
  rtmp: 'rtmp,tcp',
  rtmps: 'rtmps,tls,tcp',
  srt: 'srt',
  rtsp: 'rtsp,rtp,udp,tcp',
  http: 'http,https,tls,tcp,crypto,httpproxy',
  https: 'http,https,tls,tcp,crypto,httpproxy'
}

/** Containers accepted over HTTP: of the formats that list other URLs, only HLS. */
const WEB_FORMATS = 'hls,mpegts,flv,mov,matroska,aac,mp3'

/** URL of an SRT listener for one device. It does not check the stream ID, because only the passphrase is secret. */
export function buildPushUrl({ host, port, passphrase, latency }: PushTarget): SourceUrl {
  return {
    protocol: SRT,
    scheme: 'srt',
    host,
    port,
    path: '',
    srt: { mode: 'listener', latency, streamId: '', passphrase }
  }
}

export const buildPushCommand = (target: PushTarget): InputCommand => buildInputCommand(buildPushUrl(target))

/** How the host of a URL is reached. */
export interface Route {
  /**
   * The address that the policy has allowed. It replaces the host name; for protocols that send the name to the other
   * end, it is instead the only address that ffmpeg can connect to.
   */
  address?: string
  /** Index of the variant of an HLS playlist whose tracks are received. Absent: the URL is not that of a playlist. */
  variant?: number
  /** URL of the HTTP proxy that applies the address policy. */
  proxy?: string
  /** As `DatagramSource.iface`. */
  iface?: string
}

/**
 * @param verification as `Launch.verification`
 * @throws Error if an RTMP login contains characters that ffmpeg cannot pass on
 */
export function buildInputCommand(source: SourceUrl, route: Route = {}, verification?: Verification): InputCommand {
  // RTMP, RTSP and HTTP send the host name to the other end.
  const isDatagram = source.scheme === 'srt' || source.scheme === 'udp' || source.scheme === 'rtp'
  const url = isDatagram ? { ...source, host: route.address ?? source.host } : source
  const address = `${urlHost(url.host)}:${url.port}`
  switch (url.scheme) {
    case 'srt':
      return srtCommand(url)
    case 'udp':
    case 'rtp':
      return {
        args: [],
        secrets: [],
        isListener: false,
        isConnectionless: true,
        datagrams: datagramSource(url, route.iface)
      }
    case 'rtsp': {
      const transport = [
        ...(url.tcpFirst ? ['-rtsp_flags', 'prefer_tcp'] : []),
        // Over UDP, ffmpeg waits that long for a packet that is missing.
        ...(url.buffer ? ['-max_delay', toMicroseconds(url.buffer)] : [])
      ]
      const target = `rtsp://${encodeLogin(url)}${address}${url.path}`
      const args = ['-timeout', toMicroseconds(READ_TIMEOUT), ...transport]
      return fetchCommand(url, args, target, route, { tracks: ALL_TRACKS })
    }
    case 'rtmp':
    case 'rtmps': {
      const target = `${url.scheme}://${rtmpLogin(url)}${address}${url.path}`
      const args = ['-rw_timeout', toMicroseconds(READ_TIMEOUT), '-rtmp_live', 'live']
      return fetchCommand(url, args, target, route, { ...(verification && { verification }) })
    }
    case 'http':
    case 'https':
      return httpCommand(url, `${url.scheme}://${encodeLogin(url)}${address}${url.path}`, route, verification)
  }
}

function command(url: SourceUrl, args: readonly string[]): InputCommand {
  const secrets = [url.password, url.srt?.passphrase, url.srt?.streamId, ...possibleKeys(url.path)]
  return {
    args: [...LOG_ARGS, '-protocol_whitelist', PROTOCOL_WHITELIST[url.scheme] ?? '', ...args],
    secrets: secrets.filter((secret) => secret !== undefined && secret !== '') as string[],
    isListener: false,
    isConnectionless: false,
    isRemuxed: url.scheme !== 'srt'
  }
}

function srtCommand(url: SourceUrl): InputCommand {
  const { host, port } = url
  const { mode = 'caller', latency = 120, streamId = '', passphrase = '', keyLength = 0 } = url.srt ?? {}
  const isListener = mode === 'listener'
  // Both ends of a rendezvous are alike, so neither sends a stream ID.
  const sentId = mode === 'caller' ? streamId : ''
  const options = ['-mode', mode, '-latency', toMicroseconds(latency), '-connect_timeout', String(CONNECT_TIMEOUT)]
  if (passphrase !== '') options.push('-passphrase', passphrase)
  if (passphrase !== '' && keyLength) options.push('-pbkeylen', String(keyLength))
  // The option of the protocol: plain `-streamid` means something else to ffmpeg.
  if (sentId !== '') options.push('-srt_streamid', sentId)
  const localPort = mode === 'rendezvous' ? (url.srt?.localPort ?? port) : 0
  const secrets = { streamId: sentId, passphrase, keyLength }
  const srtCall: SrtCall = { isReceiver: true, host, port, ...secrets, latency, overhead: 0, localPort }
  return {
    ...command(url, [...options, ...copy(`srt://${urlHost(host)}:${port}`)]),
    isListener,
    hiddenArgs: [passphrase, sentId].filter((secret) => secret !== ''),
    ...(!isListener && { srtCall })
  }
}

/** A command whose target URL is hidden and whose host resolves only to the allowed address. */
function fetchCommand(
  url: SourceUrl,
  args: readonly string[],
  target: string,
  { address }: Pick<Route, 'address'>,
  { verification, tracks }: { verification?: Verification; tracks?: readonly string[] }
): InputCommand {
  return {
    ...command(url, [...(verification ? verifyArgs(url.scheme) : []), ...args, ...remux(target, url.buffer, tracks)]),
    hiddenArgs: [target],
    ...(verification && { verification }),
    allowedHosts: address === undefined ? {} : { [url.host]: address }
  }
}

function httpCommand(
  url: SourceUrl,
  target: string,
  { proxy, variant }: Route,
  verification: Verification | undefined
): InputCommand {
  const args = [
    ...['-rw_timeout', toMicroseconds(READ_TIMEOUT), '-format_whitelist', WEB_FORMATS],
    ...(proxy ? ['-http_proxy', proxy] : []),
    // The clock of a playlist may jump at an advertisement and at the return from it; ffmpeg continues it from 1 s on.
    ...['-dts_delta_threshold', '1'],
    // In real time, because a file, or the segments of a playlist, would otherwise be read at once.
    '-re'
  ]
  return {
    ...fetchCommand(
      url,
      args,
      target,
      {},
      {
        ...(verification && { verification }),
        // ffmpeg makes a program of each variant.
        ...(variant !== undefined && { tracks: ['-map', `0:p:${variant}`] })
      }
    ),
    // ffmpeg can only connect to the proxy.
    ...(proxy && { allowedHosts: { [withoutBrackets(new URL(proxy).hostname)]: new URL(proxy).host } })
  }
}

/**
 * ffmpeg's own verification of the first connection, which is independent of the preloaded library that verifies all of
 * them. ffmpeg refuses the option for a URL without TLS.
 */
export const verifyArgs = (scheme: SourceUrl['scheme']): string[] =>
  scheme === 'rtmps' || scheme === 'https' ? ['-tls_verify', '1'] : []

/** Where datagrams are received: a multicast group, or a port at all addresses or at a loopback address. */
function datagramSource({ scheme, host, port, group }: SourceUrl, iface: string | undefined): DatagramSource {
  const isLocal = host === '127.0.0.1' || host === 'localhost'
  return {
    address: isMulticast(host) ? host : host === '::1' ? host : isLocal ? LOOPBACK : listenAddress('::'),
    port,
    rtp: scheme === 'rtp',
    ...(iface !== undefined && { iface }),
    ...(group?.source && { sender: group.source })
  }
}

/**
 * Minimum characters of a part of a path that is masked as a possible key; shorter ones could be words of a message.
 */
const KEY_MIN = 8
const possibleKeys = (path: string) => path.split(/[/?&=;,]/).filter((part) => part.length >= KEY_MIN)

/** The login of HTTP and RTSP, percent-encoded, because ffmpeg decodes it. */
function encodeLogin({ user, password }: SourceUrl): string {
  return user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
}

/**
 * The login of RTMP, which ffmpeg does not decode.
 * @throws Error if it contains a character that ends the authority of a URL
 */
export function rtmpLogin({
  user,
  password = ''
}: {
  user?: string | undefined
  password?: string | undefined
}): string {
  if (user === undefined || user === '') return ''
  if (/[\s/?#:@]/.test(user) || /[\s/?#@]/.test(password))
    throw new Error('An RTMP login cannot contain a slash, ?, #, @ or space')
  return `${user}:${password}@`
}
