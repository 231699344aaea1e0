// Actions on the device page: those of the lists, and the device's own web page.
import { type Device, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { isInteractive } from '../../../contract/device/families.ts'
import { WEB_PAGE_PERMISSION } from '../../../contract/device/web-page.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { leadingTo } from '../../parts/deleted-state.tsx'
import {
  ACCEPT,
  DEVICE_ACTIONS,
  DEVICE_COUNT,
  deviceName,
  offlineReason,
  REJECT,
  REMOVE,
  TRUST
} from '../../parts/device/device-actions.tsx'
import { linkTo } from '../../paths.ts'
import { webPageUrl } from './store.ts'
import { TEXT } from './text.ts'

const OPEN_PAGE: Action<Device> = {
  call: { access: WEB_PAGE_PERMISSION },
  icon: 'language',
  verb: TEXT.openPage,
  isApplicable: isInteractive,
  disabledReason: offlineReason,
  run: async ([device]) => device !== undefined && !open(webPageUrl(device.sn), '_blank', 'noopener,noreferrer')
}

/** Recording and streaming commands are buttons; the other actions are in a menu. */
const isButton = (action: Action<Device>) => action === TRUST || /record|play|stop/.test(action.icon)
const BUTTONS = [OPEN_PAGE, ...DEVICE_ACTIONS.filter(isButton)]
const REMOVE_HERE = leadingTo(linkTo('allDevices'), REMOVE)
const MENU_ACTIONS = DEVICE_ACTIONS.filter((action) => !isButton(action)).map((action) =>
  action === REMOVE ? REMOVE_HERE : action
)

export function DeviceActions({ device }: { device: Device }) {
  const registration = device['reg-state']
  const isAccepted = registration === REGISTRATION_STATE.accepted
  const registrationActions =
    registration === REGISTRATION_STATE.pending ? [ACCEPT, REJECT, REMOVE_HERE] : [ACCEPT, REMOVE_HERE]
  return (
    <Actions
      actions={isAccepted ? BUTTONS.filter(({ isApplicable }) => isApplicable?.(device)) : registrationActions}
      menuActions={isAccepted ? MENU_ACTIONS : undefined}
      rows={[device]}
      nameOf={deviceName}
      countText={DEVICE_COUNT}
    />
  )
}
