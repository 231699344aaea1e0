// Adapters by device generation.
import type { DeviceHello } from '../../../contract/device/link.ts'
import type { Adapter } from './adapter.ts'
import { api } from './api.ts'
import { mwapi } from './mwapi.ts'
import { usapi } from './usapi.ts'

/** By the API in the hello of a device. Third-party devices have none, and the hub does not manage them further. */
export const ADAPTERS: Readonly<Record<DeviceHello['api'], Adapter | undefined>> = {
  usapi,
  mwapi,
  api,
  none: undefined
}
