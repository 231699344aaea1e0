// Devices added by address: the hub connects to the documented API of the device over HTTP or HTTPS, instead of the
// device opening a device link to the hub.

import { DEVICE_ADV_CONTROL } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'

export type { DeviceAddress } from './address.schema.ts'

export type AddDeviceRequest = RequestTo<'POST /device/add'>

/** Devices of a hub that are reached at an address. */
export const ADDRESSED_MAX = 1000

export const addDevice = declareCall('POST /device/add', DEVICE_ADV_CONTROL)

export const setDeviceAddress = declareCall('POST /device/set', DEVICE_ADV_CONTROL, { interrupts: true })
