// The settings of a channel.
import * as z from 'zod'
import { CHANNEL_EDIT } from '../access/permissions.ts'
import { DEFAULT_HEALTH_BOUNDS } from '../health.ts'
import {
  ALLOW_LIST_MAX,
  BACKUPS_MAX,
  DISCONTINUITIES_MAX,
  LOSS_PERCENT_MAX,
  SCHEDULE_RULES_MAX,
  SWITCH_AFTER,
  SWITCH_BACK
} from '../limits.ts'
import { faultIssue, id, textRule, wholeNumber } from '../requests/schema.ts'
import { ipRange } from '../rules/network.ts'
import { optional, wireKey } from '../rules/rules.ts'
import { eventOrder, scheduleDateTime, scheduleTime, timeZone } from '../rules/schedule.ts'
import type { EngineSettings, SettingRequest, SettingTable, SettingValues, StoredSettings } from '../setting.schema.ts'
import { ndiConfig } from './output-settings.schema.ts'
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
  start: textRule(scheduleTime),
  stop: textRule(scheduleTime)
})

const scheduleEvent = z
  .object({ start: textRule(scheduleDateTime), stop: textRule(scheduleDateTime) })
  .superRefine((event, context) => {
    const fault = eventOrder(event)
    if (fault) context.addIssue({ ...faultIssue(fault), path: ['stop'] })
  })

const schedule = z.object({
  zone: textRule(timeZone),
  rules: z.array(scheduleRule).max(SCHEDULE_RULES_MAX),
  events: z.array(scheduleEvent).max(SCHEDULE_RULES_MAX).optional()
})

/** In the order of responses and of the operation log. */
export const CHANNEL_SETTINGS = {
  'play-key': {
    schema: textRule(optional(wireKey)),
    stored: ['play_key', 'text'],
    key: { prefix: 'PULL', withheld: 'play' },
    visibleTo: CHANNEL_EDIT,
    engine: 'access',
    interrupts: true,
    label: ['playback key', '拉流密钥']
  },
  'push-key': {
    schema: textRule(optional(wireKey)),
    stored: ['push_key', 'text'],
    key: { prefix: 'PUSH', withheld: 'push' },
    visibleTo: CHANNEL_EDIT,
    engine: 'access',
    interrupts: true,
    label: ['ingest key', '推流密钥']
  },
  /** Stored in the table `channel_backup`. */
  backups: { schema: z.array(id).max(BACKUPS_MAX), label: ['backup inputs', '备用输入'] },
  /** The built-in NDI output of the channel. Absent: it has none, and none is listed in `outputs`. */
  ndi: {
    schema: ndiConfig.extend({ enable: z.boolean() }),
    stored: ['ndi', 'json'],
    label: ['NDI output', 'NDI 输出']
  },
  protocol: {
    schema: z.object({ rtmp: z.boolean(), srt: z.boolean() }),
    stored: ['reach', 'member'],
    default: { rtmp: true, srt: true },
    partial: true,
    label: ['protocol', '协议']
  },
  'allow-ip': {
    schema: z.array(textRule(ipRange)).max(ALLOW_LIST_MAX),
    stored: ['reach', 'member'],
    default: [],
    engine: 'access',
    interrupts: true,
    label: ['allowed addresses', '允许的地址']
  },
  'replace-publisher': {
    schema: z.boolean(),
    stored: ['reach', 'member'],
    default: false,
    engine: 'access',
    interrupts: true,
    label: ['replacement of publishers', '替换推流端']
  },
  switch: {
    schema: switchRule,
    stored: ['switch', 'json'],
    default: { 'after-s': SWITCH_AFTER.default, back: 'first', 'back-after-s': SWITCH_BACK.default },
    engine: 'own',
    interrupts: true,
    label: ['failover', '故障切换']
  },
  slate: {
    schema: z.boolean(),
    stored: ['slate', 'bit'],
    default: false,
    engine: 'own',
    interrupts: true,
    label: ['slate', '垫片']
  },
  schedule: {
    schema: schedule,
    stored: ['schedule', 'json'],
    default: { zone: 'UTC', rules: [] },
    label: ['schedule', '定时计划']
  },
  health: {
    schema: healthBounds,
    stored: ['health', 'json'],
    default: DEFAULT_HEALTH_BOUNDS,
    label: ['bounds of degraded', '降级阈值']
  }
} as const satisfies SettingTable

type Table = typeof CHANNEL_SETTINGS
export type ChannelSettings = SettingValues<Table>
export type ChannelSettingsRequest = SettingRequest<Table>
/** The settings that are stored in the row of a channel. */
export type StoredChannelSettings = StoredSettings<Table>
export type EngineChannelSettings<Place extends 'own' | 'access'> = EngineSettings<Table, Place>
