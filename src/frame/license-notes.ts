// Notes of the menu about the licence: the end of maintenance support, and limits that are exceeded.
import type { CurrentLicense } from '../../contract/license/calls.ts'
import type { LicenseLimits } from '../../contract/license/license.ts'
import type { SystemStatus } from '../../contract/system.ts'
import type { RouteName } from '../paths.ts'
import { type Translation, t } from '../text/language.ts'
import { licenseLimitText } from '../text/license.ts'

const DAY = 24 * 60 * 60 * 1000
/** Days before the end of maintenance support from which it is announced. */
const SUPPORT_DAYS = 30

const TEXT = {
  supportEnded: ['Maintenance support has expired', '维护支持已过期'],
  supportEnds: ['Maintenance support expires in {0} days', '维护支持将于 {0} 天后到期'],
  supportEndsAtOnce: ['Maintenance support expires soon', '维护支持即将到期']
} as const satisfies Record<string, Translation>

/** The menu entry of each limit. */
const ROUTE_OF_LIMIT: Readonly<Record<keyof LicenseLimits, RouteName>> = {
  'max-channel-count': 'channels',
  'max-live-count': 'channels',
  'max-output-count': 'outputs',
  'max-srt-count': 'outputs',
  'max-dev-count': 'allDevices'
}

/** Whether maintenance support has ended, or ends within 30 days. */
function supportNote({ 'support-end': end }: Partial<CurrentLicense>, now: number): string | undefined {
  if (!end || end - now > SUPPORT_DAYS * DAY) return undefined
  if (end <= now) return t(TEXT.supportEnded)
  const days = Math.floor((end - now) / DAY)
  return t(days > 1 ? TEXT.supportEnds : TEXT.supportEndsAtOnce, days)
}

/**
 * Notes for menu entries, by route.
 * @param now milliseconds since the epoch by the hub's clock
 */
export function licenseNotes(
  status: Pick<SystemStatus, 'cur-license'> | undefined,
  now: number
): Partial<Record<RouteName, string>> {
  const current = status?.['cur-license'] ?? {}
  const notes: Partial<Record<RouteName, string>> = {}
  const support = supportNote(current, now)
  if (support) notes.license = support
  for (const name of Object.keys(ROUTE_OF_LIMIT) as (keyof LicenseLimits)[]) {
    const [used = 0, max = 0] = [current.used?.[name], current[name]]
    const route = ROUTE_OF_LIMIT[name]
    if (max > 0 && used > max) notes[route] = [notes[route] ?? [], licenseLimitText(name, used, max)].flat().join(' · ')
  }
  return notes
}
