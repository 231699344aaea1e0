// Which adapter speaks to which devices.
import type { DeviceHello } from '../../../contract/device/link.ts'
import type { Adapter } from './adapter.ts'
import { api } from './api.ts'
import { mwapi } from './mwapi.ts'
import { usapi } from './usapi.ts'

/** By the API that a device says it answers. Third-party devices answer none, and are managed no further. */
export const ADAPTERS: Readonly<Record<DeviceHello['api'], Adapter | undefined>> = {
  usapi,
  mwapi,
  api,
  none: undefined
}
