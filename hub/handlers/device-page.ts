// Opens a device's own web page (contract/device/web-page.ts). Device pages have origins of their own; on the console's
// origin this handler only checks the caller, sets a cookie that gives access, and redirects the browser to the page's
// origin.

import { isPermitted } from '../../contract/access/permissions.ts'
import {
  CLIENT_NOT_EXIST,
  CLIENT_OFFLINE,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY,
  UNSUPPORTED
} from '../../contract/codes.ts'
import { hasDetailView, isInteractive } from '../../contract/device/families.ts'
import { WEB_PAGE_PERMISSION, WEB_PAGE_PREFIX } from '../../contract/device/web-page.ts'
import { hostNameOf } from '../../web-server/host-header.ts'
import { isFromOwnPage } from '../../web-server/origin.ts'
import type { Peer } from '../../web-server/peer.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { DeviceAccessCheck } from '../auth/device-access.ts'
import type { Caller } from '../auth/gate.ts'
import type { Registry } from '../devices/registry.ts'
import type { DevicePages } from '../pages/device-pages.ts'
import { modelOf } from '../store/devices.ts'
import type { Store } from '../store/store.ts'

interface DevicePageParts {
  store: Store
  registry: Registry
  canAccessDevice: DeviceAccessCheck
  devicePages: DevicePages
}

/**
 * HTTP status and plain text for each result code. The text has both languages because the browser shows it outside the
 * console.
 */
const ERROR_PAGES: Readonly<Record<number, [number, string]>> = {
  [NOT_LOGGED_IN]: [401, 'Sign in to the console first.\n请先登录控制台。\n'],
  [NOT_PERMITTED]: [403, 'You may not open the pages of devices.\n您没有打开设备页面的权限。\n'],
  [UNSUPPORTED]: [403, 'The hub cannot open pages of this kind of device.\n中控不支持打开此类设备的页面。\n'],
  [CLIENT_NOT_EXIST]: [404, 'There is no such device.\n设备不存在。\n'],
  [CLIENT_OFFLINE]: [502, 'The device is not connected.\n设备未连接。\n'],
  [TOO_MANY]: [503, 'Too many device pages are open.\n打开的设备页面过多。\n']
}

/** Creates the handler of GET requests whose path starts with `/socket/sc-remote/`. */
export function createDevicePageHandler({
  store,
  registry,
  canAccessDevice: deviceAccess,
  devicePages
}: DevicePageParts) {
  return async function openDevicePage(request: HubRequest, peer: Peer, caller: Caller | undefined): Promise<Response> {
    const hubHost = request.headers.get('host') ?? ''
    const [sn = ''] = request.path.slice(WEB_PAGE_PREFIX.length).split('/')
    const serial = /^[\w-]{1,64}$/.test(sn) ? sn : ''

    function log(code: number): void {
      const logged = store.database.transactionOrLater(() =>
        store.logs.addOperation({
          time: Date.now(),
          user: caller?.user.name ?? '',
          token: caller?.tokenName,
          ip: peer.address,
          event: WEB_PAGE_PREFIX.slice(0, -1),
          detail: serial,
          code,
          objects: serial ? [`device:${serial}`] : [],
          anonymous: !caller
        })
      )
      if (logged) store.changes.markChanged('log')
    }
    function refuse(code: number): Response {
      log(code)
      const [status, text] = ERROR_PAGES[code] ?? [500, '']
      return new Response(text, {
        status,
        headers: { 'content-type': 'text/plain;charset=utf-8', 'cache-control': 'no-store' }
      })
    }

    if (request.method !== 'GET') return new Response('', { status: 405, headers: { allow: 'GET' } })
    if (!caller) return refuse(NOT_LOGGED_IN)
    const sameOrigin = isFromOwnPage(request.headers, hubHost)
    // Checked before the serial number, so that a caller without the permission cannot find out which devices exist.
    if (sameOrigin === false || caller.isRestricted || !isPermitted(WEB_PAGE_PERMISSION, caller.user))
      return refuse(NOT_PERMITTED)
    if (!serial || !deviceAccess(caller.session, serial, WEB_PAGE_PERMISSION)) return refuse(CLIENT_NOT_EXIST)
    const row = store.devices.bySerial(serial)
    if (row && !(isInteractive(modelOf(row)) && hasDetailView(row))) return refuse(UNSUPPORTED)
    if (!registry.isOnline(serial)) return refuse(CLIENT_OFFLINE)
    const page = await devicePages.open(serial, caller.session)
    if (!page) return refuse(TOO_MANY)
    log(SUCCESS)
    // Browsers share cookies between all ports of a host, so the cookie set here reaches the page's port, and the URL
    // needs no secret.
    const location = `http://${hostNameOf(hubHost)}:${page.port}/`
    return new Response(null, {
      status: 303,
      headers: { location, 'set-cookie': page.cookie, 'cache-control': 'no-store' }
    })
  }
}
