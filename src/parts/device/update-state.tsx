import type { DeviceUpdate } from '../../../contract/device/status.ts'
import { StatusLabel } from '../../ui/status-label.tsx'

/** Status of a device's firmware update, in the words of the hub. */
export function UpdateState({ update: { tone = 'off', text = '' } }: { update: DeviceUpdate }) {
  return <StatusLabel tone={tone} text={text} />
}
