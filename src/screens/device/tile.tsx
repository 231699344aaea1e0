import type { ReactNode } from 'react'
import type { Device } from '../../../contract/device/device.ts'
import { activityOf, LivePicture, Presence, signalOf, Warnings } from '../../parts/device/device-facts.tsx'
import { DeviceName } from '../../parts/device/device-name.tsx'

/** A device in its tile: its live picture, which is wanted from the hub only while it is on screen. */
export function DeviceTile({ device, children }: { device: Device; children: ReactNode }) {
  return (
    <>
      <LivePicture device={device} />
      <Presence device={device} pill />
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            <DeviceName device={device} />
          </strong>
          <small className="cut muted">{activityOf(device) || signalOf(device) || device['module-name']}</small>
        </span>
        <Warnings device={device} />
        {children}
      </footer>
    </>
  )
}
