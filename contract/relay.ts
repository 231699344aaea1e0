// Calls that the hub relays to one device: `/socket/...?sc-client-id=<sn>`, outside `/api` (docs/wire.md, "Device generations").
// The response is the device's own, with its code in `result` (usapi) or `status` (mwapi, api). Errors of the hub are in `result`:
// 31, 37, 7 (also for a body that is too large), 9 (unknown path or method), 10004 (the device did not respond in time), 10006 (unknown device), 10007 (device offline).
import { DEVICE_CONTROL, DEVICE_VIEW } from './access/permissions.ts'

export const CLIENT_ID_PARAM = 'sc-client-id'

/** Path of the change feed behind a cloud relay, which forwards it to the hub unchanged. */
export const RELAYED_FEED_PATH = '/socket/sub_socket'

/** Relayed methods of each API generation, with the permission that each requires. The hub refuses any other method with 31. */
export const RELAY_PERMISSIONS: Readonly<Record<'usapi' | 'mwapi' | 'api', Readonly<Record<string, number>>>> = {
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
