import type { DeviceUpdate } from '../../../contract/device/status.ts'
import { updateLabel } from '../../text/states.ts'
import { StatusLabel } from '../../ui/status-label.tsx'

/** Status of a device's firmware update. */
export function UpdateState({ update }: { update: DeviceUpdate }) {
  return <StatusLabel {...updateLabel(update)} />
}
