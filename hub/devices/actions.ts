// What the hub itself has done to a device, in the words of its generation (reference 1.3). Consoles may also relay these calls.
import { SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import type { DeviceHello } from '../../contract/link.ts'
import type { Adapter } from './adapters/adapter.ts'
import { ADAPTERS } from './adapters/generations.ts'
import { noAnswer } from './link-error.ts'
import type { DeviceLinks } from './links.ts'
import type { DeviceRequest } from './request.ts'

export interface ActionOptions {
  links: Pick<DeviceLinks, 'request'>
  /** The API that a device answers; undefined for an unknown device. */
  apiOf(sn: string): DeviceHello['api'] | undefined
}

/** Milliseconds. */
const TIMEOUT = 5000
/** Ultra devices answer this when the same is under way already (reference 1.3): what was asked for happens. */
const UNDER_WAY = 1

export function createDeviceActions({ links, apiOf }: ActionOptions) {
  async function act(sn: string, callOf: (adapter: Adapter) => DeviceRequest): Promise<number> {
    const api = apiOf(sn)
    const adapter = api && ADAPTERS[api]
    if (!adapter) return UNSUPPORTED
    const { body } = await links.request(sn, { ...callOf(adapter), maxBody: 16 << 10 }, TIMEOUT)
    let code: number | undefined
    try {
      code = adapter.code(JSON.parse(body.toString()))
    } catch {}
    if (code === undefined) throw noAnswer('an answer that cannot be read')
    return code
  }

  return {
    /** Renames a device. @returns the device's own code, 0 = done; 9 for one that cannot be asked @throws LinkError */
    rename: (sn: string, name: string) => act(sn, (adapter) => adapter.rename(name)),

    /** Reboots a device. @returns as `rename` @throws LinkError */
    async reboot(sn: string): Promise<number> {
      const code = await act(sn, (adapter) => adapter.reboot)
      return code === UNDER_WAY ? SUCCESS : code
    }
  }
}

export type DeviceActions = ReturnType<typeof createDeviceActions>
