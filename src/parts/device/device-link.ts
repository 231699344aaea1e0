import type { Device } from '../../../contract/device/device.ts'
import { hasDetailView } from '../../../contract/device/families.ts'
import { ALL_FAMILIES } from '../../../contract/device/products.ts'
import { linkTo, type RouteName } from '../../paths.ts'

/** A device in links and messages. Family and group may be unknown. */
export type LinkedDevice = Pick<Device, 'sn' | 'name'> & Partial<Pick<Device, 'module' | 'catalog-id'>>

/**
 * Link to the page of a device, or for a family without such a page to the device list filtered by its serial number.
 */
export function deviceLink(
  { sn, module = ALL_FAMILIES, 'catalog-id': catalog = 0 }: LinkedDevice,
  from?: RouteName
): string {
  const place = { 'search-navigation': from }
  return hasDetailView({ module })
    ? linkTo('deviceDetail', { sn, catalog: String(catalog), ...place })
    : linkTo('allDevices', { key: sn, ...place })
}
