// What the form of an input and of an output has, as data: which kinds there are, and which fields each of them has, with their rules
// and their names on the wire. An input is one URL on the wire: its fields are the parts and the options of that.
import type { Call } from '../../contract/call.ts'
import {
  CLIENTS_DEFAULT,
  LATENCY_DEFAULT,
  MTU_MAX,
  OVERHEAD_DEFAULT,
  RTSP_PORT,
  SEGMENT_DEFAULT,
  SEGMENTS_DEFAULT
} from '../../contract/limits.ts'
import { ipv4, networkInterface, pathKey } from '../../contract/rules/network.ts'
import {
  bufferDuration,
  clientLimit,
  mtu,
  multicastTtl,
  overhead,
  segmentCount,
  segmentDuration
} from '../../contract/rules/number.ts'
import {
  type Fault,
  host,
  latency,
  optional,
  passphrase,
  port,
  required,
  streamId,
  streamKey
} from '../../contract/rules/rules.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../../contract/stream/protocols.ts'
import {
  type AddInputRequest,
  type AddOutputRequest,
  addInput,
  addOutput,
  type InputSource,
  type Output,
  setInput,
  setOutput
} from '../../contract/stream/source.ts'
import type { Pair } from '../text/language.ts'

/** The form's values, all as text: `title` for the name, `kind`, and fields by their names on the wire. */
export type Values = Record<string, string>

export interface Field {
  wire: string
  title: Pair
  hint?: Pair
  /** The kinds that have it. */
  kinds: string
  rule?: (value: string) => Fault | undefined
  number?: true
  secret?: true
  /** What it is at first. */
  first?: string | number
  /** What there is to choose from: values with their words. */
  options?: readonly (readonly [value: string, word: string | Pair])[]
}

/** What the fields are called. */
export const TEXT = {
  address: ['Address', '地址'],
  pasted: ['Or paste a whole URL', '也可粘贴完整 URL'],
  port: ['Port', '端口'],
  portHint: ['Players connect to it', '播放器连接到此端口'],
  path: ['Path', '路径'],
  user: ['User name', '用户名'],
  password: ['Password', '密码'],
  streamId: ['Stream ID', 'Stream ID'],
  latency: ['Latency (ms)', '延迟（毫秒）'],
  overhead: ['Bandwidth overhead (%)', '带宽开销（%）'],
  clients: ['Max connections', '最大连接数'],
  encryption: ['Encryption', '加密'],
  none: ['None', '无'],
  auto: ['Automatic', '自动'],
  passphrase: ['Passphrase', '密码短语'],
  key: ['Stream key', '推流密钥'],
  optional: ['Optional', '可选'],
  transport: ['Transport', '传输方式'],
  tcpFirst: ['TCP first', '优先 TCP'],
  iface: ['Network interface', '网络接口'],
  sender: ['Sender address', '发送端地址'],
  mtu: ['MTU (bytes)', 'MTU（字节）'],
  ttl: ['Multicast TTL', '组播 TTL'],
  segments: ['Segments', '分片数'],
  seconds: ['Segment duration (s)', '分片时长（秒）'],
  ndiName: ['NDI name', 'NDI 名称'],
  group: ['Group', '分组'],
  multicast: ['Multicast address', '组播地址'],
  mask: ['Subnet mask', '子网掩码'],
  buffer: ['Buffer (ms)', '缓冲（毫秒）'],
  allowed: ['Allowed addresses', '允许的地址'],
  allowedHint: ['At most 32: 192.0.2.7, 10.0.0.0/8', '最多 32 个：192.0.2.7, 10.0.0.0/8']
} as const satisfies Record<string, Pair>

const SRTS = 'caller listener'
const LOGINS = 'rtmp rtmps rtsp http https'
const GROUPS = 'udp rtp'
const PLAYED = 'listener rtsp hls'
const TCP_FIRST = 'mw-tcp-first'

const INPUT_FIELDS: readonly Field[] = [
  { wire: 'host', title: TEXT.address, hint: TEXT.pasted, kinds: `caller ${LOGINS}`, rule: host },
  { wire: 'host', title: TEXT.address, hint: TEXT.pasted, kinds: GROUPS, rule: optional(host) },
  { wire: 'port', title: TEXT.port, kinds: `${SRTS} ${GROUPS}`, rule: port, number: true },
  { wire: 'port', title: TEXT.port, kinds: LOGINS, rule: optional(port), number: true },
  { wire: 'path', title: TEXT.path, kinds: LOGINS },
  { wire: 'user', title: TEXT.user, kinds: LOGINS },
  { wire: 'password', title: TEXT.password, kinds: LOGINS, secret: true },
  {
    wire: TCP_FIRST,
    title: TEXT.transport,
    kinds: 'rtsp',
    options: [
      ['', 'UDP'],
      ['1', TEXT.tcpFirst]
    ]
  },
  { wire: 'iface', title: TEXT.iface, kinds: GROUPS, rule: optional(networkInterface) },
  { wire: 'source', title: TEXT.sender, kinds: GROUPS, rule: optional(ipv4) },
  { wire: 'streamid', title: TEXT.streamId, kinds: SRTS, rule: streamId },
  { wire: 'latency', title: TEXT.latency, kinds: SRTS, rule: latency, number: true, first: LATENCY_DEFAULT },
  { wire: 'passphrase', title: TEXT.passphrase, kinds: SRTS, rule: optional(passphrase), secret: true },
  {
    wire: 'pbkeylen',
    title: TEXT.encryption,
    kinds: SRTS,
    options: [['', TEXT.auto], ...[16, 24, 32].map((bytes) => [String(bytes), `AES-${bytes * 8}`] as const)]
  },
  { wire: 'name', title: TEXT.ndiName, kinds: 'ndi', rule: required },
  { wire: 'url', title: TEXT.address, kinds: 'ndi' },
  { wire: 'mw-buffer-duration', title: TEXT.buffer, kinds: 'ndi', rule: optional(bufferDuration), number: true }
]

/** The rest of it is for the hub to judge. */
const rtmpUrl = (value: string): Fault | undefined =>
  required(value) ?? (/^rtmps?:/i.test(value) ? undefined : { name: 'scheme' })

const OUTPUT_FIELDS: readonly Field[] = [
  { wire: 'bind-port', title: TEXT.port, hint: TEXT.portHint, kinds: 'listener', rule: port, number: true },
  { wire: 'dst-ip', title: TEXT.address, kinds: `caller ${GROUPS}`, rule: host },
  { wire: 'dst-port', title: TEXT.port, kinds: `caller ${GROUPS}`, rule: port, number: true },
  {
    wire: 'port',
    title: TEXT.port,
    hint: TEXT.portHint,
    kinds: 'rtsp',
    rule: port,
    number: true,
    first: RTSP_PORT
  },
  { wire: 'url', title: TEXT.address, kinds: 'rtmp', rule: rtmpUrl },
  { wire: 'key', title: TEXT.key, kinds: 'rtmp', rule: streamKey, secret: true },
  { wire: 'key', title: TEXT.key, hint: TEXT.optional, kinds: 'rtsp hls', rule: optional(pathKey), secret: true },
  { wire: 'username', title: TEXT.user, kinds: 'rtmp rtsp' },
  { wire: 'password', title: TEXT.password, kinds: 'rtmp rtsp', secret: true },
  { wire: 'stream-id', title: TEXT.streamId, kinds: SRTS, rule: streamId },
  { wire: 'latency', title: TEXT.latency, kinds: SRTS, rule: latency, number: true, first: LATENCY_DEFAULT },
  {
    wire: 'bandwidth',
    title: TEXT.overhead,
    kinds: SRTS,
    rule: overhead,
    number: true,
    first: OVERHEAD_DEFAULT
  },
  {
    wire: 'max-client-num',
    title: TEXT.clients,
    kinds: 'listener rtsp',
    rule: clientLimit,
    number: true,
    first: CLIENTS_DEFAULT
  },
  {
    wire: 'enc',
    title: TEXT.encryption,
    kinds: SRTS,
    first: 'disable',
    options: [['disable', TEXT.none], ...[128, 192, 256].map((bits) => [`aes-${bits}`, `AES-${bits}`] as const)]
  },
  // An empty one keeps what is stored; that there is one is for the hub to see.
  { wire: 'passphrase', title: TEXT.passphrase, kinds: 'encrypted', rule: optional(passphrase), secret: true },
  { wire: 'mtu', title: TEXT.mtu, kinds: GROUPS, rule: mtu, number: true, first: MTU_MAX },
  {
    wire: 'seg-count',
    title: TEXT.segments,
    kinds: 'hls',
    rule: segmentCount,
    number: true,
    first: SEGMENTS_DEFAULT
  },
  {
    wire: 'seg-duration',
    title: TEXT.seconds,
    kinds: 'hls',
    rule: segmentDuration,
    number: true,
    first: SEGMENT_DEFAULT
  },
  // Which addresses is for the hub to judge.
  { wire: 'allow-ip', title: TEXT.allowed, hint: TEXT.allowedHint, kinds: PLAYED },
  { wire: 'group', title: TEXT.group, kinds: 'ndi' },
  {
    wire: 'transport-mode',
    title: TEXT.transport,
    kinds: 'ndi',
    number: true,
    first: '0',
    options: [
      ['0', 'UDP'],
      ['1', 'UDP multicast'],
      ['2', 'RUDP'],
      ['3', 'TCP']
    ]
  },
  // What kind of addresses these have to be is for the hub to judge.
  { wire: 'mcast-ip', title: TEXT.multicast, kinds: 'ndi', rule: optional(ipv4) },
  { wire: 'mcast-sub-mask', title: TEXT.mask, kinds: 'ndi', rule: optional(ipv4) },
  { wire: 'mcast-time-to-live', title: TEXT.ttl, kinds: `ndi ${GROUPS}`, rule: optional(multicastTtl), number: true },
  { wire: 'iface', title: TEXT.iface, kinds: GROUPS, rule: optional(networkInterface) }
]

/** One side of the hub: what its form has, and how a form's values stand on the wire. */
export interface Side<Saved, Request> {
  kinds: readonly string[]
  fields: readonly Field[]
  /** The values of a saved one. */
  valuesOf: (saved: Saved) => Values
  requestOf: (values: Values) => Request
  add: Call<Request, { id: number }>
  set: Call<Request & { id: number }>
}

/** The fields there are for what was chosen. */
export function fieldsOf(fields: readonly Field[], { kind = '', enc = 'disable' }: Values): Field[] {
  const secured = SRTS.includes(kind) && enc !== 'disable'
  return fields.filter(({ kinds }) => kinds.includes(kind) || (secured && kinds === 'encrypted'))
}

/** Those that are filled: what is made of each, by its name on the wire. */
function filled<Made>(fields: readonly Field[], values: Values, make: (value: string, field: Field) => Made) {
  const own = fieldsOf(fields, values).filter(({ wire }) => values[wire])
  return Object.fromEntries(own.map((field) => [field.wire, make(values[field.wire] as string, field)]))
}

const FORM = /^(\w+):\/\/(?:([^:@/?]*):?([^@/?]*)@)?([^:/?]*):?(\d*)([^?]*)\??(.*)$/s

/** Without an error where the encoding is not one. */
const decoded = (text: string) => Object.fromEntries(new URLSearchParams(text.replaceAll('+', '%2B')))

/** A URL in the fields of the form, be it as the hub keeps it or as somebody has it from elsewhere. */
export function partsOf(url: string): Values {
  const [, scheme = '', user, password, host = '', port = '', path, query = ''] = FORM.exec(url) ?? []
  const options = decoded(query)
  const listens = host === '' || host === '0.0.0.0'
  const name = scheme.toLowerCase()
  const kind = name === 'srt' ? (options.mode ?? (listens ? 'listener' : 'caller')) : name === 'ntkndi' ? 'ndi' : name
  return {
    // In the others the query belongs to the path, but for one option, which the hub puts last.
    ...(LOGINS.includes(kind) ? { [TCP_FIRST]: options[TCP_FIRST] ?? '' } : options),
    ...decoded(`user=${user ?? ''}&password=${password ?? ''}`),
    kind,
    host: listens ? '' : host,
    port,
    path: `${path}?${query}`.replace(/([?&]mw-tcp-first=\d|\?)$/, '')
  }
}

/** The URL of an input. The hub, which judges it, puts it into its own form. */
function urlOf(values: Values): string {
  const { kind = '' } = values
  const { user, password = '', host = '', port, path = '', ...options } = filled(INPUT_FIELDS, values, String)
  const isSrt = SRTS.includes(kind)
  const query = Object.entries({ ...(isSrt && { mode: kind }), ...options }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`
  )
  const login = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : ''
  const before =
    kind === 'ndi'
      ? 'ntkndi://ndi'
      : `${isSrt ? 'srt' : kind}://${login}${host}${port ? `:${port}` : ''}${path.replace(/^(?=[^/?])/, '/')}`
  return before + (query.length > 0 ? (path.includes('?') ? '&' : '?') + query.join('&') : '')
}

export const INPUT: Side<InputSource, AddInputRequest> = {
  kinds: `${SRTS} ${GROUPS} ${LOGINS} ndi`.split(' '),
  fields: INPUT_FIELDS,
  valuesOf: ({ config }) => partsOf(config.url),
  requestOf: (values) => ({ name: values.title as string, config: { type: 1, url: urlOf(values) } }),
  add: addInput,
  set: setInput
}

const PROTOCOLS: Readonly<Record<string, number>> = {
  listener: SRT,
  caller: SRT,
  rtmp: RTMP,
  udp: UDP,
  rtp: RTP,
  rtsp: RTSP,
  hls: HTTP,
  ndi: NDI
}

export const OUTPUT: Side<Output, AddOutputRequest> = {
  kinds: Object.keys(PROTOCOLS),
  fields: OUTPUT_FIELDS,
  valuesOf({ protocol, config }) {
    const own = Object.entries(config).map(([wire, value]) => [wire, String(value)])
    const kind = Object.keys(PROTOCOLS).find((name) => PROTOCOLS[name] === protocol)
    return { kind, ...Object.fromEntries(own), ...('mode' in config && { kind: config.mode }) }
  },
  requestOf(values) {
    const { kind = '', title: name = '' } = values
    const protocol = PROTOCOLS[kind] as number
    const config: Record<string, unknown> = filled(OUTPUT_FIELDS, values, (value, { number }) =>
      number ? Number(value) : value
    )
    if (protocol === SRT) config.mode = kind
    if (PLAYED.includes(kind)) config['allow-ip'] = (values['allow-ip'] ?? '').split(/[\s,]+/).filter(Boolean)
    if (config.username) config['enable-auth'] = true
    return { name, protocol, config } as unknown as AddOutputRequest
  },
  add: addOutput,
  set: setOutput
}
