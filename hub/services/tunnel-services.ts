// Creates what leads through the hub to a device: port forwards and web pages.
import { WEB_PAGE_PERMISSION } from '../../contract/device/web-page.ts'
import { createDeviceAccess } from '../auth/device-access.ts'
import type { HubContext } from '../context.ts'
import { createPortForwards } from '../devices/port-forwards.ts'
import { createDevicePages } from '../pages/device-pages.ts'

export function createTunnelServices({
  store,
  gate,
  hosts,
  host,
  links
}: Pick<HubContext, 'store' | 'gate' | 'hosts' | 'host' | 'links'>) {
  const portForwards = createPortForwards({
    host,
    openTunnel: links.openTunnel,
    onChanged: (id) => store.changes.markChanged('portforward', id),
    onClosed: (id) => store.changes.markRemoved('portforward', id)
  })
  const canAccessDevice = createDeviceAccess(store, gate)
  const devicePages = createDevicePages({
    host,
    isHostAllowed: (header) => hosts.allows(header),
    connect: links.openWebPage,
    canAccess: (session, sn) => canAccessDevice(session, sn, WEB_PAGE_PERMISSION)
  })
  return { portForwards, canAccessDevice, devicePages }
}
