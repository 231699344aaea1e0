// One interface to all devices, whether they registered over a link or are reached at an address.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { AddressedDevices } from './address/addressed-devices.ts'
import type { AddressedPictures } from './address/pictures.ts'
import type { AddressedStreams } from './address/streams/addressed-streams.ts'
import type { DeviceLinks } from './link/links.ts'

interface CombinedLinksOptions {
  links: DeviceLinks
  addressed: AddressedDevices
  streams: AddressedStreams
  pictures: AddressedPictures
}

export function combineLinks({ links, addressed, streams, pictures }: CombinedLinksOptions): DeviceLinks {
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
    subscribePreviews: (sn, size, onPreview) =>
      addressed.has(sn) ? pictures.subscribe(sn, onPreview) : links.subscribePreviews(sn, size, onPreview),
    orderStream: (sn, order) => (addressed.has(sn) ? streams.orderStream(sn, order) : links.orderStream(sn, order)),
    cancelOrder: (sn) => (addressed.has(sn) ? streams.cancelOrder(sn) : links.cancelOrder(sn)),
    orderPlayback: (sn, order) =>
      addressed.has(sn) ? streams.orderPlayback(sn, order) : links.orderPlayback(sn, order),
    cancelPlayback: (sn) => (addressed.has(sn) ? streams.cancelPlayback(sn) : links.cancelPlayback(sn)),
    // A device at an address does not know that it is managed, so it is not notified. If it is not managed any more, it
    // gets back what it did before.
    async sendRegistrationState(sn, state) {
      if (!addressed.has(sn)) await links.sendRegistrationState(sn, state)
      else if (state !== REGISTRATION_STATE.accepted) await streams.release(sn)
    },
    async disconnect(sn, reason) {
      addressed.disconnect(sn, reason)
      await links.disconnect(sn, reason)
    },
    isOnline: (sn) => links.isOnline(sn),
    async close() {
      pictures.close()
      await links.close()
    }
  }
}
