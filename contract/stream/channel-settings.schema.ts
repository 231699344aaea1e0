// The settings of a channel.
import * as z from 'zod'
import { CHANNEL_EDIT } from '../access/permissions.ts'
import { faultIssue, id, own, textRule, vendor, wholeNumber } from '../fields.schema.ts'
import { DEFAULT_HEALTH_BOUNDS } from '../health.ts'
import {
  ALLOW_LIST_MAX,
  BACKUPS_MAX,
  DISCONTINUITIES_MAX,
  LOSS_PERCENT_MAX,
  RECORDING_DAYS,
  RECORDING_GB_MAX,
  SCHEDULE_RULES_MAX,
  SWITCH_AFTER,
  SWITCH_BACK
} from '../limits.ts'
import { RECORDING_MODES } from '../recording/modes.ts'
import { ipRange } from '../rules/network.ts'
import { optional, wireKey } from '../rules/rules.ts'
import { eventOrder, scheduleDateTime, scheduleTime, timeZone } from '../rules/schedule.ts'
import type { EngineSettings, SettingTable, SettingValues, StoredSettings } from '../setting.schema.ts'
import { contentSettings, DEFAULT_CONTENT_SETTINGS } from './content-settings.schema.ts'
import { NdiOutputConfig } from './output-settings.schema.ts'
import { EVERY_DAY } from './schedule.ts'

/** The failover rule. */
const switchRule = z.object({
  'after-s': wholeNumber(SWITCH_AFTER.min, SWITCH_AFTER.max),
  back: z.enum(['never', 'first']),
  'back-after-s': wholeNumber(SWITCH_BACK.min, SWITCH_BACK.max)
})

const healthBounds = z.object({
  'loss-percent': z.number().min(0).max(LOSS_PERCENT_MAX),
  discontinuities: wholeNumber(0, DISCONTINUITIES_MAX)
})

const scheduleRule = z.object({
  days: wholeNumber(1, EVERY_DAY),
  start: textRule(scheduleTime).meta({ example: '09:30' }),
  stop: textRule(scheduleTime).meta({ example: '11:00' })
})

const scheduleEvent = z
  .object({
    start: textRule(scheduleDateTime).meta({ example: '2026-11-29T09:30' }),
    stop: textRule(scheduleDateTime).meta({ example: '2026-11-29T11:00' })
  })
  .superRefine((event, context) => {
    const fault = eventOrder(event)
    if (fault) context.addIssue({ ...faultIssue(fault), path: ['stop'] })
  })

const schedule = z.object({
  zone: textRule(timeZone),
  rules: z.array(scheduleRule).max(SCHEDULE_RULES_MAX),
  events: z.array(scheduleEvent).max(SCHEDULE_RULES_MAX).optional()
})

const recordingRule = z.object({
  mode: z.enum(RECORDING_MODES),
  'keep-days': wholeNumber(0, RECORDING_DAYS.max),
  'keep-gb': wholeNumber(0, RECORDING_GB_MAX),
  'when-full': z.enum(['delete', 'stop']),
  schedule: schedule.optional()
})

export type RecordingRule = z.infer<typeof recordingRule>

/** In the order of responses and of the operation log. */
export const CHANNEL_SETTINGS = {
  'play-key': {
    schema: textRule(optional(wireKey)).meta(
      vendor(
        'Stream key of players, 1-63 units (an earlier one can be longer, and stays), unique in the hub and different from `push-key`. Absent or empty in a new channel: `PULL-<UUID>`. Returned to callers with CHANNEL_EDIT only'
      )
    ),
    stored: ['play_key', 'text'],
    key: { prefix: 'PULL', withheld: 'play' },
    visibleTo: CHANNEL_EDIT,
    engine: 'access',
    interrupts: true,
    label: ['playback key', '拉流密钥']
  },
  'push-key': {
    schema: textRule(optional(wireKey)).meta(
      vendor(
        'Stream key of publishers, 1-63 units (an earlier one can be longer, and stays), unique in the hub and different from `play-key`. Absent or empty in a new channel: `PUSH-<UUID>`. Returned to callers with CHANNEL_EDIT only'
      )
    ),
    stored: ['push_key', 'text'],
    key: { prefix: 'PUSH', withheld: 'push' },
    visibleTo: CHANNEL_EDIT,
    engine: 'access',
    interrupts: true,
    label: ['ingest key', '推流密钥']
  },
  /** Stored in the table `channel_backup`. */
  backups: {
    schema: z.array(id).max(BACKUPS_MAX).meta(own('Node ids of up to 8 backup inputs, in failover order')),
    label: ['backup inputs', '备用输入']
  },
  /** The built-in NDI output of the channel. Absent: it has none, and none is listed in `outputs`. */
  ndi: {
    schema: NdiOutputConfig.extend({ enable: z.boolean() }).meta(
      vendor(
        'Built-in NDI output with the name of the channel: `enable`, `group`, `transport-mode`, `mcast-ip`, `mcast-sub-mask`, `mcast-time-to-live`. Once set, it is one of the outputs, with the id of the channel'
      )
    ),
    stored: ['ndi', 'json'],
    label: ['NDI output', 'NDI 输出']
  },
  protocol: {
    schema: z
      .object({ rtmp: z.boolean(), srt: z.boolean() })
      .meta(vendor('`rtmp`, `srt`: protocols for playback at the shared ports')),
    stored: ['reach', 'member'],
    default: { rtmp: true, srt: true },
    partial: true,
    label: ['protocol', '协议']
  },
  'allow-ip': {
    schema: z
      .array(textRule(ipRange))
      .max(ALLOW_LIST_MAX)
      .meta(
        own(
          'Up to 32 IPv4 or IPv6 addresses or ranges (`10.0.0.0/8`) from which clients may publish and play. Empty: all'
        )
      ),
    stored: ['reach', 'member'],
    default: [],
    engine: 'access',
    interrupts: true,
    label: ['allowed addresses', '允许的地址']
  },
  'replace-publisher': {
    schema: z
      .boolean()
      .meta(
        own(
          'Whether a new publisher replaces one that is still sending. `false` (default): it is refused, unless the other one has been silent for 1 s'
        )
      ),
    stored: ['reach', 'member'],
    default: false,
    engine: 'access',
    interrupts: true,
    label: ['replacement of publishers', '替换推流端']
  },
  switch: {
    schema: switchRule.meta(
      own(
        'Failover rule: `after-s` (1-60 s without data, default 3), `back` (`never`, `first`), `back-after-s` (5-3600 s with media, default 30)'
      )
    ),
    stored: ['switch', 'json'],
    default: { 'after-s': SWITCH_AFTER.default, back: 'first', 'back-after-s': SWITCH_BACK.default },
    engine: 'own',
    interrupts: true,
    label: ['failover', '故障切换']
  },
  'switch-on-track-loss': {
    schema: z
      .boolean()
      .meta(
        own(
          'Whether a backup also takes over when the input on air has media but has lost its video or audio, or is a device without an input signal, and the backup has both (default `true`)'
        )
      ),
    stored: ['switch_on_track_loss', 'added'],
    default: true,
    engine: 'own',
    interrupts: false,
    label: ['failover on lost tracks', '轨道中断时切换']
  },
  'hold-both': {
    schema: z
      .boolean()
      .meta(
        own(
          'Whether the media of the backup inputs is held (for `after-s` and 1.5 s, at most 12 s and 16 MiB, from a key frame on), so that a backup that takes over begins at the first picture that was lost (default `false`)'
        )
      ),
    stored: ['hold_both', 'added'],
    default: false,
    engine: 'own',
    interrupts: false,
    label: ['holding of backup media', '备用输入缓存']
  },
  slate: {
    schema: z.boolean().meta(own('Whether to send a slate while no input has media')),
    stored: ['slate', 'bit'],
    default: false,
    engine: 'own',
    interrupts: true,
    label: ['slate', '垫片']
  },
  schedule: {
    schema: schedule.meta(
      own(
        '`zone` (IANA time zone), `rules`: up to 32 with `days` (mask: Monday 1, Tuesday 2, Wednesday 4, Thursday 8, Friday 16, Saturday 32, Sunday 64), `start`, `stop` (`HH:MM`; a `stop` that is not later than `start` is on the next day), `events`: up to 32 with `start` and `stop` (local dates and times, `2026-11-29T09:30`); the hub removes an event when it has ended. A new schedule starts or stops the channel at once, except that an event in the future changes nothing'
      )
    ),
    stored: ['schedule', 'json'],
    default: { zone: 'UTC', rules: [] },
    label: ['schedule', '定时计划']
  },
  content: {
    schema: contentSettings.meta(
      own(
        'Checks of the content of the input on air. Each has `enable`, `after-s` (1-3600 s for which it has to be faulty) and `failover` (whether a backup takes over, which is then checked as well; default `false`). `black` (default after 10 s), `frozen` (60 s) and `silent` (15 s, `level`: highest peak in dBFS, -100 to -20, default -60) are on by default; `unexpected-format` (`expected`: `width`, `height`, `fps`, `video-codec`, `audio-codec`, `channels`, each optional), `phase-inverted`, `clipped`, `loud` and `quiet` (`level`: short-term loudness of EBU R 128 in LUFS, -70 to 0, default -14 and -40) are not. A request may leave out checks, which then stay as they are'
      )
    ),
    stored: ['content', 'added'],
    default: DEFAULT_CONTENT_SETTINGS,
    partial: true,
    engine: 'own',
    interrupts: false,
    label: ['content checks', '内容检测']
  },
  recording: {
    schema: recordingRule.meta(
      own(
        'When the channel is recorded, and how long that is kept. `mode`: `manual` (default; by hand), `always`, `schedule` (in the periods of `schedule`, which is as that of the channel), or `alarm` (from 30 s before the channel is down or degraded until 30 s after). `keep-days`: 1-3650 days, 0 for ever (default 30). `keep-gb`: GB at most, 0 without limit (default). `when-full`: whether a disk that is almost full `delete`s the oldest segments (default) or lets the recording `stop`. One that was started by hand goes on until it is stopped by hand'
      )
    ),
    stored: ['recording', 'added'],
    default: { mode: 'manual', 'keep-days': RECORDING_DAYS.default, 'keep-gb': 0, 'when-full': 'delete' },
    label: ['recording', '录制']
  },
  health: {
    schema: healthBounds.meta(
      own(
        'Numbers above which the channel is degraded: `loss-percent` (0-100 percent of the packets of the last 10 s, default 0.1), `discontinuities` (0-1000 within 10 s, default 0)'
      )
    ),
    stored: ['health', 'json'],
    default: DEFAULT_HEALTH_BOUNDS,
    label: ['bounds of degraded', '降级阈值']
  }
} as const satisfies SettingTable

type Table = typeof CHANNEL_SETTINGS
export type ChannelSettings = SettingValues<Table>
/** The settings that are stored in the row of a channel. */
export type StoredChannelSettings = StoredSettings<Table>
export type EngineChannelSettings<Place extends 'own' | 'access'> = EngineSettings<Table, Place>
