// The ffmpeg command of an input: everything comes out as MPEG-TS on stdout. What is MPEG-TS already passes byte for byte,
// without probing and with all its streams; the rest is put into MPEG-TS without decoding.
import { SRT } from '../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { LegObserved } from '../interfaces/channel.ts'
import type { Failure } from '../process/failure.ts'
import type { SrtCall } from '../srt/caller.ts'

export interface InputCommand {
  args: string[]
  /** As `Launch.hides`: every part of an address may be a login or a key. */
  hides?: string[]
  /** As `Launch.places`. */
  places?: Readonly<Record<string, string>>
  /** Strings that must not leave the engine. */
  secrets: string[]
  /** It waits until someone calls; silence is no failure. */
  listens: boolean
  /** Without a connection (UDP, RTP): silence tells nothing of the other end. */
  connectionless: boolean
  /** It is put into MPEG-TS anew, whose counters then say nothing of what came. */
  remuxes?: boolean
  /** Why it could not be had, where that is known better than by what ffmpeg says. */
  failure?(): Failure | undefined
  /** It ended because what came became something else: no failure. */
  another?(): boolean
  /** How it is while it is waited for what comes, where that is known. */
  trouble?(): Pick<LegObserved, 'state' | 'connState' | 'reason'> | undefined
  /** The same as a call over SRT. */
  call?: SrtCall
}

/** Where a device is to push to. */
export interface PushTarget {
  host: string
  port: number
  passphrase: string
  /** Milliseconds. */
  latency: number
}

/** Microseconds: ffmpeg's units for SRT latency and for time-outs of reading. */
const micro = (milliseconds: number) => String(milliseconds * 1000)
const READ_TIMEOUT = 10_000
/** Where our proxies are. */
const LOOPBACK = '127.0.0.1'
/** The longest time SRT, UDP and others wait for the other end to answer, in milliseconds. */
const CONNECT_TIMEOUT = 3000

const QUIET = ['-hide_banner', '-nostdin', '-nostats', '-v', 'warning']
const PASS_ON = ['-map', '0', '-c', 'copy', '-f', 'data', '-flush_packets', '1', 'pipe:1']
const REMUX = [
  ...['-sn', '-dn', '-c', 'copy', '-f', 'mpegts', '-muxdelay', '0', '-muxpreload', '0'],
  // Microseconds: a track that falls silent holds the others up for no longer than this.
  ...['-max_interleave_delta', '500000', '-flush_packets', '1', 'pipe:1']
]
/** The `data` demuxer hands on what it reads, one datagram at a time. */
const raw = (url: string) => [
  ...['-probesize', '32', '-analyzeduration', '0', '-f', 'data', '-raw_packet_size', '1316', '-i', url, ...PASS_ON]
]
/** One second of probing finds every track of a live stream; the default of 5 is waiting. */
const remux = (url: string) => ['-probesize', '1000000', '-analyzeduration', '1000000', '-i', url, ...REMUX]

/** What ffmpeg may open for a scheme; a playlist can name only what is listed here. */
const ALLOWED: Readonly<Record<SourceUrl['scheme'], string>> = {
  rtmp: 'rtmp,tcp',
  rtmps: 'rtmps,tls,tcp',
  srt: 'srt',
  udp: 'udp',
  rtp: 'rtp,udp',
  rtsp: 'rtsp,rtp,udp,tcp',
  http: 'http,https,tls,tcp,crypto,httpproxy',
  https: 'http,https,tls,tcp,crypto,httpproxy'
}

/** Containers taken from a web server: no format that is a list of further addresses except HLS. */
const WEB_FORMATS = 'hls,mpegts,flv,mov,matroska,aac,mp3'

/** An SRT listener for one device. The stream id of its order is no secret, and not asked for. */
export function pushUrl({ host, port, passphrase, latency }: PushTarget): SourceUrl {
  return {
    protocol: SRT,
    scheme: 'srt',
    host,
    port,
    path: '',
    srt: { mode: 'listener', latency, streamId: '', passphrase }
  }
}

export const pushCommand = (target: PushTarget): InputCommand => inputCommand(pushUrl(target))

/** How a URL is gone to. */
export interface Way {
  /** The address that was judged. It takes the place of the host's name, or is all that is gone to where the other end must hear the name. */
  address?: string
  /** URL of the proxy that judges where an HTTP source leads. */
  proxy?: string
  /** Address of the interface at which a group is joined. */
  iface?: string
}

/**
 * @throws Error for a login that cannot be carried in this kind of URL
 */
export function inputCommand(given: SourceUrl, { address, proxy, iface }: Way = {}): InputCommand {
  const { scheme } = given
  // RTMP and RTSP tell the other end by which name they came.
  const named = scheme !== 'srt' && scheme !== 'udp' && scheme !== 'rtp'
  const url = named ? given : { ...given, host: address ?? given.host }
  const before = [...QUIET, '-protocol_whitelist', ALLOWED[scheme]]
  const at = `${url.host}:${url.port}`
  const secrets = [url.password, url.srt?.passphrase, url.srt?.streamId, ...keysIn(url.path)].filter(
    (each) => each !== undefined && each !== ''
  )
  const command = (args: string[], listens = false, connectionless = false): InputCommand => ({
    args: [...before, ...args],
    secrets: secrets as string[],
    listens,
    connectionless,
    remuxes: scheme !== 'srt' && scheme !== 'udp'
  })
  const fetched = (args: string[], target: string, places: InputCommand['places']): InputCommand => ({
    ...command([...args, ...remux(target)]),
    hides: [target],
    places: places ?? {}
  })
  const place = address === undefined ? undefined : { [url.host]: address }
  switch (scheme) {
    case 'srt': {
      const { mode = 'caller', latency = 120, streamId = '', passphrase = '', keyLength = 0 } = url.srt ?? {}
      const options = ['-mode', mode, '-latency', micro(latency), '-connect_timeout', String(CONNECT_TIMEOUT)]
      if (passphrase !== '') options.push('-passphrase', passphrase)
      if (passphrase !== '' && keyLength) options.push('-pbkeylen', String(keyLength))
      // As an option of the protocol: plain `-streamid` is something else to ffmpeg.
      if (streamId !== '' && mode === 'caller') options.push('-srt_streamid', streamId)
      const made = command([...options, ...raw(`srt://${at}`)], mode === 'listener')
      const { host, port } = url
      const call: SrtCall = { receives: true, host, port, streamId, passphrase, keyLength, latency, overhead: 0 }
      const hides = [passphrase, mode === 'caller' ? streamId : ''].filter((secret) => secret !== '')
      return { ...made, hides, ...(mode === 'caller' && { call }) }
    }
    case 'udp':
      return command(raw(`udp://${at}?${datagrams(url, iface)}`), false, true)
    case 'rtp':
      return command(remux(`rtp://${at}?${datagrams(url, iface)}`), false, true)
    case 'rtsp': {
      const first = url.tcpFirst ? ['-rtsp_flags', 'prefer_tcp'] : []
      const target = `rtsp://${login(url)}${at}${url.path}`
      return fetched(['-timeout', micro(READ_TIMEOUT), ...first], target, place)
    }
    case 'rtmp':
    case 'rtmps':
      return fetched(
        ['-rw_timeout', micro(READ_TIMEOUT), '-rtmp_live', 'live'],
        `${scheme}://${rtmpLogin(url)}${at}${url.path}`,
        place
      )
    case 'http':
    case 'https':
      return fetched(
        [
          ...['-rw_timeout', micro(READ_TIMEOUT), '-format_whitelist', WEB_FORMATS],
          ...(proxy ? ['-http_proxy', proxy] : []),
          // At its own pace: a file, or the segments a playlist holds in store, would come all at once.
          '-re'
        ],
        `${scheme}://${login(url)}${at}${url.path}`,
        // Nowhere but through the proxy.
        proxy ? { [LOOPBACK]: new URL(proxy).host } : undefined
      )
  }
}

/** Options of UDP: kept out of trouble by a large buffer, and ended by silence so that a multicast group is joined anew. */
function datagrams(url: SourceUrl, iface: string | undefined): string {
  const local = iface ?? (url.host === '127.0.0.1' || url.host === 'localhost' ? '127.0.0.1' : undefined)
  const source = url.group?.source
  const more = `${local ? `&localaddr=${local}` : ''}${source ? `&sources=${source}` : ''}`
  return url.scheme === 'udp'
    ? `timeout=${micro(READ_TIMEOUT)}&fifo_size=${FIFO_PACKETS}&overrun_nonfatal=1&buffer_size=${SOCKET_BUFFER}${more}`
    : `buffer_size=${SOCKET_BUFFER}${more}`
}
/** Packets of 188 bytes: 10 MB, two seconds of 40 Mbps. */
const FIFO_PACKETS = 56_000
/** Bytes. */
const SOCKET_BUFFER = 1 << 20

/** What of a path may be a key, and is long enough to be none of the words of a message. */
const keysIn = (path: string) => path.split(/[/?&=;,]/).filter((part) => part.length >= KEY_MIN)
/** Characters. */
const KEY_MIN = 8

/** ffmpeg decodes the login of HTTP and RTSP. */
function login({ user, password }: SourceUrl): string {
  return user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
}

/** ffmpeg takes the login of RTMP as it stands, so what ends an authority cannot be in it. */
export function rtmpLogin({
  user,
  password = ''
}: {
  user?: string | undefined
  password?: string | undefined
}): string {
  if (user === undefined || user === '') return ''
  if (/[\s/?#:@]/.test(user) || /[\s/?#@]/.test(password))
    throw new Error('an RTMP login cannot hold a slash, ?, #, @ or space')
  return `${user}:${password}@`
}
