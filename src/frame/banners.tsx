// The banners above every screen, side by side in one line: the hub is restarted or updated, it cannot store changes,
// the default password is in use, the licence ends; on the dashboard also its other warnings. What stays as it is for a
// day can be put off for a day in this browser.
import { FIRMWARE_MANAGER, SYSTEM_CONFIG_VIEW } from '../../contract/access/permissions.ts'
import type { Access } from '../../contract/call.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { type StorageFault, UPDATE_STATUS_BITS } from '../../contract/system.ts'
import { linkTo, type RouteName } from '../paths.ts'
import { $isAllowed } from '../state/session.ts'
import { $system } from '../state/system.ts'
import { dateTime } from '../text/dates.ts'
import { HUB_BUSY_BITS, hubStatusText } from '../text/hub-status.ts'
import { type Translation, t } from '../text/language.ts'
import { licenseExpiresText, licenseFaultText } from '../text/license.ts'
import { hubNow } from '../ui/clock.ts'
import { useStore } from '../ui/use-store.ts'
import { Banner, DAY, PasswordBanner } from './banner.tsx'
import * as TEXT from './text.ts'

interface PermittedLinkProps {
  to: RouteName
  label: Translation
  access: Access
}

/** A link to a screen, for users with permission to open it. */
function PermittedLink({ to, label, access }: PermittedLinkProps) {
  return useStore($isAllowed)({ access }) ? <a href={`#${linkTo(to)}`}>{t(label)}</a> : null
}

const STORAGE_FAULTS: Readonly<Record<StorageFault, Translation>> = {
  full: [
    'Disk full: changes are not saved. Delete device firmware, or clear logs.',
    '磁盘已满，更改无法保存。请删除设备固件或清空日志。'
  ],
  'read-only': [
    'Disk read-only: changes are not saved. Check the disk of the hub.',
    '磁盘为只读，更改无法保存。请检查中控的磁盘。'
  ],
  failed: [
    'Disk error: changes are not saved. Check the disk of the hub.',
    '磁盘故障，更改无法保存。请检查中控的磁盘。'
  ]
}

/** Warns while the hub cannot store changes, with links to what can be deleted if the disk is full. */
function StorageBanner() {
  const fault = useStore($system).value?.status.system.status['storage-fault']
  if (!fault) return null
  return (
    <Banner tone="bad" text={t(STORAGE_FAULTS[fault])}>
      {fault === 'full' && <PermittedLink to="firmware" label={TEXT.firmware} access={FIRMWARE_MANAGER} />}
      {fault === 'full' && <PermittedLink to="logs" label={TEXT.logs} access="admin" />}
    </Banner>
  )
}

/** Shows that the hub is being restarted, reset, imported or updated. While it is away the last status stays. */
function HubBusyBanner() {
  const [text] = hubStatusText((useStore($system).value?.status.system.status['status-code'] ?? 0) & HUB_BUSY_BITS)
  return text ? <Banner tone="warn" icon="retry" text={text} /> : null
}

/** Shown on every page, and on the upgrade page: a hub that trusts no key for updates works as it should. */
const ELSEWHERE = HUB_BUSY_BITS | UPDATE_STATUS_BITS.unavailable

/** The other warnings of the hub, such as low memory. */
function HubWarnings() {
  const code = useStore($system).value?.status.system.status['status-code'] ?? 0
  const text = hubStatusText(code & ~ELSEWHERE).join(' ')
  return text ? <Banner tone="warn" text={text} /> : null
}

/** Days before the end of a licence from which it is announced, and from which the announcement is a warning. */
const ANNOUNCED_DAYS = 30
const WARNING_DAYS = 15
/** Days before the end in which the announcement cannot be put off. */
const LAST_DAYS = 3

/**
 * Announces that the licence has ended, or that it ends within 30 days, with the way to the licence page. It can be put
 * off until the last days.
 */
function LicenseBanner() {
  const { 'license-reg': registration, 'cur-license': current } = useStore($system).value?.status ?? {}
  const { status = LICENSE_STATE.none } = registration ?? {}
  if (status === LICENSE_STATE.none) return null
  const end = current?.['expired-time'] ?? Number.POSITIVE_INFINITY
  const left = end - hubNow()
  const isEnded = status !== LICENSE_STATE.valid
  if (!isEnded && left > ANNOUNCED_DAYS * DAY) return null
  const tone = isEnded ? 'bad' : left < WARNING_DAYS * DAY ? 'warn' : 'off'
  return (
    <Banner
      name={!isEnded && left > LAST_DAYS * DAY ? 'license' : undefined}
      tone={tone}
      icon={tone === 'off' ? 'license' : 'warning'}
      text={isEnded ? licenseFaultText(status) : licenseExpiresText(Math.floor(left / DAY), dateTime(end))}
    >
      <PermittedLink to="license" label={TEXT.license} access={SYSTEM_CONFIG_VIEW} />
    </Banner>
  )
}

/** @param hasWarnings whether all warnings of the hub are shown */
export function Banners({ hasWarnings }: { hasWarnings: boolean }) {
  return (
    <div className="banners">
      <HubBusyBanner />
      <StorageBanner />
      {hasWarnings && <HubWarnings />}
      <PasswordBanner />
      <LicenseBanner />
    </div>
  )
}
