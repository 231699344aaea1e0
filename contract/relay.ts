// Calls that the hub relays to one device: reference 1.3. Addressed by `sc-client-id=<sn>`, outside `/api`, below `/socket`.
// The answer is the device's own: code in `result` (usapi) or `status` (mwapi, api). The hub's own refusals come in `result`:
// 31, 37, 7, 10004 (the device did not answer in time), 10006 (unknown device), 10007 (offline).
import { DEVICE_CONTROL, DEVICE_VIEW } from './permissions.ts'

export const CLIENT_ID = 'sc-client-id'

/** What a device's call changes, and so who may make it. A method that is not here is refused with 31. */
export const RELAYED: Readonly<Record<'usapi' | 'mwapi' | 'api', Readonly<Record<string, number>>>> = {
  usapi: {
    ping: DEVICE_VIEW,
    'get-status': DEVICE_VIEW,
    'get-info': DEVICE_VIEW,
    'set-name': DEVICE_CONTROL,
    reboot: DEVICE_CONTROL,
    'start-live': DEVICE_CONTROL,
    'stop-live': DEVICE_CONTROL,
    'start-rec': DEVICE_CONTROL,
    'stop-rec': DEVICE_CONTROL
  },
  mwapi: {
    ping: DEVICE_VIEW,
    'get-summary-info': DEVICE_VIEW,
    'set-eth-config': DEVICE_CONTROL,
    reboot: DEVICE_CONTROL
  },
  api: {
    '/system/set-device-name': DEVICE_CONTROL,
    '/reboot': DEVICE_CONTROL,
    '/record/start-record': DEVICE_CONTROL,
    '/record/stop-record': DEVICE_CONTROL,
    '/live/start-quick-stream': DEVICE_CONTROL,
    '/live/stop-quick-stream': DEVICE_CONTROL
  }
}
