// Devices: registration, lists, security and the connection configuration (docs/wire.md, "Devices").

import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_GROUP_CONTROL,
  DEVICE_SECURITY,
  DEVICE_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'

export type {
  Device,
  GlobalConfigResponse,
  GlobalDeviceSettings,
  SerialResult,
  SerialResults
} from './device.schema.ts'

/**
 * Registration states. `registering` is a state of the device link only: the device has sent its hello, and the hub has
 * not decided (`link.ts`).
 */
export const REGISTRATION_STATE = { registering: 29, accepted: 101, rejected: 102, pending: 103, deleted: 104 } as const

/** Value of the query parameter `reg-state`. */
export type RegistrationFilter = 'accepted' | 'rejected' | 'waiting'

/** Non-zero: the response includes the global configuration. */
export interface GlobalConfigRequest {
  'global-config'?: number
}

export type DeviceListRequest = RequestTo<'GET /device/list'>

export const listDevices = declareCall('GET /device/list', DEVICE_VIEW)

export const listDevicesBySerial = declareCall('POST /device/list', DEVICE_VIEW | CHANNEL_VIEW)

export const queryDevice = declareCall('GET /device/query', DEVICE_VIEW)

export type SerialsRequest = RequestTo<'POST /device/accept'>

export const acceptDevices = declareCall('POST /device/accept', DEVICE_ADV_CONTROL)
export const rejectDevices = declareCall('POST /device/reject', DEVICE_ADV_CONTROL, { interrupts: true })
export const deleteDevices = declareCall('POST /device/del', DEVICE_ADV_CONTROL, { interrupts: true })

export const setDeviceSecurity = declareCall('POST /device/security/set', DEVICE_SECURITY)

export const getGlobalDevice = declareCall(
  'GET /device/global/get',
  SYSTEM_CONFIG_VIEW | DEVICE_SECURITY | DEVICE_GROUP_CONTROL
)

export const setGlobalDevice = declareCall('POST /device/global/set', SYSTEM_CONFIG_EDIT, { interrupts: true })

export const configureDevices = declareCall('POST /device/config', DEVICE_CONTROL, { interrupts: true })

export const setFavorite = declareCall('POST /device/favorite/set', DEVICE_VIEW)
