import type { DeviceUpdate } from '../../../contract/device/device.ts'
import { percent } from '../../text/numbers.ts'
import { State } from '../../ui/state.tsx'

/** How the update of a device's firmware stands, as the hub says it. */
export const UpdateState = ({
  update: { progress, tone = 'off', text = percent(progress) }
}: {
  update: DeviceUpdate
}) => <State tone={tone} text={text} />
