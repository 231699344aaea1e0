// A hub in process and demo devices at addresses, for tests of what it makes of them.
import { queryDevice } from '../../contract/device.ts'
import type { AddDeviceRequest, DeviceAddress } from '../../contract/device-address.ts'
import { type HttpDevice, startHttpDevice } from './http-device.ts'
import { type Client, startHub, type TestHub } from './hub.ts'

/** Milliseconds: a test has no time. */
export const FAST = { retry: [40, 80], find: 1500, verify: 1500 } as const

export interface AddressedStage {
  hub: TestHub
  admin: Client
  /** Starts a device, which ends with the stage. */
  box(...options: Parameters<typeof startHttpDevice>): Promise<HttpDevice>
  isOnline(sn: string): boolean
  /** What is told of its address. */
  atOf(sn: string): Promise<DeviceAddress | undefined>
  close(): Promise<void>
}

export async function stageAddressed(): Promise<AddressedStage> {
  const hub = await startHub({ addressed: FAST, actions: { answer: 600, look: 1500 } })
  const admin = hub.enter()
  const boxes: HttpDevice[] = []
  return {
    hub,
    admin,
    async box(...options) {
      const one = await startHttpDevice(...options)
      boxes.push(one)
      return one
    },
    isOnline: (sn) => hub.hub.registry.online(sn),
    atOf: async (sn) => (await admin.send(queryDevice, { sn })).dev.at,
    async close() {
      await hub.close()
      for (const one of boxes) await one.close()
    }
  }
}

/** What adds a device. */
export function requestFor(
  { port, user, password }: HttpDevice,
  more: Partial<AddDeviceRequest> = {}
): AddDeviceRequest {
  return { address: '127.0.0.1', port, user, password, ...more }
}
