import type { ReactNode } from 'react'
import type { Device } from '../../../contract/device/device.ts'
import { activityOf, DeviceState, DeviceWarnings, LivePreview, signalOf } from '../../parts/device/device-facts.tsx'
import { DeviceName } from '../../parts/device/device-name.tsx'
import { FamilyPicture } from '../../parts/device/family-picture.tsx'

/** The tile of a device, with its live preview. The preview is requested from the hub only while it is on screen. */
export function DeviceTile({ device, children }: { device: Device; children: ReactNode }) {
  return (
    <>
      <LivePreview device={device} />
      <DeviceState device={device} pill />
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            <DeviceName device={device} />
          </strong>
          <small className="cut muted">
            <FamilyPicture module={device.module} /> {activityOf(device) || signalOf(device) || device['module-name']}
          </small>
        </span>
        <DeviceWarnings device={device} />
        {children}
      </footer>
    </>
  )
}
