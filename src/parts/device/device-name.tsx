import type { Device } from '../../../contract/device/device.ts'
import { hasDetailView } from '../../../contract/device/families.ts'
import { linkTo, type RouteName } from '../../paths.ts'

/**
 * Link to the page of a device, or for a family without such a page to the device list filtered by its serial number.
 */
export function deviceLink({ sn, module, 'catalog-id': catalog }: Device, from?: RouteName): string {
  const place = { 'search-navigation': from }
  return hasDetailView({ module })
    ? linkTo('deviceDetail', { sn, catalog: String(catalog), ...place })
    : linkTo('allDevices', { key: sn, ...place })
}

/** The name of a device, with a link to its page if its family has one. */
export function DeviceName({ device }: { device: Device }) {
  const { name } = device
  return hasDetailView(device) ? <a href={`#${deviceLink(device)}`}>{name}</a> : name
}
