// Configuration of outputs by protocol: the stored and the visible form, the address, the target and the port.
import { INVALID_ARG } from '../../../contract/codes.ts'
import { ipv6Text, urlHost } from '../../../contract/ipv6.ts'
import { AUDIO_SETTINGS, hiddenOutputSettings } from '../../../contract/stream/output-settings.schema.ts'
import { failUnknownProtocol, HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../../../contract/stream/protocols.ts'
import type {
  AddOutputRequest,
  AudioOutput,
  OutputConfig,
  PlaybackOutput,
  RtspOutput,
  TypedOutput
} from '../../../contract/stream/source.ts'
import { CallError } from '../../http/handler.ts'
import { newStreamKey } from '../../store/channels.ts'
import type { OutputRow } from '../../store/sources.ts'
import { type NdiNameParts, ndiAddress } from '../ndi-names.ts'
import { storedCertificateCheck } from './certificate-settings.ts'
import { MASK, maskUrl, normalizeUrl } from './source-url.ts'

interface Login {
  'enable-auth'?: boolean
  username?: string
  password?: string
}

/**
 * The login of an output; empty if it is disabled. A password that the request leaves out is not changed.
 * @throws CallError 7 if the user name or the password is missing
 */
function storedLogin(config: Login, previous: Login | undefined): Login {
  if (!config['enable-auth']) return {}
  const password = config.password ?? previous?.password
  if (!config.username) throw new CallError(INVALID_ARG, { field: 'config.username', fault: 'required' })
  if (!password) throw new CallError(INVALID_ARG, { field: 'config.password', fault: 'required' })
  return { 'enable-auth': true, username: config.username, password }
}

/**
 * The stored form of a request's configuration. Secrets that the request leaves out are not changed; those that no
 * longer apply are removed.
 * @param previous the existing output that is changed
 * @throws CallError 7 if a field is missing
 */
export function toStoredConfig(request: AddOutputRequest, previous?: OutputRow): OutputConfig {
  const stored = storedTypedConfig(request, previous)
  const { 'allow-ip': requested, ...changed }: PlaybackOutput & OutputConfig = stored
  const old = previous?.protocol === request.protocol ? (previous.config as PlaybackOutput & AudioOutput) : undefined
  const config: OutputConfig = withAudio(changed, request.config as AudioOutput, old)
  const allowedIps = requested ?? old?.['allow-ip'] ?? []
  const hasTarget = 'mode' in stored && stored.mode !== 'listener'
  const isPlayback = PLAYBACK_PROTOCOLS.includes(request.protocol) && !hasTarget
  return isPlayback && allowedIps.length > 0 ? { ...config, 'allow-ip': allowedIps } : config
}

/** A configuration with the settings of the audio that apply: none of them while it is as it is. */
function withAudio(config: OutputConfig, requested: AudioOutput, previous: AudioOutput = {}): OutputConfig {
  const isAudio = ([name]: [string, unknown]) => AUDIO_SETTINGS.includes(name)
  const audio: AudioOutput = Object.fromEntries(Object.entries({ ...previous, ...requested }).filter(isAudio))
  const isEncoded = audio.audio !== undefined && audio.audio !== 'as-is'
  const others = Object.fromEntries(Object.entries(config).filter((entry) => !isAudio(entry))) as OutputConfig
  return { ...others, ...(isEncoded && audio) }
}

/** Protocols of outputs that players can connect to. */
const PLAYBACK_PROTOCOLS = [SRT, RTSP, HTTP]

function storedTypedConfig(requested: TypedOutput, previous?: OutputRow): OutputConfig {
  const old = (previous?.protocol === requested.protocol ? previous.config : undefined) as
    | Record<string, string>
    | undefined
  switch (requested.protocol) {
    case RTMP: {
      const { url: requestedUrl, key = old?.key } = requested.config
      const { url } = normalizeUrl(requestedUrl, 'config.url')
      const certificates = storedCertificateCheck(url, requested.config, old)
      return { url, ...(key && { key }), ...certificates, ...storedLogin(requested.config, old) }
    }
    case SRT: {
      const { passphrase: requestedPassphrase, ...open } = requested.config
      if (!open.enc || open.enc === 'disable') return open
      const passphrase = requestedPassphrase || old?.passphrase
      if (!passphrase) throw new CallError(INVALID_ARG, { field: 'config.passphrase', fault: 'required' })
      return { ...open, passphrase }
    }
    case RTSP: {
      const {
        'enable-auth': _,
        username,
        password,
        'is-sub': requestsSub,
        'sub-key': subKey,
        ...open
      } = requested.config
      const login = storedLogin(requested.config, old)
      const key = open.key ?? old?.key ?? newStreamKey('RTSP')
      const hasSub = requestsSub ?? (subKey !== undefined || old?.['is-sub'] !== undefined)
      const sub = hasSub && { 'is-sub': true, 'sub-key': subKey ?? old?.['sub-key'] ?? newStreamKey('RTSP') }
      return { ...open, key, ...sub, ...login }
    }
    case HTTP:
      return { ...requested.config, key: requested.config.key ?? old?.key ?? newStreamKey('HLS') }
    case UDP:
    case RTP:
    case NDI:
      return requested.config
    default:
      return failUnknownProtocol(requested)
  }
}

/**
 * The visible form of a configuration. Passphrases are always left out; keys, passwords and stream IDs only if the
 * caller may not edit outputs.
 */
export function redactConfig({ config, protocol }: OutputRow, mayEdit: boolean): OutputConfig {
  const hidden = hiddenOutputSettings(mayEdit)
  const visible: Record<string, unknown> = Object.fromEntries(
    Object.entries(config).filter(([name]) => !hidden.includes(name))
  )
  // The URL can contain a login, too.
  if (protocol === RTMP && !mayEdit) visible.url = maskUrl(String(visible.url))
  return visible as unknown as OutputConfig
}

/**
 * The address to which an output sends, or at which players get it. It has no secrets, and no host for the hub, which
 * has several addresses.
 */
export function outputAddress(parts: NdiNameParts, row: OutputRow): string {
  const output = row as TypedOutput
  switch (output.protocol) {
    case RTMP:
      return maskUrl(output.config.url)
    case SRT: {
      const { mode, 'bind-port': bindPort, 'dst-ip': host = '', 'dst-port': port } = output.config
      return mode === 'listener' ? `srt://:${bindPort}` : `srt://${urlHost(host)}:${port}`
    }
    case UDP:
    case RTP: {
      // A row of an early hub can be without an address. It must not make the list fail.
      const { 'dst-ip': host = '', 'dst-port': port } = output.config
      return `${output.protocol === UDP ? 'udp' : 'rtp'}://${urlHost(host)}:${port}`
    }
    case RTSP:
      return `rtsp://:${output.config.port}/${MASK}`
    case HTTP:
      return `/hls/${MASK}/index.m3u8`
    case NDI:
      // The name under which NDI announces it.
      return ndiAddress(parts, row.name)
    default:
      return failUnknownProtocol(output)
  }
}

/** The port of the hub at which an output is reached, and the field of its configuration; undefined if it has none. */
export function listenPort(row: Pick<OutputRow, 'protocol' | 'config'>): { port: number; field: string } | undefined {
  const output = row as TypedOutput
  switch (output.protocol) {
    case RTSP:
      return { port: output.config.port, field: 'config.port' }
    case SRT: {
      const { mode, 'dst-port': target, 'bind-port': port = mode === 'rendezvous' ? target : undefined } = output.config
      return mode !== 'caller' && port !== undefined ? { port, field: 'config.bind-port' } : undefined
    }
    case RTMP:
    case UDP:
    case RTP:
    case HTTP:
    case NDI:
      return undefined
    default:
      return failUnknownProtocol(output)
  }
}

/** Identifies the port at which players present the key of an output: each RTSP output has its own, HLS has one. */
export const playbackPort = (row: Pick<OutputRow, 'protocol' | 'config'>): string =>
  row.protocol === RTSP ? `rtsp ${listenPort(row)?.port}` : `${row.protocol}`

/** The stream keys under which players get an output, with the fields of its configuration. */
export function playbackKeys(row: Pick<OutputRow, 'protocol' | 'config'>): { key: string; field: string }[] {
  const output = row as TypedOutput
  if (output.protocol !== RTSP && output.protocol !== HTTP) return []
  const { key, 'sub-key': subKey } = output.config as RtspOutput
  return [...(key ? [{ key, field: 'config.key' }] : []), ...(subKey ? [{ key: subKey, field: 'config.sub-key' }] : [])]
}

/** A host in the form in which targets are compared: an IPv6 address in its shortest form. */
const targetName = (host: string) => ipv6Text(host) ?? host.toLowerCase()

/**
 * The target of an output, which no other output may have, and the field of its configuration; undefined if there is no
 * such rule. Ports on which outputs listen are checked separately. See docs/wire.md, "Inputs and outputs".
 */
export function outputTarget(
  row: Pick<OutputRow, 'protocol' | 'config'>
): { target: string; field: string } | undefined {
  const output = row as TypedOutput
  switch (output.protocol) {
    case RTMP:
      // The key can be a separate field or the end of the URL. A slash at the end of the URL is not sent.
      return {
        target: [output.config.url.replace(/\/$/, ''), output.config.key].filter(Boolean).join('/'),
        field: 'config.url'
      }
    case SRT: {
      const { mode, 'dst-ip': host = '', 'dst-port': port, 'stream-id': streamId = '' } = output.config
      if (mode === 'listener') return undefined
      return { target: `srt ${targetName(host)}:${port} ${streamId}`, field: 'config.dst-ip' }
    }
    case UDP:
    case RTP:
      return {
        target: `datagrams ${targetName(output.config['dst-ip'])}:${output.config['dst-port']}`,
        field: 'config.dst-ip'
      }
    case HTTP:
      return { target: `hls ${output.config.key}`, field: 'config.key' }
    case RTSP:
    case NDI:
      return undefined
    default:
      return failUnknownProtocol(output)
  }
}
