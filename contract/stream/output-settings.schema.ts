// The settings of an output, by protocol, and those of an NDI source. All of them are stored in the column `config`.
import * as z from 'zod'
import { INPUT_OUTPUT_EDIT } from '../access/permissions.ts'
import { family, faultIssue, own, port, text, textRule, vendor, wholeNumber } from '../fields.schema.ts'
import {
  ALLOW_LIST_MAX,
  AUDIO_DELAY_MAX,
  AUDIO_GAIN_MAX,
  AUDIO_GAIN_MIN,
  AUDIO_TRACK_MAX,
  CLIENTS_DEFAULT,
  CLIENTS_MAX,
  LATENCY_DEFAULT,
  LATENCY_MAX,
  LATENCY_MIN,
  MTU_MAX,
  MTU_MIN,
  OVERHEAD_MAX,
  OVERHEAD_MIN,
  SEGMENT_DEFAULT,
  SEGMENT_MAX,
  SEGMENT_MIN,
  SEGMENTS_DEFAULT,
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
import { type SettingTable, type SettingValues, shapeOf } from '../setting.schema.ts'
import { OUTPUT_CERTIFICATES } from './certificate-check.schema.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'
import { completeLiveUrl, SRT_MODES, sourceUrl } from './source-url.ts'

/** Forms of the audio of an output. */
const AUDIO_FORMATS = ['as-is', 'aac', 'aac-mono'] as const

const flag = z.boolean().optional()
const maxClients = wholeNumber(1, CLIENTS_MAX)
  .optional()
  .meta(family(`Most players at the same time: 1-${CLIENTS_MAX}, default ${CLIENTS_DEFAULT}`))
/** The vendor's console sends it as text. */
const ttl = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value),
    wholeNumber(1, TTL_MAX).optional()
  )
  .meta(own(`Time to live of multicast packets: 1-${TTL_MAX}, default 1`))

/** A secret that editors see. If a write leaves it out, the stored value is kept. */
const secret = { visibleTo: INPUT_OUTPUT_EDIT, private: true } as const

const PLAYBACK = {
  'allow-ip': {
    schema: z
      .array(textRule(ipRange))
      .max(ALLOW_LIST_MAX)
      .optional()
      .meta(
        own(
          `Up to ${ALLOW_LIST_MAX} IPv4 or IPv6 addresses or ranges (\`10.0.0.0/8\`) that may play. They replace \`allow-ip\` of the channel; empty: that of the channel applies. If absent in a write, the stored list is kept`
        )
      )
  }
} as const satisfies SettingTable

/**
 * The audio of an output. All outputs of a channel with the same values share one encoder. If a write leaves one out,
 * the stored value is kept.
 */
const AUDIO = {
  audio: {
    schema: z
      .enum(AUDIO_FORMATS)
      .optional()
      .meta(
        own(
          '`as-is`, the default: the audio is not changed. `aac`: AAC in stereo at 48 kHz and 128 kbps, which costs about 1 % of a processor core for all outputs of the channel that have the same; audio that is AAC already is passed on unless another setting changes it. `aac-mono`: likewise in mono. Video is passed on, subtitles and data are left out. If absent in a write, the stored value is kept, as that of the next three'
        )
      )
  },
  'audio-track': {
    schema: wholeNumber(0, AUDIO_TRACK_MAX)
      .optional()
      .meta(own(`With AAC: the only audio track, 1-${AUDIO_TRACK_MAX}. 0, the default: all`))
  },
  'audio-gain': {
    schema: wholeNumber(AUDIO_GAIN_MIN, AUDIO_GAIN_MAX)
      .optional()
      .meta(own(`With AAC: gain in dB, ${AUDIO_GAIN_MIN} to ${AUDIO_GAIN_MAX}, default 0`))
  },
  'audio-delay': {
    schema: wholeNumber(0, AUDIO_DELAY_MAX)
      .optional()
      .meta(own(`With AAC: milliseconds by which the sound is later, 0-${AUDIO_DELAY_MAX}, default 0`))
  }
} as const satisfies SettingTable

/** RTMP target. */
const RTMP_SETTINGS = {
  ...AUDIO,
  url: {
    schema: textRule(
      (value) => sourceUrl(value) ?? (/^rtmps?:/i.test(completeLiveUrl(value)) ? undefined : { name: 'scheme' })
    ).meta(vendor('URL without the stream key. `rtmp://` may be left out'))
  },
  key: { schema: textRule(streamKey).optional().meta(vendor('Stream key')), ...secret },
  'enable-auth': { schema: flag.meta(vendor('Whether to log in at the target')), private: true },
  username: { schema: text.optional().meta(vendor('User name of the login')), private: true },
  password: { schema: text.optional().meta(vendor('Password of the login')), ...secret },
  'certificate-check': { schema: OUTPUT_CERTIFICATES['certificate-check'] },
  'trusted-certificates': { schema: OUTPUT_CERTIFICATES['trusted-certificates'] }
} as const satisfies SettingTable

/** SRT target (caller), server (listener), or a target that calls as well (rendezvous). */
const SRT_SETTINGS = {
  ...AUDIO,
  ...PLAYBACK,
  mode: {
    schema: z
      .enum(SRT_MODES)
      .meta(
        family(
          '`caller`: the hub connects to a target; `listener`: players connect to the hub; `rendezvous`: the hub and the target connect to each other at the same time'
        )
      )
  },
  'dst-ip': {
    schema: textRule(host).optional().meta(family('Caller and rendezvous: host name or address of the target'))
  },
  'dst-port': { schema: port.optional().meta(family('Caller and rendezvous: port of the target')) },
  'bind-port': {
    schema: port.optional().meta(family('Listener: UDP port of the hub. Rendezvous: likewise; absent: `dst-port`'))
  },
  'max-client-num': { schema: maxClients },
  /** Often contains a key. */
  'stream-id': {
    schema: textRule(streamId).optional().meta(family('Stream ID to send; listener: the one that players must send')),
    ...secret
  },
  latency: {
    schema: wholeNumber(LATENCY_MIN, LATENCY_MAX)
      .optional()
      .meta(family(`Latency: ${LATENCY_MIN}-${LATENCY_MAX} ms, default ${LATENCY_DEFAULT}`))
  },
  bandwidth: {
    schema: wholeNumber(OVERHEAD_MIN, OVERHEAD_MAX)
      .optional()
      .meta(
        family(`Bandwidth for retransmission: ${OVERHEAD_MIN}-${OVERHEAD_MAX} percent of the stream; absent: unlimited`)
      )
  },
  enc: {
    schema: z
      .enum(['disable', 'aes-128', 'aes-192', 'aes-256'])
      .optional()
      .meta(family('Encryption: `disable`, `aes-128`, `aes-192`, `aes-256`'))
  },
  passphrase: {
    schema: textRule((value) => (value === '' ? undefined : validPassphrase(value)))
      .optional()
      .meta(family('Never returned. Empty or absent with encryption enabled: the stored passphrase is kept')),
    visibleTo: 'nobody',
    private: true
  }
} as const satisfies SettingTable

/** MPEG-TS over UDP or RTP to an address. */
const UDP_SETTINGS = {
  ...AUDIO,
  'dst-ip': { schema: textRule(host).meta(own('Host name or address of the target, also of multicast')) },
  'dst-port': { schema: port.meta(own('Port of the target')) },
  mtu: {
    schema: wholeNumber(MTU_MIN, MTU_MAX)
      .optional()
      .meta(
        own(`Largest packet: ${MTU_MIN}-${MTU_MAX} bytes, default ${MTU_MAX}, which holds seven packets of MPEG-TS`)
      )
  },
  'mcast-time-to-live': { schema: ttl },
  iface: {
    schema: textRule(networkInterface).optional().meta(own('Network interface for multicast, by name or IPv4 address'))
  }
} as const satisfies SettingTable

/**
 * RTSP server. The main stream is the channel as it is. The sub stream is the same picture and sound, transcoded by the
 * hub to at most 640 x 360 pixels and about 600 kbps (`SUB_STREAM`), H.264 and AAC; the hub transcodes only while
 * somebody plays it.
 */
const RTSP_SETTINGS = {
  ...AUDIO,
  ...PLAYBACK,
  port: { schema: port.meta(vendor('TCP port of the hub')) },
  key: {
    schema: textRule(rtspKey)
      .optional()
      .meta(vendor('Path of the main stream in `rtsp://<hub>:<port>/<key>`. Default: generated')),
    ...secret
  },
  'is-sub': {
    schema: flag.meta(
      family('Whether there is a sub stream. If absent in a write: as before, or `true` with a `sub-key`')
    )
  },
  'sub-key': {
    schema: textRule(rtspKey).optional().meta(own('Path of the sub stream, different from `key`. Default: generated')),
    ...secret
  },
  'max-client-num': {
    schema: maxClients.meta(
      vendor(`Most players of both streams at the same time: 1-${CLIENTS_MAX}, default ${CLIENTS_DEFAULT}`)
    )
  },
  'enable-auth': { schema: flag.meta(vendor('Whether players must log in')), private: true },
  username: { schema: textRule(loginName).optional().meta(vendor('User name of the login')), private: true },
  password: { schema: text.optional().meta(vendor('Password of the login')), ...secret },
  type: { schema: z.literal(0).optional().meta(vendor('0')) }
} as const satisfies SettingTable

/** HLS output, served at `/hls/<key>/index.m3u8` of the port for files and of the web port. */
const HLS_SETTINGS = {
  ...AUDIO,
  ...PLAYBACK,
  key: {
    schema: textRule(pathKey).optional().meta(own('Folder in `/hls/<key>/index.m3u8`. Default: generated')),
    ...secret
  },
  'seg-count': {
    schema: wholeNumber(SEGMENTS_MIN, SEGMENTS_MAX)
      .optional()
      .meta(family(`Segments in the playlist: ${SEGMENTS_MIN}-${SEGMENTS_MAX}, default ${SEGMENTS_DEFAULT}`))
  },
  'seg-duration': {
    schema: wholeNumber(SEGMENT_MIN, SEGMENT_MAX)
      .optional()
      .meta(
        family(
          `Duration of a segment: ${SEGMENT_MIN}-${SEGMENT_MAX} s, default ${SEGMENT_DEFAULT}. It ends at the first key frame after it`
        )
      )
  }
} as const satisfies SettingTable

/** NDI source with the name of the output. Requires the NDI runtime on the hub. */
const NDI_SETTINGS = {
  group: {
    schema: textRule(optional(ndiGroups))
      .optional()
      .meta(vendor('Groups of the source, separated by commas. Default: those of the settings'))
  },
  'transport-mode': {
    schema: wholeNumber(0, NDI_TRANSPORT_MAX)
      .optional()
      .meta(vendor(`Transport: 0-${NDI_TRANSPORT_MAX}, see \`transport-mode\``))
  },
  'mcast-ip': { schema: textRule(multicastAddress).optional().meta(vendor('First address of multicast')) },
  'mcast-sub-mask': { schema: textRule(subnetMask).optional().meta(vendor('Mask of the addresses of multicast')) },
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

export const SrtOutputConfig = z.object(shapeOf(SRT_SETTINGS)).superRefine((config, context) => {
  const reportMissing = (field: string) => context.addIssue({ ...faultIssue({ name: 'required' }), path: [field] })
  if (config.mode === 'listener' && !config['bind-port']) reportMissing('bind-port')
  if (config.mode !== 'listener' && !config['dst-ip']) reportMissing('dst-ip')
  if (config.mode !== 'listener' && !config['dst-port']) reportMissing('dst-port')
})
export const RtmpOutputConfig = z.object(shapeOf(RTMP_SETTINGS))
export const UdpOutputConfig = z.object(shapeOf(UDP_SETTINGS))
export const RtspOutputConfig = z.object(shapeOf(RTSP_SETTINGS))
export const HlsOutputConfig = z.object(shapeOf(HLS_SETTINGS))
export const NdiOutputConfig = z.object(shapeOf(NDI_SETTINGS))

/** The configuration of an output by protocol, as in requests. */
export const OUTPUT_CONFIGS = {
  [RTMP]: RtmpOutputConfig,
  [SRT]: SrtOutputConfig,
  [UDP]: UdpOutputConfig,
  [RTP]: UdpOutputConfig,
  [RTSP]: RtspOutputConfig,
  [HTTP]: HlsOutputConfig,
  [NDI]: NdiOutputConfig
} as const

export type OutputConfigs = { [Protocol in keyof typeof OUTPUT_CONFIGS]: z.output<(typeof OUTPUT_CONFIGS)[Protocol]> }
/** Names of the settings of the audio. */
export const AUDIO_SETTINGS: readonly string[] = Object.keys(AUDIO)
/** The settings of the audio, which every output but NDI has. */
export type AudioConfig = Partial<SettingValues<typeof AUDIO>>
export type PlaybackConfig = { 'allow-ip'?: z.output<(typeof PLAYBACK)['allow-ip']['schema']> }
