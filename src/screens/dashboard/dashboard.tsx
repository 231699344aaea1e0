// Dashboard: the state of the machine, the devices and the channels. All values come from the hub.
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/access/permissions.ts'
import type { SystemStatus } from '../../../contract/system.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { hubStatusText } from '../../text/hub-status.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { ActiveChannels } from './active-channels.tsx'
import { Bandwidth } from './bandwidth.tsx'
import { LogCard } from './log-card.tsx'
import { Machine } from './machine.tsx'
import { TEXT } from './text.ts'
import { Total } from './total.tsx'
import { WarningsCard } from './warnings.tsx'

export function DashboardScreen() {
  const { value } = useStore($system)
  const isAllowed = useStore($isAllowed)
  const placeholder = usePlaceholder($system, !value, null)
  if (!value) return placeholder
  const { system } = value.status
  return (
    <>
      {hubStatusText(system.status['status-code']).map((warning) => (
        <p key={warning} className="banner" role="alert">
          {warning}
        </p>
      ))}
      <Totals system={system} isAllowed={isAllowed} />
      <div className="cards">
        <Machine status={value.status} />
        <Bandwidth />
        {isAllowed({ access: CHANNEL_VIEW }) && <ActiveChannels />}
        {isAllowed({ access: DEVICE_VIEW }) && <WarningsCard />}
        {isAllowed({ access: SYSTEM_CONFIG_VIEW }) && <LogCard />}
      </div>
    </>
  )
}

interface TotalsProps {
  system: SystemStatus['system']
  isAllowed: (call: { access: number }) => boolean
}

function Totals({ system: { device, channel, output }, isAllowed }: TotalsProps) {
  const maySeeDevices = isAllowed({ access: DEVICE_VIEW })
  return (
    <div className="figures">
      <Total
        title={t(TEXT.online)}
        count={device['num-online']}
        note={`/ ${device['num-all']}`}
        href={maySeeDevices ? linkTo('allDevices') : undefined}
      />
      <Total
        title={t(TEXT.warnings)}
        count={device['num-warn']}
        tone={device['num-warn'] > 0 ? 'warn' : undefined}
        href={maySeeDevices ? linkTo('warningDevices') : undefined}
      />
      <Total
        title={t(TEXT.pending)}
        count={device['num-pending']}
        href={isAllowed({ access: DEVICE_ADV_CONTROL }) ? linkTo('pendingDevices') : undefined}
      />
      <Total
        title={t(TEXT.channelsLive)}
        count={channel['num-live']}
        note={`/ ${channel['num-all']} · ${t(TEXT.outputsLive, output['num-live'], output['num-all'])}`}
        href={isAllowed({ access: CHANNEL_VIEW }) ? linkTo('channels') : undefined}
      />
    </div>
  )
}
