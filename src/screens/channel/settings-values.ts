// The settings of a channel in forms.
import { CONTENT_AFTER, DISCONTINUITIES_MAX, SWITCH_AFTER, SWITCH_BACK } from '../../../contract/limits.ts'
import { lossPercent, numberRange } from '../../../contract/rules/number.ts'
import { channelName, optional, type RuleSet } from '../../../contract/rules/rules.ts'
import type { Channel, ChannelConfig } from '../../../contract/stream/channel.ts'
import { healthBounds } from '../../other-hubs.ts'
import { FIELD_TEXT } from '../../parts/source/field-text.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './dialog-text.ts'
import * as CHANNEL_TEXT from './text.ts'

/** Checks of the content that are edited. The others are set over the API. */
export const CONTENT_FIELDS = ['black', 'frozen', 'silent'] as const

/** Settings of a channel as the values of a form. For a check of the content: its time, empty if it is off. */
export interface Values extends Record<(typeof CONTENT_FIELDS)[number], string> {
  name: string
  switchAfter: string
  /** Empty: never. */
  switchBack: string
  'switch-on-track-loss': boolean
  'hold-both': boolean
  slate: boolean
  loss: string
  discontinuities: string
  'push-key': string
  'play-key': string
  'replace-publisher': boolean
  rtmp: boolean
  srt: boolean
  'allow-ip': string
  ndi: boolean
}

export const LABELS: Readonly<Record<keyof Values, () => string>> = {
  name: () => t(CHANNEL_TEXT.name),
  switchAfter: () => t(TEXT.after),
  switchBack: () => t(TEXT.back),
  'switch-on-track-loss': () => t(TEXT.trackLoss),
  'hold-both': () => t(TEXT.holdBoth),
  slate: () => t(TEXT.slate),
  loss: () => t(TEXT.lossBound),
  discontinuities: () => t(TEXT.discontinuityBound),
  black: () => t(TEXT.black),
  frozen: () => t(TEXT.frozen),
  silent: () => t(TEXT.silent),
  'push-key': () => t(TEXT.pushKey),
  'play-key': () => t(TEXT.playKey),
  'replace-publisher': () => t(TEXT.replacePublisher),
  rtmp: () => t(CHANNEL_TEXT.of, t(TEXT.play), 'RTMP'),
  srt: () => t(CHANNEL_TEXT.of, t(TEXT.play), 'SRT'),
  'allow-ip': () => t(FIELD_TEXT.allowed),
  ndi: () => t(TEXT.ndi)
}

/** Seconds until failover, and until the return to the main input. */
export const switchAfterRule = numberRange(SWITCH_AFTER.min, SWITCH_AFTER.max)
export const switchBackRule = numberRange(SWITCH_BACK.min, SWITCH_BACK.max)

const contentRule = optional(numberRange(CONTENT_AFTER.min, CONTENT_AFTER.max))

/** The hub validates keys and addresses. */
export const VALUE_RULES: RuleSet<Values> = {
  name: channelName,
  switchAfter: switchAfterRule,
  switchBack: optional(switchBackRule),
  loss: lossPercent,
  discontinuities: numberRange(0, DISCONTINUITIES_MAX),
  black: contentRule,
  frozen: contentRule,
  silent: contentRule
}

/** Other hubs have no checks. */
function contentValues(content: ChannelConfig['content']) {
  const times = CONTENT_FIELDS.map((name) => {
    const { enable, 'after-s': seconds } = content?.[name] ?? {}
    return [name, enable ? String(seconds) : '']
  })
  return Object.fromEntries(times) as Pick<Values, (typeof CONTENT_FIELDS)[number]>
}

export function valuesOf({ name, config }: Channel): Values {
  const { switch: rule, slate, protocol, ndi, ...options } = config as Required<ChannelConfig>
  const bounds = healthBounds(config)
  return {
    name,
    switchAfter: String(rule['after-s']),
    switchBack: rule.back === 'first' ? String(rule['back-after-s']) : '',
    'switch-on-track-loss': options['switch-on-track-loss'],
    'hold-both': options['hold-both'],
    slate,
    loss: String(bounds['loss-percent']),
    discontinuities: String(bounds.discontinuities),
    ...contentValues(config.content),
    'push-key': options['push-key'],
    'play-key': options['play-key'],
    'replace-publisher': options['replace-publisher'],
    ...protocol,
    'allow-ip': options['allow-ip'].join(', '),
    ndi: ndi.enable
  }
}

/** The settings that these values change. */
export function changedConfig(config: ChannelConfig, changed: Partial<Values>, values: Values): ChannelConfig {
  const {
    name: _,
    switchAfter,
    switchBack,
    rtmp,
    srt,
    ndi,
    'allow-ip': allowed,
    loss,
    discontinuities,
    black,
    frozen,
    silent,
    ...same
  } = changed
  const isChanged = (...texts: readonly unknown[]) => texts.some((text) => text !== undefined)
  return {
    ...same,
    ...(isChanged(switchAfter, switchBack) && {
      switch: {
        'after-s': Number(values.switchAfter),
        back: values.switchBack ? 'first' : 'never',
        'back-after-s': Number(values.switchBack) || config.switch?.['back-after-s']
      }
    }),
    ...(isChanged(loss, discontinuities) && {
      health: { 'loss-percent': Number(values.loss), discontinuities: Number(values.discontinuities) }
    }),
    ...(isChanged(black, frozen, silent) && {
      content: Object.fromEntries(
        CONTENT_FIELDS.map((name) => {
          const check = config.content?.[name]
          const seconds = Number(values[name])
          return [name, { ...check, enable: seconds > 0, 'after-s': seconds || check?.['after-s'] }]
        })
      )
    }),
    ...(ndi !== undefined && { ndi: { ...config.ndi, enable: ndi } }),
    ...(isChanged(rtmp, srt) && { protocol: { rtmp: values.rtmp, srt: values.srt } }),
    ...(allowed !== undefined && { 'allow-ip': allowed.split(/[\s,]+/).filter(Boolean) })
  } as ChannelConfig
}
