import type { Device } from '../../../contract/device/device.ts'
import { hasDetailView } from '../../../contract/device/families.ts'
import { deviceLink } from './device-link.ts'

/** The name of a device, with a link to its page if its family has one. */
export function DeviceName({ device }: { device: Device }) {
  const { name } = device
  return hasDetailView(device) ? <a href={`#${deviceLink(device)}`}>{name}</a> : name
}
