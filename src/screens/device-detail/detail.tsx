// The page of a device: its state, the actions on it, and its cards.
import { useLayoutEffect } from 'react'
import { CLIENT_NOT_EXIST, DEVICE_TYPE_ERROR, NOT_EXIST } from '../../../contract/codes.ts'
import { type Device, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { hasDetailView } from '../../../contract/device/families.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { DeletedState, useWasSeen } from '../../parts/deleted-state.tsx'
import { offlineReason } from '../../parts/device/device-actions.tsx'
import { DeviceState, DeviceWarnings, wordedHealth } from '../../parts/device/device-facts.tsx'
import { deviceLink } from '../../parts/device/device-link.ts'
import { HealthBanner } from '../../parts/health-banner.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { TagChips } from '../../parts/tag/tag-chips.tsx'
import { linkTo } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { codeText, NO_RESPONSE } from '../../text/codes.ts'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Cards } from './cards.tsx'
import { DeviceActions } from './device-actions.tsx'
import { $device, $sn } from './store.ts'

export function DeviceDetailScreen() {
  const { sn = '' } = useParams()
  useLayoutEffect(() => $sn.set(sn))
  const { value, code } = useStore($device)
  const device = value?.dev.sn === sn ? value.dev : undefined
  const placeholder = usePlaceholder($device, !device, null)
  usePageTitle(code === NOT_EXIST ? undefined : device?.name)
  const wasSeen = useWasSeen(device !== undefined)
  if (code === NOT_EXIST && wasSeen) return <DeletedState icon="devices" list={linkTo('allDevices')} />
  if (code === NOT_EXIST) return <EmptyState icon="devices" title={codeText(CLIENT_NOT_EXIST)} />
  if (!device) return <>{placeholder}</>
  if (!hasDetailView(device))
    return (
      <EmptyState icon="devices" title={codeText(DEVICE_TYPE_ERROR)}>
        <a href={`#${deviceLink(device)}`}>{device.name}</a>
      </EmptyState>
    )
  const isAccepted = device['reg-state'] === REGISTRATION_STATE.accepted
  // The hub clears the status of an online device when its responses cannot be read.
  const isSilent =
    device['online-date'] > 0 &&
    device.status &&
    Object.keys(device.status).length === 0 &&
    !(device['dev-warns'] & DEVICE_WARNING_BITS.firmwareUnsupported)
  return (
    <div className="stack">
      <TagChips ids={device.tags} />
      <DeviceHeader device={device} />
      {isAccepted && isSilent && <p className="banner">{codeText(NO_RESPONSE)}</p>}
      <Cards device={device} />
    </div>
  )
}

/**
 * The state of a device and the actions on it. Of a device that is offline or has warnings: since when, why, and what
 * to do.
 */
function DeviceHeader({ device }: { device: Device }) {
  const health = wordedHealth(device)
  const { verdict } = health
  if (verdict !== 'offline' && verdict !== 'warning')
    return (
      <div className="tools">
        <DeviceState device={device} />
        <DeviceWarnings device={device} />
        <span className="push" />
        <DeviceActions device={device} />
      </div>
    )
  return (
    <HealthBanner
      health={health}
      // That it is offline is in the verdict already.
      why={verdict === 'offline' ? device.at?.trouble !== undefined && offlineReason([device]) : undefined}
    >
      <DeviceActions device={device} />
    </HealthBanner>
  )
}
