// The hub's own state, which the dashboard shows and the menu takes its badges from.
import { atom, computed, onSet } from 'nanostores'
import { SUCCESS } from '../../contract/codes.ts'
import { BADGE_CAP_DEVICES, BADGE_CAP_FLAG } from '../../contract/limits.ts'
import { STATUS, systemStatus } from '../../contract/system.ts'
import { $skew } from '../ui/clock.ts'
import { liveValue } from './live-value.ts'
import { noteExpiry } from './session.ts'

export const $system = liveValue({ call: systemStatus, request: atom({}), pace: 'slower', topic: 'status' })

onSet($system, ({ newValue: { code, value } }) => {
  if (code !== SUCCESS || !value) return
  const { info } = value.status.system
  noteExpiry(info['expired-time'])
  // The hub says whole seconds: less than two apart is no difference.
  const ahead = info['date-time'] * 1000 - Date.now()
  $skew.set(Math.abs(ahead) < 2000 ? 0 : ahead)
})

export interface Badges {
  pending: number
  warnings: number
  /** The SRT server failed to start. */
  channels: number
  /** A new version exists. */
  upgrade: number
}

const flag = (set: number) => Math.min(set, BADGE_CAP_FLAG)

/** What the menu shows beside its entries, capped; 0 = nothing. */
export const $badges = computed($system, ({ value }): Badges => {
  const { device, status } = value?.status.system ?? {}
  const code = status?.['status-code'] ?? 0
  return {
    pending: Math.min(device?.['num-pending'] ?? 0, BADGE_CAP_DEVICES),
    warnings: Math.min(device?.['num-warn'] ?? 0, BADGE_CAP_DEVICES),
    channels: flag(code & STATUS.srtFailed),
    upgrade: flag(code & STATUS.newVersion)
  }
})
