// All devices behind one door, whether they have dialled in or are reached at an address.
import { UNSUPPORTED } from '../../contract/codes.ts'
import type { Addressed } from './address/addressed-devices.ts'
import { LinkError } from './link/link-error.ts'
import type { DeviceLinks } from './link/links.ts'

/** What goes over a link alone is refused with 9 for a device at an address. */
export function withAddressed(links: DeviceLinks, addressed: Addressed): DeviceLinks {
  const linked = <Result>(sn: string, work: () => Promise<Result>): Promise<Result> =>
    addressed.has(sn) ? Promise.reject(new LinkError(UNSUPPORTED, 'it is reached at an address')) : work()
  return {
    ...links,
    get count() {
      return links.count
    },
    request: (sn, call, timeout) =>
      addressed.has(sn) ? addressed.request(sn, call, timeout) : links.request(sn, call, timeout),
    tunnel: (sn, port) => linked(sn, () => links.tunnel(sn, port)),
    page: (sn) => (addressed.has(sn) ? addressed.page(sn) : links.page(sn)),
    upload: (sn, call, options) =>
      addressed.has(sn) ? addressed.upload(sn, call, options) : links.upload(sn, call, options),
    order: (sn, order) => linked(sn, () => links.order(sn, order)),
    endOrder: (sn) => linked(sn, () => links.endOrder(sn)),
    play: (sn, order) => linked(sn, () => links.play(sn, order)),
    endPlay: (sn) => linked(sn, () => links.endPlay(sn)),
    // It is not asked: that it is managed from here is nothing it knows.
    tell: async (sn, state) => (addressed.has(sn) ? undefined : links.tell(sn, state)),
    async drop(sn, reason) {
      addressed.drop(sn, reason)
      await links.drop(sn, reason)
    }
  }
}
