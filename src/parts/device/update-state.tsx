import type { DeviceUpdate } from '../../../contract/device/status.ts'
import { updateStatus } from '../../text/states.ts'
import { StatusLabel } from '../../ui/status-label.tsx'

/** Status of a device's firmware update, in the words of the hub where it sends them. */
export function UpdateState({ update }: { update: DeviceUpdate }) {
  const { tone, text } = updateStatus(update)
  return <StatusLabel tone={update.tone ?? tone} text={update.text ?? text} />
}
