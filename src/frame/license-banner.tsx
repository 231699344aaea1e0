import { SYSTEM_CONFIG_VIEW } from '../../contract/access/permissions.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { linkTo } from '../paths.ts'
import { $isAllowed } from '../state/session.ts'
import { $system } from '../state/system.ts'
import { dateTime } from '../text/dates.ts'
import { t } from '../text/language.ts'
import { licenseExpiresText, licenseStateText } from '../text/license.ts'
import { hubNow } from '../ui/clock.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Days before the end of a licence from which it is announced, and from which the announcement is a warning. */
const ANNOUNCED_DAYS = 30
const WARNING_DAYS = 15
const DAY = 24 * 60 * 60 * 1000

/** Says that the licence has ended, or that it ends within 30 days, with the way to the licence page. */
export function LicenseBanner() {
  const { 'license-reg': registration, 'cur-license': current } = useStore($system).value?.status ?? {}
  const isAllowed = useStore($isAllowed)
  const { status = LICENSE_STATE.none } = registration ?? {}
  const end = current?.['expired-time'] ?? Number.POSITIVE_INFINITY
  const days = Math.floor((end - hubNow()) / DAY)
  const isEnded = status !== LICENSE_STATE.none && status !== LICENSE_STATE.valid
  if (!isEnded && (status === LICENSE_STATE.none || days > ANNOUNCED_DAYS)) return null
  const isWarning = days < WARNING_DAYS
  return (
    <p
      className="banner"
      data-tone={isEnded ? 'bad' : isWarning ? 'warn' : 'off'}
      role={isEnded || isWarning ? 'alert' : undefined}
    >
      <Icon name={isEnded || isWarning ? 'warning' : 'license'} />
      <span>{isEnded ? licenseStateText(status) : licenseExpiresText(days, dateTime(end))}</span>
      {isAllowed({ access: SYSTEM_CONFIG_VIEW }) && <a href={`#${linkTo('license')}`}>{t(TEXT.license)}</a>}
    </p>
  )
}
