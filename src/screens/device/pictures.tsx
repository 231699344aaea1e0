import type { Device } from '../../../contract/device.ts'
import { type Action, RowActions } from './actions.tsx'
import { LivePicture, Presence, Warnings } from './facts.tsx'
import type { DeviceList } from './store.ts'

interface PicturesProps {
  devices: readonly Device[]
  actions: readonly Action[]
  list: DeviceList
}

/** Devices as tiles with their live pictures. Only tiles on screen are wanted from the hub. */
export function Pictures({ devices, actions, list }: PicturesProps) {
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
              <small className="cut muted">{device['pro-feature']?.input ?? device['module-name']}</small>
            </span>
            <Warnings device={device} />
            <RowActions actions={actions} device={device} list={list} />
          </footer>
        </li>
      ))}
    </ul>
  )
}
