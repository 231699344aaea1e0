import type { Device } from '../../../contract/device/device.ts'
import { DeviceState, DeviceWarnings, wordedHealth } from '../../parts/device/device-facts.tsx'
import { HealthBanner } from '../../parts/health-banner.tsx'
import { DeviceActions } from './device-actions.tsx'

/**
 * The state of a device and the actions on it. Of a device that is offline or has warnings: since when, why, and what
 * to do.
 */
export function DeviceHeader({ device }: { device: Device }) {
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
    <HealthBanner health={health} why={verdict === 'offline' ? '' : undefined}>
      <DeviceActions device={device} />
    </HealthBanner>
  )
}
