// Web page of a device, proxied by the hub. `GET /socket/sc-remote/<serial>/` is for the address bar and for links with
// target="_blank" and rel="noopener", not for `send`: the response is a redirect to a separate origin for this page, or
// an error page.
import { DEVICE_CONTROL } from '../access/permissions.ts'

/** Permission to open web pages of visible devices. */
export const WEB_PAGE_PERMISSION = DEVICE_CONTROL

export const WEB_PAGE_PREFIX = '/socket/sc-remote/'

/** Path of a device's web page on the origin of the console. */
export function webPagePath(sn: string): string {
  return `${WEB_PAGE_PREFIX}${encodeURIComponent(sn)}/`
}
