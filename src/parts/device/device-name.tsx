import type { Device } from '../../../contract/device/device.ts'
import { hasDetail } from '../../../contract/device/families.ts'
import { link, type Place } from '../../paths.ts'

/** Where a device can be looked at: its own page, or the list with it alone where it has none. */
export function deviceLink({ sn, module, 'catalog-id': catalog }: Device, from?: Place): string {
  const place = { 'search-navigation': from }
  return hasDetail({ module })
    ? link('deviceDetail', { sn, catalog: String(catalog), ...place })
    : link('allDevices', { key: sn, ...place })
}

/** What a device is called, leading to its page where it has one. */
export function DeviceName({ device }: { device: Device }) {
  const { name } = device
  return hasDetail(device) ? <a href={`#${deviceLink(device)}`}>{name}</a> : name
}
