// Why a device is offline, for the channels that use it: what helps against a device without power is dangerous for one
// whose firmware is being written.
import { AUTH_FAILED, VERIFY_FAILED } from '../../contract/codes.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { AddressedDevices } from '../devices/address/addressed-devices.ts'
import type { Store } from '../store/store.ts'

export interface OfflineReasonParts {
  store: { rollouts: Pick<Store['rollouts'], 'updatingDevices'> }
  addressedDevices: Pick<AddressedDevices, 'addressInfo'>
}

/** @param sn serial number of a device that is offline */
export function offlineReason({ store, addressedDevices }: OfflineReasonParts, sn: string): Reason {
  if (store.rollouts.updatingDevices().has(sn)) return 'device-updating'
  const trouble = addressedDevices.addressInfo(sn)?.trouble
  if (trouble === AUTH_FAILED) return 'device-login'
  return trouble === VERIFY_FAILED ? 'device-certificate' : 'device-offline'
}
