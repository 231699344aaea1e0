// The machine, the fleet and the channels at a glance. Everything here is the hub's word; what the machine does not have is said so.
import { CHANNEL_VIEW, DEVICE_ADV_CONTROL, DEVICE_VIEW, SYSTEM_CONFIG_VIEW } from '../../../contract/permissions.ts'
import type { SystemStatus } from '../../../contract/system.ts'
import { useInstead } from '../../parts/load-state.tsx'
import { link } from '../../paths.ts'
import { $may } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { hubWarnings } from '../../text/hub-warnings.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { ActiveChannels } from './active-channels.tsx'
import { Bandwidth } from './bandwidth.tsx'
import { LogCard } from './log-card.tsx'
import { Machine } from './machine.tsx'
import { TEXT } from './text.ts'
import { Sum } from './total.tsx'
import { Warnings } from './warnings.tsx'

export function DashboardScreen() {
  const { value } = useStore($system)
  const may = useStore($may)
  const instead = useInstead($system, !value, null)
  if (!value) return instead
  const { system } = value.status
  return (
    <>
      {hubWarnings(system.status['status-code']).map((warning) => (
        <p key={warning} className="banner" role="alert">
          {warning}
        </p>
      ))}
      <Sums system={system} may={may} />
      <div className="cards">
        <Machine status={value.status} />
        <Bandwidth />
        {may({ who: CHANNEL_VIEW }) && <ActiveChannels />}
        {may({ who: DEVICE_VIEW }) && <Warnings />}
        {may({ who: SYSTEM_CONFIG_VIEW }) && <LogCard />}
      </div>
    </>
  )
}

interface SumsProps {
  system: SystemStatus['system']
  may: (call: { who: number }) => boolean
}

function Sums({ system: { device, channel, output }, may }: SumsProps) {
  const devices = may({ who: DEVICE_VIEW })
  return (
    <div className="figures">
      <Sum
        title={t(TEXT.online)}
        count={device['num-online']}
        note={`/ ${device['num-all']}`}
        to={devices ? link('allDevices') : undefined}
      />
      <Sum
        title={t(TEXT.warnings)}
        count={device['num-warn']}
        tone={device['num-warn'] > 0 ? 'warn' : undefined}
        to={devices ? link('warningDevices') : undefined}
      />
      <Sum
        title={t(TEXT.pending)}
        count={device['num-pending']}
        to={may({ who: DEVICE_ADV_CONTROL }) ? link('pendingDevices') : undefined}
      />
      <Sum
        title={t(TEXT.channelsLive)}
        count={channel['num-live']}
        note={`/ ${channel['num-all']} · ${t(TEXT.outputsLive, output['num-live'], output['num-all'])}`}
        to={may({ who: CHANNEL_VIEW }) ? link('channels') : undefined}
      />
    </div>
  )
}
