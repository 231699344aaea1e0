// Verdicts on devices, computed from their registration and their last report (docs/wire.md, "Health"). The hub and the
// console use these functions, so that both say the same.

import { AUTH_FAILED, VERIFY_FAILED } from '../codes.ts'
import type { DeviceVerdict, Health } from '../health.ts'
import { DEVICE_UPDATE_STATE } from '../rollout.ts'
import { type Device, REGISTRATION_STATE } from './device.ts'

type DeviceHealth = Health<DeviceVerdict>

/**
 * Why a device is offline, and what to do about it: to check its power does not help against a login that it refuses.
 *
 * @param trouble why the hub does not reach the address of the device
 */
export function offlineCause(trouble: number | undefined) {
  if (trouble === AUTH_FAILED) return { reason: 'not-authorized', 'next-step': 'check-credentials' } as const
  if (trouble === VERIFY_FAILED) return { reason: 'device-certificate' } as const
  return { reason: 'device-offline', 'next-step': 'check-device' } as const
}

/** The verdict on a device, from its registration, its link and its last report. */
export function assessDevice(device: Device): DeviceHealth {
  const registration = device['reg-state']
  if (registration === REGISTRATION_STATE.rejected) return { verdict: 'rejected' }
  if (registration !== REGISTRATION_STATE.accepted) return { verdict: 'pending', since: device['apply-date'] }
  if ((device.update?.state ?? DEVICE_UPDATE_STATE.idle) >= DEVICE_UPDATE_STATE.updating) return { verdict: 'updating' }
  if (!device['online-date']) {
    const since = device['offline-date']
    return { verdict: 'offline', ...(since && { since }), ...offlineCause(device.at?.trouble) }
  }
  if (device['dev-warns']) return { verdict: 'warning', reason: 'device-warning', 'next-step': 'check-device' }
  return { verdict: 'online', since: device['online-date'] }
}
