// Verdicts on devices, computed from their registration and their last report (docs/wire.md, "Health"). The hub and the
// console use these functions, so that both say the same.

import type { DeviceVerdict, Health } from '../health.ts'
import { DEVICE_UPDATE_STATE } from '../rollout.ts'
import { type Device, REGISTRATION_STATE } from './device.ts'

type DeviceHealth = Health<DeviceVerdict>

/** The verdict on a device, from its registration, its link and its last report. */
export function assessDevice(device: Device): DeviceHealth {
  const registration = device['reg-state']
  if (registration === REGISTRATION_STATE.rejected) return { verdict: 'rejected' }
  if (registration !== REGISTRATION_STATE.accepted) return { verdict: 'pending', since: device['apply-date'] }
  if ((device.update?.state ?? DEVICE_UPDATE_STATE.idle) >= DEVICE_UPDATE_STATE.updating) return { verdict: 'updating' }
  if (!device['online-date']) {
    const since = device['offline-date']
    return { verdict: 'offline', ...(since && { since }), reason: 'device-offline', 'next-step': 'check-device' }
  }
  if (device['dev-warns']) return { verdict: 'warning', reason: 'device-warning', 'next-step': 'check-device' }
  return { verdict: 'online', since: device['online-date'] }
}
