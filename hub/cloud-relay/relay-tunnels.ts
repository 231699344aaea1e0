// Connects users of the cloud to the web pages of devices, and to the ports that they have forwarded.
import type { Duplex } from 'node:stream'
import { parseTunnelTarget } from '../../contract/cloud/relay.ts'
import { WEB_PAGE_PERMISSION } from '../../contract/device/web-page.ts'
import { tunnelAsDuplex } from '../../device-link/tunnel-duplex.ts'
import type { DeviceAccessCheck } from '../auth/device-access.ts'
import type { DeviceLinks } from '../devices/link/links.ts'
import type { PortForwards } from '../devices/port-forwards.ts'

export interface RelayTunnelParts {
  canAccessDevice: DeviceAccessCheck
  links: Pick<DeviceLinks, 'openWebPage' | 'openTunnel'>
  portForwards: Pick<PortForwards, 'list'>
}

/** @returns the connection; undefined: the session may not open it. Rejected if the device cannot be reached */
export type OpenRelayTunnel = (target: string, session: string) => Promise<Duplex | undefined>

export function createRelayTunnels({ canAccessDevice, links, portForwards }: RelayTunnelParts): OpenRelayTunnel {
  return async (text, session) => {
    const target = parseTunnelTarget(text)
    if (!target) return undefined
    if ('sn' in target)
      return canAccessDevice(session, target.sn, WEB_PAGE_PERMISSION) ? links.openWebPage(target.sn) : undefined
    // The end of its rights closes a port forward.
    const forward = portForwards.list().find((each) => each.localPort === target.port && each.session === session)
    const tunnel = forward && (await links.openTunnel(forward.sn, forward.remotePort))
    return tunnel && 'rstCode' in tunnel ? tunnelAsDuplex(tunnel) : tunnel
  }
}
