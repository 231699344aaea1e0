// Form of an output: its fields are the options of the output's protocol.
import {
  CLIENTS_DEFAULT,
  LATENCY_DEFAULT,
  MTU_MAX,
  OVERHEAD_DEFAULT,
  RTSP_PORT,
  SEGMENT_DEFAULT,
  SEGMENTS_DEFAULT
} from '../../../contract/limits.ts'
import { NDI_AUTO, NDI_MULTICAST } from '../../../contract/ndi/transport.ts'
import { notSameAs } from '../../../contract/rules/compare.ts'
import { ndiGroups } from '../../../contract/rules/ndi.ts'
import { ndiName } from '../../../contract/rules/ndi-names.ts'
import {
  ipRange,
  liveUrl,
  multicastAddress,
  networkInterface,
  pathKey,
  rtspKey,
  subnetMask
} from '../../../contract/rules/network.ts'
import {
  clientLimit,
  mtu,
  multicastTtl,
  overhead,
  portOrDefault,
  segmentCount,
  segmentDuration
} from '../../../contract/rules/number.ts'
import {
  type Fault,
  host,
  latency,
  optional,
  passphrase,
  port,
  streamId,
  streamKey,
  streamName
} from '../../../contract/rules/rules.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../../../contract/stream/protocols.ts'
import { type AddOutputRequest, addOutput, type Output, setOutput } from '../../../contract/stream/source.ts'
import { completeLiveUrl } from '../../../contract/stream/source-url.ts'
import { certificateFields } from './certificate-fields.ts'
import { FIELD_TEXT, NDI_TRANSPORT_OPTIONS } from './field-text.ts'
import { ndiMachineName } from './ndi-status.ts'
import { parsePastedOutput } from './pasted-url.ts'
import {
  filledValues,
  type SourceField,
  type SourceForm,
  type SourceValues,
  SRT_ID_KINDS,
  SRT_KINDS,
  UDP_KINDS
} from './source-form.ts'

/** Kinds whose players connect to the hub. */
const PLAYBACK_KINDS = ['listener', 'rtsp', 'hls']

/** Kinds that send to an address and a port. */
const TARGET_KINDS = ['caller', 'rendezvous', ...UDP_KINDS]

/** Kinds that can get encoded audio. */
const AUDIO_KINDS = [...TARGET_KINDS, ...PLAYBACK_KINDS, 'rtmp']

/** A live URL, which may have a login. */
const rtmpUrl = (value: string): Fault | undefined => liveUrl(value.replace(/^(rtmps?:\/\/)[^/@]*@/i, '$1'))

/** Lowest port that an RTSP server may have besides the port of RTSP; those below are for system services. */
const RTSP_PORT_MIN = 1024

const splitList = (text = ''): string[] => text.split(/[\s,]+/).filter(Boolean)

/** The first fault of a list of addresses and ranges. */
const addressList = (value: string): Fault | undefined =>
  splitList(value)
    .map(ipRange)
    .find((fault) => fault !== undefined)

/** Whether the form is of an NDI output with multicast. */
const isMulticast = (values: SourceValues) => values['transport-mode'] === String(NDI_MULTICAST)

/** Value of the switch of a sub stream that is on. */
const ON = 'true'

const OUTPUT_FIELDS: readonly SourceField[] = [
  {
    wireName: 'bind-port',
    title: FIELD_TEXT.port,
    hint: FIELD_TEXT.portHint,
    kinds: ['listener'],
    rule: port,
    numeric: true
  },
  {
    wireName: 'dst-ip',
    title: FIELD_TEXT.address,
    hint: FIELD_TEXT.pasted,
    kinds: TARGET_KINDS,
    rule: host
  },
  { wireName: 'dst-port', title: FIELD_TEXT.port, kinds: TARGET_KINDS, rule: port, numeric: true },
  {
    wireName: 'bind-port',
    title: FIELD_TEXT.localPort,
    hint: FIELD_TEXT.localPortHint,
    kinds: ['rendezvous'],
    rule: optional(port),
    numeric: true
  },
  {
    wireName: 'port',
    title: FIELD_TEXT.port,
    hint: FIELD_TEXT.portHint,
    kinds: ['rtsp'],
    rule: portOrDefault({ default: RTSP_PORT, min: RTSP_PORT_MIN }),
    numeric: true,
    initial: RTSP_PORT
  },
  { wireName: 'url', title: FIELD_TEXT.address, hint: FIELD_TEXT.pasted, kinds: ['rtmp'], rule: rtmpUrl },
  { wireName: 'key', title: FIELD_TEXT.key, kinds: ['rtmp'], rule: streamKey, secret: true },
  {
    wireName: 'key',
    title: FIELD_TEXT.key,
    hint: FIELD_TEXT.optional,
    kinds: ['hls'],
    rule: optional(pathKey),
    isUniqueKey: true,
    secret: true
  },
  {
    wireName: 'key',
    title: FIELD_TEXT.mainKey,
    hint: FIELD_TEXT.optional,
    kinds: ['rtsp'],
    rule: optional(rtspKey),
    isUniqueKey: true,
    secret: true
  },
  {
    wireName: 'is-sub',
    title: FIELD_TEXT.subStream,
    kinds: ['rtsp'],
    initial: 'false',
    options: [
      ['false', FIELD_TEXT.disabled],
      [ON, FIELD_TEXT.subStreamOn]
    ]
  },
  {
    wireName: 'sub-key',
    title: FIELD_TEXT.subKey,
    hint: FIELD_TEXT.optional,
    kinds: ['rtsp'],
    isOffered: (values) => values['is-sub'] === ON,
    rule: (value, { key = '' }) => optional(rtspKey)(value) ?? notSameAs('key')(value, { key }),
    isUniqueKey: true,
    secret: true
  },
  ...certificateFields(['rtmp'], ({ url = '' }) => /^rtmps:/i.test(url)),
  { wireName: 'username', title: FIELD_TEXT.user, kinds: ['rtmp', 'rtsp'] },
  { wireName: 'password', title: FIELD_TEXT.password, kinds: ['rtmp', 'rtsp'], secret: true },
  { wireName: 'stream-id', title: FIELD_TEXT.streamId, kinds: SRT_ID_KINDS, rule: streamId },
  {
    wireName: 'latency',
    title: FIELD_TEXT.latency,
    kinds: SRT_KINDS,
    rule: latency,
    numeric: true,
    initial: LATENCY_DEFAULT
  },
  {
    wireName: 'bandwidth',
    title: FIELD_TEXT.overhead,
    kinds: SRT_KINDS,
    rule: overhead,
    numeric: true,
    initial: OVERHEAD_DEFAULT
  },
  {
    wireName: 'max-client-num',
    title: FIELD_TEXT.clients,
    kinds: ['listener', 'rtsp'],
    rule: clientLimit,
    numeric: true,
    initial: CLIENTS_DEFAULT
  },
  {
    wireName: 'enc',
    title: FIELD_TEXT.encryption,
    kinds: SRT_KINDS,
    initial: 'disable',
    options: [
      ['disable', FIELD_TEXT.disabled],
      ...[128, 192, 256].map((bits) => [`aes-${bits}`, `AES-${bits}`] as const)
    ]
  },
  // Left empty, the stored passphrase is kept. The hub checks that there is one.
  {
    wireName: 'passphrase',
    title: FIELD_TEXT.passphrase,
    kinds: SRT_KINDS,
    isOffered: ({ enc }) => enc !== 'disable',
    rule: optional(passphrase),
    secret: true
  },
  { wireName: 'mtu', title: FIELD_TEXT.mtu, kinds: UDP_KINDS, rule: mtu, numeric: true, initial: MTU_MAX },
  {
    wireName: 'seg-count',
    title: FIELD_TEXT.segments,
    kinds: ['hls'],
    rule: segmentCount,
    numeric: true,
    initial: SEGMENTS_DEFAULT
  },
  {
    wireName: 'seg-duration',
    title: FIELD_TEXT.seconds,
    kinds: ['hls'],
    rule: segmentDuration,
    numeric: true,
    initial: SEGMENT_DEFAULT
  },
  {
    wireName: 'allow-ip',
    title: FIELD_TEXT.allowed,
    hint: FIELD_TEXT.allowedHint,
    kinds: PLAYBACK_KINDS,
    rule: addressList
  },
  {
    wireName: 'audio',
    title: FIELD_TEXT.audio,
    kinds: AUDIO_KINDS,
    initial: 'as-is',
    options: [
      ['as-is', FIELD_TEXT.asIs],
      ['aac', 'AAC'],
      ['aac-mono', FIELD_TEXT.mono]
    ]
  },
  { wireName: 'group', title: FIELD_TEXT.group, kinds: ['ndi'], rule: optional(ndiGroups) },
  {
    wireName: 'transport-mode',
    title: FIELD_TEXT.transport,
    hint: FIELD_TEXT.transportHint,
    kinds: ['ndi'],
    numeric: true,
    initial: String(NDI_AUTO),
    options: NDI_TRANSPORT_OPTIONS
  },
  {
    wireName: 'mcast-ip',
    title: FIELD_TEXT.multicast,
    kinds: ['ndi'],
    isOffered: isMulticast,
    rule: optional(multicastAddress)
  },
  {
    wireName: 'mcast-sub-mask',
    title: FIELD_TEXT.mask,
    kinds: ['ndi'],
    isOffered: isMulticast,
    rule: optional(subnetMask)
  },
  {
    wireName: 'mcast-time-to-live',
    title: FIELD_TEXT.ttl,
    kinds: ['ndi', ...UDP_KINDS],
    isOffered: (values) => values.kind !== 'ndi' || isMulticast(values),
    rule: optional(multicastTtl),
    numeric: true
  },
  { wireName: 'iface', title: FIELD_TEXT.iface, kinds: UDP_KINDS, rule: optional(networkInterface) }
]

const PROTOCOLS: Readonly<Record<string, number>> = {
  listener: SRT,
  caller: SRT,
  rendezvous: SRT,
  rtmp: RTMP,
  udp: UDP,
  rtp: RTP,
  rtsp: RTSP,
  hls: HTTP,
  ndi: NDI
}

export const OUTPUT_FORM: SourceForm<Output, AddOutputRequest> = {
  route: 'outputs',
  kinds: Object.keys(PROTOCOLS),
  fields: OUTPUT_FIELDS,
  addLabel: ['Add output', '添加输出'],
  valuesOf({ protocol, config }) {
    const options = Object.entries(config).map(([wireName, value]) => [wireName, String(value)])
    const kind = Object.keys(PROTOCOLS).find((name) => PROTOCOLS[name] === protocol)
    const transport = protocol === NDI && { 'transport-mode': String(NDI_AUTO) }
    return { kind, ...transport, ...Object.fromEntries(options), ...('mode' in config && { kind: config.mode }) }
  },
  requestOf(values) {
    const { kind = '', title: name = '' } = values
    const protocol = PROTOCOLS[kind] as number
    const config: Record<string, unknown> = filledValues(OUTPUT_FIELDS, values, (value, { numeric }) =>
      numeric ? Number(value) : value
    )
    if (protocol === SRT) config.mode = kind
    if (PLAYBACK_KINDS.includes(kind)) config['allow-ip'] = splitList(values['allow-ip'])
    if (protocol === RTSP) config['is-sub'] = values['is-sub'] === ON
    if (protocol === RTMP) config.url = completeLiveUrl(values.url ?? '')
    if (config.username) config['enable-auth'] = true
    return { name, protocol, config } as AddOutputRequest
  },
  // An NDI output is announced in the network under its name.
  nameRule: (name, { kind }) => (kind === 'ndi' ? ndiName(ndiMachineName())(name) : undefined) ?? streamName(name),
  parsePasted: parsePastedOutput,
  add: addOutput,
  set: setOutput
}
