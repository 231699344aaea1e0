// A device's own web page, through the hub: specification 8, design 6. `GET /socket/sc-remote/<serial>/` is for the address bar and for
// links with target="_blank" and rel="noopener", not for `send`: it answers with a redirect to an origin of the page's own, or with a
// page that says why not.
import { DEVICE_CONTROL } from '../permissions.ts'

/** Who may open pages of the devices that he sees. */
export const WEB_PAGE_RIGHT = DEVICE_CONTROL

export const WEB_PAGE_PREFIX = '/socket/sc-remote/'

/** The address of a device's page, on the console's own origin. */
export function webPagePath(sn: string): string {
  return `${WEB_PAGE_PREFIX}${encodeURIComponent(sn)}/`
}
