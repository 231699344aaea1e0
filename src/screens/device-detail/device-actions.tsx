// What can be done to the device: what lists offer too, its own web page, and a port of it.
import { type Device, REGISTRATION } from '../../../contract/device/device.ts'
import { isInteractive } from '../../../contract/device/families.ts'
import { WEB_PAGE_RIGHT } from '../../../contract/device/web-page.ts'
import { startPortForward } from '../../../contract/port-forward.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import {
  ACCEPT,
  awake,
  DEVICE_ACTIONS,
  deviceName,
  REJECT,
  REMOVE,
  THESE_DEVICES
} from '../../parts/device/device-actions.tsx'
import { link } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { webPage } from './store.ts'
import { TEXT } from './text.ts'

const OPEN_PAGE: Action<Device> = {
  call: { who: WEB_PAGE_RIGHT },
  icon: 'language',
  verb: TEXT.openPage,
  fits: isInteractive,
  barred: awake,
  run: async ([device]) => device !== undefined && !open(webPage(device.sn), '_blank', 'noopener,noreferrer')
}

const FORWARD: Action<Device> = {
  call: startPortForward,
  icon: 'output',
  verb: TEXT.forward,
  fits: isInteractive,
  async run([device]) {
    if (device) navigate(link('portForward', { sn: device.sn }))
    return true
  }
}

/** What it does right now stands for itself, the rest in a menu. */
const isShown = ({ icon }: Action<Device>) => icon === 'record' || icon === 'play' || icon === 'stop'
const SHOWN = [OPEN_PAGE, FORWARD, ...DEVICE_ACTIONS.filter(isShown)]
const MORE = DEVICE_ACTIONS.filter((action) => !isShown(action))

export function DeviceActions({ device }: { device: Device }) {
  const decided = device['reg-state']
  const accepted = decided === REGISTRATION.accepted
  const decisions = decided === REGISTRATION.pending ? [ACCEPT, REJECT, REMOVE] : [ACCEPT, REMOVE]
  return (
    <Actions
      actions={accepted ? SHOWN.filter(({ fits }) => fits?.(device)) : decisions}
      more={accepted ? MORE : undefined}
      rows={[device]}
      nameOf={deviceName}
      these={THESE_DEVICES}
    />
  )
}
