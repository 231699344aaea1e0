// The counts in the menu.
import type { CloudHub } from '../../contract/cloud/calls.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { BADGE_CAP_DEVICES } from '../../contract/limits.ts'
import type { Badges } from '../state/system.ts'
import { useStore } from '../ui/use-store.ts'
import { $hubs } from './hub/store.ts'
import { $worstProblems } from './problem/store.ts'

export function useCloudBadges(): Badges {
  const { items } = useStore($hubs)
  const { total: problems } = useStore($worstProblems)
  const count = (matches: (hub: CloudHub) => boolean) => Math.min(items.filter(matches).length, BADGE_CAP_DEVICES)
  return {
    pending: count(({ state }) => state === REGISTRATION_STATE.pending),
    warnings: count(({ warnings }) => warnings.length > 0),
    problems: Math.min(problems, BADGE_CAP_DEVICES),
    channels: 0,
    upgrade: 0
  }
}
