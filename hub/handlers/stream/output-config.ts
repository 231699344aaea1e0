// What outputs are made of, by protocol: what is stored, what is shown, where they go to, and which port they take.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { HTTP, RTMP, RTP, RTSP, SRT, UDP } from '../../../contract/stream/protocols.ts'
import type {
  AddOutputRequest,
  OutputConfig,
  PlayedOutput,
  SrtOutput,
  TypedOutput
} from '../../../contract/stream/source.ts'
import { Refusal } from '../../http/handler.ts'
import type { OutputRow } from '../../store/sources.ts'
import { MASK, maskedUrl, normalUrl } from './source-url.ts'

interface Login {
  'enable-auth'?: boolean
  username?: string
  password?: string
}

/** The login of an output, whole or not at all. A password that is left out stays as it is. */
function loginOf(config: Login, kept: Login | undefined): Login {
  if (!config['enable-auth']) return {}
  const password = config.password ?? kept?.password
  if (!config.username) throw new Refusal(INVALID_ARG, { field: 'config.username', fault: 'required' })
  if (!password) throw new Refusal(INVALID_ARG, { field: 'config.password', fault: 'required' })
  return { 'enable-auth': true, username: config.username, password }
}

/**
 * What is stored: secrets that a write leaves out stay as they are, those that no longer apply go.
 * @throws Refusal 7 for what its fields do not make whole
 */
export function storedConfig(request: AddOutputRequest, before?: OutputRow): OutputConfig {
  const { 'allow-ip': given, ...config } = request.config as PlayedOutput & OutputConfig
  const kept = before?.protocol === request.protocol ? (before.config as PlayedOutput)['allow-ip'] : undefined
  const made = typedConfig({ ...request, config } as TypedOutput, before)
  const allowed = given ?? kept ?? []
  const played = PLAYED.includes(request.protocol) && (made as SrtOutput).mode !== 'caller'
  return played && allowed.length > 0 ? { ...made, 'allow-ip': allowed } : made
}

/** What players can come to. */
const PLAYED = [SRT, RTSP, HTTP]

function typedConfig(wanted: TypedOutput, before?: OutputRow): OutputConfig {
  const old = (before?.protocol === wanted.protocol ? before.config : undefined) as Record<string, string> | undefined
  switch (wanted.protocol) {
    case RTMP: {
      const { config } = wanted
      const key = config.key ?? old?.key
      return { url: normalUrl(config.url, 'config.url').url, ...(key && { key }), ...loginOf(config, old) }
    }
    case SRT: {
      const { passphrase: given, ...open } = wanted.config
      if (!open.enc || open.enc === 'disable') return open
      const passphrase = given || old?.passphrase
      if (!passphrase) throw new Refusal(INVALID_ARG, { field: 'config.passphrase', fault: 'required' })
      return { ...open, passphrase }
    }
    case RTSP: {
      const { 'enable-auth': _, username, password, ...open } = wanted.config
      return { ...open, key: open.key ?? old?.key ?? madeKey('RTSP'), ...loginOf(wanted.config, old) }
    }
    case HTTP:
      return { ...wanted.config, key: wanted.config.key ?? old?.key ?? madeKey('HLS') }
    default:
      return wanted.config
  }
}

/** As unlikely to be guessed as the keys of channels. */
const madeKey = (kind: string) => `${kind}-${randomUUID().toUpperCase()}`

/** As it is answered: passphrases never, keys, passwords and stream ids to who may edit. */
export function shownConfig({ config, protocol }: OutputRow, mayEdit: boolean): OutputConfig {
  const { passphrase: _, ...open } = config as Record<string, unknown>
  if (mayEdit) return open as unknown as OutputConfig
  const { key, password, 'stream-id': id, ...shown } = open
  // A login may stand in the URL, too.
  if (protocol === RTMP) shown.url = maskedUrl(String(shown.url))
  return shown as unknown as OutputConfig
}

/** Where an output goes to, or is had at; without secrets, and without the hub's own address, of which it has many. */
export function outputAddress(row: OutputRow): string {
  const output = row as TypedOutput
  switch (output.protocol) {
    case RTMP:
      return maskedUrl(output.config.url)
    case SRT: {
      const { mode, 'bind-port': bound, 'dst-ip': host, 'dst-port': port } = output.config
      return mode === 'listener' ? `srt://:${bound}` : `srt://${host}:${port}`
    }
    case UDP:
    case RTP: {
      const { 'dst-ip': host, 'dst-port': port } = output.config
      return `${output.protocol === UDP ? 'udp' : 'rtp'}://${host}:${port}`
    }
    case RTSP:
      return `rtsp://:${output.config.port}/${MASK}`
    case HTTP:
      return `/hls/${MASK}/index.m3u8`
    default:
      // As the network announces it.
      return `${hostname().toUpperCase()} (${row.name})`
  }
}

/** The port an output listens at. */
export function portOf(row: Pick<OutputRow, 'protocol' | 'config'>): { port: number; field: string } | undefined {
  const output = row as TypedOutput
  if (output.protocol === RTSP) return { port: output.config.port, field: 'config.port' }
  const port = output.protocol === SRT && output.config.mode === 'listener' ? output.config['bind-port'] : undefined
  return port === undefined ? undefined : { port, field: 'config.bind-port' }
}

/** What no two outputs may have in common (device-api 3.6), beside a port they listen at; with the field that tells it. */
export function targetOf(row: Pick<OutputRow, 'protocol' | 'config'>): { target: string; field: string } | undefined {
  const output = row as TypedOutput
  switch (output.protocol) {
    case RTMP:
      // A key of its own or at the end of the URL is the same, and a slash behind that is not sent.
      return {
        target: [output.config.url.replace(/\/$/, ''), output.config.key].filter(Boolean).join('/'),
        field: 'config.url'
      }
    case SRT: {
      const { mode, 'dst-ip': host = '', 'dst-port': port, 'stream-id': id = '' } = output.config
      if (mode === 'listener') return undefined
      return { target: `srt ${host.toLowerCase()}:${port} ${id}`, field: 'config.dst-ip' }
    }
    case UDP:
    case RTP:
      return {
        target: `datagrams ${output.config['dst-ip'].toLowerCase()}:${output.config['dst-port']}`,
        field: 'config.dst-ip'
      }
    case HTTP:
      return { target: `hls ${output.config.key}`, field: 'config.key' }
    default:
      return undefined
  }
}
