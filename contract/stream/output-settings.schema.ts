// The settings of an output, by protocol, and those of an NDI source. All of them are stored in the column `config`.
import * as z from 'zod'
import { INPUT_OUTPUT_EDIT } from '../access/permissions.ts'
import { faultIssue, port, text, textRule, wholeNumber } from '../fields.schema.ts'
import {
  ALLOW_LIST_MAX,
  CLIENTS_MAX,
  LATENCY_MAX,
  LATENCY_MIN,
  MTU_MAX,
  MTU_MIN,
  OVERHEAD_MAX,
  OVERHEAD_MIN,
  SEGMENT_MAX,
  SEGMENT_MIN,
  SEGMENTS_MAX,
  SEGMENTS_MIN,
  TTL_MAX
} from '../limits.ts'
import { NDI_TRANSPORT_MAX } from '../ndi/transport.ts'
import { ndiGroups } from '../rules/ndi.ts'
import {
  ipRange,
  loginName,
  multicastAddress,
  networkInterface,
  pathKey,
  rtspKey,
  subnetMask
} from '../rules/network.ts'
import { host, optional, streamId, streamKey, passphrase as validPassphrase } from '../rules/rules.ts'
import { type SettingTable, shapeOf } from '../setting.schema.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'
import { completeLiveUrl, sourceUrl } from './source-url.ts'

const flag = z.boolean().optional()
/** Maximum number of concurrent players; default 8. */
const maxClients = wholeNumber(1, CLIENTS_MAX).optional()
/** Time to live for multicast; default 1. The vendor's console sends it as text. */
const ttl = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value),
  wholeNumber(1, TTL_MAX).optional()
)

/** A secret that editors see. If a write leaves it out, the stored value is kept. */
const secret = { visibleTo: INPUT_OUTPUT_EDIT, private: true } as const

const PLAYBACK = {
  /**
   * IP allow list for players: IPv4 addresses or ranges such as `10.0.0.0/8`. Replaces `allow-ip` of the channel;
   * empty: that of the channel applies. If absent in a write, the stored list is kept.
   */
  'allow-ip': { schema: z.array(textRule(ipRange)).max(ALLOW_LIST_MAX).optional() }
} as const satisfies SettingTable

/** RTMP target. */
const RTMP_SETTINGS = {
  /** Without the stream key. */
  url: {
    schema: textRule(
      (value) => sourceUrl(value) ?? (/^rtmps?:/i.test(completeLiveUrl(value)) ? undefined : { name: 'scheme' })
    )
  },
  key: { schema: textRule(streamKey).optional(), ...secret },
  'enable-auth': { schema: flag, private: true },
  username: { schema: text.optional(), private: true },
  password: { schema: text.optional(), ...secret }
} as const satisfies SettingTable

/** SRT target (caller) or server (listener). */
const SRT_SETTINGS = {
  ...PLAYBACK,
  mode: { schema: z.enum(['caller', 'listener']) },
  /** Caller mode. */
  'dst-ip': { schema: textRule(host).optional() },
  'dst-port': { schema: port.optional() },
  /** Listener mode. */
  'bind-port': { schema: port.optional() },
  'max-client-num': { schema: maxClients },
  /** In listener mode the one that players must send. Often contains a key. */
  'stream-id': { schema: textRule(streamId).optional(), ...secret },
  /** Milliseconds. */
  latency: { schema: wholeNumber(LATENCY_MIN, LATENCY_MAX).optional() },
  /** Bandwidth overhead for retransmission in percent; absent: unlimited. */
  bandwidth: { schema: wholeNumber(OVERHEAD_MIN, OVERHEAD_MAX).optional() },
  enc: { schema: z.enum(['disable', 'aes-128', 'aes-192', 'aes-256']).optional() },
  /** Empty or absent with encryption enabled: the stored passphrase is kept. */
  passphrase: {
    schema: textRule((value) => (value === '' ? undefined : validPassphrase(value))).optional(),
    visibleTo: 'nobody',
    private: true
  }
} as const satisfies SettingTable

/** MPEG-TS over UDP or RTP to an address. */
const UDP_SETTINGS = {
  'dst-ip': { schema: textRule(host) },
  'dst-port': { schema: port },
  /** Bytes; default 1500, which holds seven MPEG-TS packets. */
  mtu: { schema: wholeNumber(MTU_MIN, MTU_MAX).optional() },
  'mcast-time-to-live': { schema: ttl },
  /** Network interface for multicast, by name or IPv4 address. */
  iface: { schema: textRule(networkInterface).optional() }
} as const satisfies SettingTable

/**
 * RTSP server. The main stream is the channel as it is. The sub stream is the same picture and sound, transcoded by the
 * hub to at most 640 x 360 pixels and about 600 kbps (`SUB_STREAM`), H.264 and AAC; the hub transcodes only while
 * somebody plays it.
 */
const RTSP_SETTINGS = {
  ...PLAYBACK,
  port: { schema: port },
  /** Path of the main stream in `rtsp://<hub>:<port>/<key>`. Default: generated. */
  key: { schema: textRule(rtspKey).optional(), ...secret },
  /** Whether there is a sub stream. If absent in a write: as before, or true with a `sub-key`. */
  'is-sub': { schema: flag },
  /** Path of the sub stream. Default: generated. Differs from `key`. */
  'sub-key': { schema: textRule(rtspKey).optional(), ...secret },
  'max-client-num': { schema: maxClients },
  'enable-auth': { schema: flag, private: true },
  username: { schema: textRule(loginName).optional(), private: true },
  password: { schema: text.optional(), ...secret },
  type: { schema: z.literal(0).optional() }
} as const satisfies SettingTable

/** HLS output, served at `/hls/<key>/index.m3u8` of the port for files and of the web port. */
const HLS_SETTINGS = {
  ...PLAYBACK,
  /** Default: generated. */
  key: { schema: textRule(pathKey).optional(), ...secret },
  /** Segments in the playlist; default 5. */
  'seg-count': { schema: wholeNumber(SEGMENTS_MIN, SEGMENTS_MAX).optional() },
  /** Segment duration in seconds; default 2. A segment ends at the first key frame after it. */
  'seg-duration': { schema: wholeNumber(SEGMENT_MIN, SEGMENT_MAX).optional() }
} as const satisfies SettingTable

/** NDI source with the name of the output. Requires the NDI runtime on the hub. */
const NDI_SETTINGS = {
  /** Groups of the source, separated by commas. Default: those of the settings. */
  group: { schema: textRule(optional(ndiGroups)).optional() },
  /** See contract/ndi/transport.ts. */
  'transport-mode': { schema: wholeNumber(0, NDI_TRANSPORT_MAX).optional() },
  'mcast-ip': { schema: textRule(multicastAddress).optional() },
  'mcast-sub-mask': { schema: textRule(subnetMask).optional() },
  'mcast-time-to-live': { schema: ttl }
} as const satisfies SettingTable

export const OUTPUT_SETTINGS = {
  [RTMP]: RTMP_SETTINGS,
  [SRT]: SRT_SETTINGS,
  [UDP]: UDP_SETTINGS,
  [RTP]: UDP_SETTINGS,
  [RTSP]: RTSP_SETTINGS,
  [HTTP]: HLS_SETTINGS,
  [NDI]: NDI_SETTINGS
} as const satisfies Readonly<Record<number, SettingTable>>

/** Names of the settings with a property, in any protocol. */
const namesWith = (has: (row: SettingTable[string]) => boolean): readonly string[] => [
  ...new Set(
    Object.values<SettingTable>(OUTPUT_SETTINGS)
      .flatMap((table) => Object.entries(table))
      .flatMap(([name, row]) => (has(row) ? [name] : []))
  )
]

/** Settings that neither a preset contains nor an export without secrets. */
export const PRIVATE_OUTPUT_SETTINGS = namesWith((row) => row.private === true)

/** Settings that a caller does not see. */
const HIDDEN = {
  editor: namesWith((row) => row.visibleTo === 'nobody'),
  viewer: namesWith((row) => row.visibleTo !== undefined)
}
export const hiddenOutputSettings = (mayEdit: boolean): readonly string[] => (mayEdit ? HIDDEN.editor : HIDDEN.viewer)

const srtConfig = z.object(shapeOf(SRT_SETTINGS)).superRefine((config, context) => {
  const reportMissing = (field: string) => context.addIssue({ ...faultIssue({ name: 'required' }), path: [field] })
  if (config.mode === 'listener' && !config['bind-port']) reportMissing('bind-port')
  if (config.mode === 'caller' && !config['dst-ip']) reportMissing('dst-ip')
  if (config.mode === 'caller' && !config['dst-port']) reportMissing('dst-port')
})
export const ndiConfig = z.object(shapeOf(NDI_SETTINGS))

/** The configuration of an output by protocol, as in requests. */
export const OUTPUT_CONFIGS = {
  [RTMP]: z.object(shapeOf(RTMP_SETTINGS)),
  [SRT]: srtConfig,
  [UDP]: z.object(shapeOf(UDP_SETTINGS)),
  [RTP]: z.object(shapeOf(UDP_SETTINGS)),
  [RTSP]: z.object(shapeOf(RTSP_SETTINGS)),
  [HTTP]: z.object(shapeOf(HLS_SETTINGS)),
  [NDI]: ndiConfig
} as const

export type OutputConfigs = { [Protocol in keyof typeof OUTPUT_CONFIGS]: z.output<(typeof OUTPUT_CONFIGS)[Protocol]> }
export type PlaybackConfig = { 'allow-ip'?: z.output<(typeof PLAYBACK)['allow-ip']['schema']> }
