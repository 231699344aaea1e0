// Settings that many channels get at once, and what changes in each of them.
import type { Channel } from '../../../contract/stream/channel.ts'
import type { Schedule } from '../../../contract/stream/schedule.ts'
import { $inputDevices } from '../../state/channel-devices.ts'
import { $inputs } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { changeText, type SettingsChange } from './bulk-edit.ts'
import { TEXT } from './bulk-text.ts'
import { TEXT as DIALOG_TEXT } from './dialog-text.ts'
import { slotText } from './schedule-text.ts'
import { changedConfig, LABELS, type Values, valuesOf } from './settings-values.ts'
import * as CHANNEL_TEXT from './text.ts'

/** Settings of failover that are on or off. */
export const SWITCHES = ['switch-on-track-loss', 'hold-both', 'slate'] as const

/** What all channels get; empty = each keeps its own. */
export interface FailoverValues extends Record<(typeof SWITCHES)[number], string> {
  /** Node id of a backup that each channel gets in addition. */
  node: string
  switchAfter: string
  /** 0: stays on the backup. */
  switchBack: string
}

const valueText = (value: string | boolean): string =>
  typeof value === 'boolean' ? t(value ? TEXT.on : TEXT.off) : value || '–'

export function failoverChange(channel: Channel, { node, ...chosen }: FailoverValues): SettingsChange {
  const before = valuesOf(channel)
  const after: Values = {
    ...before,
    ...(chosen.switchAfter && { switchAfter: chosen.switchAfter }),
    ...(chosen.switchBack && { switchBack: chosen.switchBack === '0' ? '' : chosen.switchBack }),
    ...Object.fromEntries(SWITCHES.flatMap((field) => (chosen[field] ? [[field, chosen[field] === 'true']] : [])))
  }
  const fields = (Object.keys(chosen) as (keyof typeof chosen)[]).filter((field) => after[field] !== before[field])
  const changed = Object.fromEntries(fields.map((field) => [field, after[field]]))
  const { backups = [] } = channel.config
  const backup = Number(node)
  const isAdded = backup > 0 && channel.input?.id !== backup && !backups.includes(backup)
  const added = [...$inputs.get().items, ...$inputDevices.get().items].find(({ id }) => id === backup)
  return {
    config: {
      ...(fields.length > 0 && changedConfig(channel.config, changed, after)),
      ...(isAdded && { backups: [...backups, backup] })
    },
    lines: [
      ...(isAdded ? [changeText(t(TEXT.backups), backups.length, backups.length + 1), `+ ${added?.name ?? node}`] : []),
      ...fields.map((field) => changeText(LABELS[field](), valueText(before[field]), valueText(after[field])))
    ]
  }
}

/** Such as 'Mon Tue 08:00–12:00, 2026-11-29 09:30–2026-11-29 10:00 (Europe/Berlin)'. */
function scheduleText({ zone, rules, events = [] }: Schedule = { zone: '', rules: [] }): string {
  const slots = [...rules, ...events].map(slotText)
  return slots.length > 0 ? `${slots.join(', ')} (${zone})` : t(CHANNEL_TEXT.none)
}

export function scheduleChange({ config }: Channel, schedule: Schedule): SettingsChange {
  const [before, after] = [scheduleText(config.schedule), scheduleText(schedule)]
  return {
    config: { schedule },
    lines: before === after ? [] : [changeText(t(DIALOG_TEXT.schedule), before, after)]
  }
}
