// Dashboard: problems, channels, devices, and the machine, in the order in which they matter. All values come from the
// hub.
import { CHANNEL_VIEW, SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { HUB_BUSY_BITS, hubStatusText } from '../../text/hub-status.ts'
import { useStore } from '../../ui/use-store.ts'
import { Bandwidth } from './bandwidth.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { DeviceStrip } from './device-strip.tsx'
import { LogCard } from './log-card.tsx'
import { Machine } from './machine.tsx'
import { ProblemsCard } from './problems-card.tsx'

/** Shown on every page, and on the upgrade page: a hub that trusts no key for updates works as it should. */
const ELSEWHERE = HUB_BUSY_BITS | UPDATE_STATUS_BITS.unavailable

export function DashboardScreen() {
  const { value } = useStore($system)
  const isAllowed = useStore($isAllowed)
  const placeholder = usePlaceholder($system, !value, null)
  if (!value) return placeholder
  const { system } = value.status
  return (
    <>
      {hubStatusText(system.status['status-code'] & ~ELSEWHERE).map((warning) => (
        <p key={warning} className="banner" role="alert">
          {warning}
        </p>
      ))}
      <ProblemsCard />
      {isAllowed({ access: CHANNEL_VIEW }) && <ChannelsCard />}
      <DeviceStrip device={system.device} />
      <div className="cards">
        <Bandwidth />
        <Machine status={value.status} />
        {isAllowed({ access: SYSTEM_CONFIG_VIEW }) && <LogCard />}
      </div>
    </>
  )
}
