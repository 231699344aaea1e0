// One interface to all devices, whether they registered over a link or are reached at an address.
import { UNSUPPORTED } from '../../contract/codes.ts'
import type { AddressedDevices } from './address/addressed-devices.ts'
import { LinkError } from './link/link-error.ts'
import type { DeviceLinks } from './link/links.ts'

/** Functions that need a link are rejected with 9 (unsupported) for a device at an address. */
export function combineLinks(links: DeviceLinks, addressed: AddressedDevices): DeviceLinks {
  const requireLink = <Result>(sn: string, work: () => Promise<Result>): Promise<Result> =>
    addressed.has(sn) ? Promise.reject(new LinkError(UNSUPPORTED, 'the device is reached at an address')) : work()
  return {
    get count() {
      return links.count
    },
    listen: (port, host) => links.listen(port, host),
    answerRequests: (onRequest) => links.answerRequests(onRequest),
    openPort: (port, host) => links.openPort(port, host),
    request: (sn, call, timeout) =>
      addressed.has(sn) ? addressed.request(sn, call, timeout) : links.request(sn, call, timeout),
    openTunnel: (sn, port) => (addressed.has(sn) ? addressed.openTunnel(sn, port) : links.openTunnel(sn, port)),
    openWebPage: (sn) => (addressed.has(sn) ? addressed.openWebPage(sn) : links.openWebPage(sn)),
    upload: (sn, file, options) =>
      addressed.has(sn) ? addressed.upload(sn, file, options) : links.upload(sn, file, options),
    subscribePreviews: (sn, size, onPreview) => links.subscribePreviews(sn, size, onPreview),
    orderStream: (sn, order) => requireLink(sn, () => links.orderStream(sn, order)),
    cancelOrder: (sn) => requireLink(sn, () => links.cancelOrder(sn)),
    orderPlayback: (sn, order) => requireLink(sn, () => links.orderPlayback(sn, order)),
    cancelPlayback: (sn) => requireLink(sn, () => links.cancelPlayback(sn)),
    // A device at an address does not know that it is managed, so it is not notified.
    sendRegistrationState: async (sn, state) =>
      addressed.has(sn) ? undefined : links.sendRegistrationState(sn, state),
    async disconnect(sn, reason) {
      addressed.disconnect(sn, reason)
      await links.disconnect(sn, reason)
    },
    isOnline: (sn) => links.isOnline(sn),
    close: () => links.close()
  }
}
