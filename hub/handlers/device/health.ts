// The health of a device for a caller, with the hub's words for its warnings.
import type { Device } from '../../../contract/device/device.ts'
import { assessDevice } from '../../../contract/device/device-health.ts'
import { deviceWarningLines } from '../../messages/device-warnings.ts'
import type { Language } from '../../messages/language.ts'

/** @param warningSince since when the device has warnings, in milliseconds since the epoch */
export function healthOfDevice(
  language: Language,
  device: Device,
  warningSince?: number
): NonNullable<Device['health']> {
  const health = assessDevice(device)
  if (health.verdict !== 'warning') return health
  const message = deviceWarningLines(language, device['dev-warns'])
  return { ...health, ...(warningSince && { since: warningSince }), ...(message && { message }) }
}
