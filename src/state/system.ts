// The hub's own state, which the dashboard shows and the menu takes its badges from.
import { atom } from 'nanostores'
import { BADGE_CAP_DEVICES, BADGE_CAP_FLAG } from '../../contract/limits.ts'
import { STATUS, type SystemStatus, systemStatus } from '../../contract/system.ts'
import { confirmUpdate } from '../../contract/update.ts'
import { send } from '../link/send.ts'
import { $skew } from '../ui/clock.ts'
import { liveValue } from './live-value.ts'
import { noteExpiry } from './session.ts'

export const $system = liveValue(
  { call: systemStatus, request: atom({}), pace: 'slower', topic: 'status' },
  ({ status }) => {
    const { info } = status.system
    noteExpiry(info['expired-time'])
    // A new console stays when one of it has come this far.
    const script = info['console-trial']
    if (script && import.meta.url.endsWith(script)) void send(confirmUpdate, { script })
    // The hub says whole seconds: less than two apart is no difference.
    const ahead = info['date-time'] * 1000 - Date.now()
    $skew.set(Math.abs(ahead) < 2000 ? 0 : ahead)
  }
)

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
export function badgesOf(answer: { status: SystemStatus } | undefined): Badges {
  const { device, status } = answer?.status.system ?? {}
  const code = status?.['status-code'] ?? 0
  return {
    pending: Math.min(device?.['num-pending'] ?? 0, BADGE_CAP_DEVICES),
    warnings: Math.min(device?.['num-warn'] ?? 0, BADGE_CAP_DEVICES),
    channels: flag(code & STATUS.srtFailed),
    upgrade: flag(code & STATUS.newVersion)
  }
}
