import type { Device } from '../../../contract/device/device.ts'
import { linkTo, type RouteName } from '../../paths.ts'

/** Link to the page of a device. @param from the route whose menu entry stays highlighted */
export const deviceLink = ({ sn, 'catalog-id': catalog }: Device, from?: RouteName): string =>
  linkTo('deviceDetail', { sn, catalog: String(catalog), 'search-navigation': from })

/** The name of a device, with a link to its page. */
export const DeviceName = ({ device }: { device: Device }) => <a href={`#${deviceLink(device)}`}>{device.name}</a>
