// The health of a device for a caller, with the hub's words for its warnings.
import type { Device } from '../../../contract/device/device.ts'
import { assessDevice } from '../../../contract/device/device-health.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { WARNING_LABELS } from '../../../contract/text/sentences.ts'
import { type Language, translate } from '../../messages/language.ts'

type WarningName = keyof typeof DEVICE_WARNING_BITS

/** @param warningSince since when the device has warnings, in milliseconds since the epoch */
export function healthOfDevice(
  language: Language,
  device: Device,
  warningSince?: number
): NonNullable<Device['health']> {
  const health = assessDevice(device)
  if (health.verdict !== 'warning') return health
  const labels = (Object.keys(WARNING_LABELS) as WarningName[])
    .filter((name) => device['dev-warns'] & DEVICE_WARNING_BITS[name])
    .map((name) => translate(language, WARNING_LABELS[name]))
  const message = labels.join(language === 'zh' ? '，' : ', ')
  return { ...health, ...(warningSince && { since: warningSince }), ...(message && { message }) }
}
