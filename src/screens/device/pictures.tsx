import type { Device } from '../../../contract/device.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { LivePicture, Presence, signalOf, Warnings } from '../../parts/device-facts.tsx'

interface PicturesProps {
  devices: readonly Device[]
  actions: readonly Action<Device>[]
}

/** Devices as tiles with their live pictures. Only tiles on screen are wanted from the hub. */
export function Pictures({ devices, actions }: PicturesProps) {
  return (
    <ul className="tiles">
      {devices.map((device) => (
        <li className="tile" key={device.id}>
          <LivePicture device={device} />
          <Presence device={device} pill />
          <footer>
            <span className="tile-name">
              <strong className="cut" data-tip="">
                {device.name}
              </strong>
              <small className="cut muted">{signalOf(device) || device['module-name']}</small>
            </span>
            <Warnings device={device} />
            <Actions actions={actions} rows={[device]} nameOf={() => device.name} />
          </footer>
        </li>
      ))}
    </ul>
  )
}
