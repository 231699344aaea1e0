// A hub in this process, and demo devices that it polls at an IP address.
import type { Test } from 'uvu'
import type { AddDeviceRequest, DeviceAddress } from '../../../contract/device/address.ts'
import { queryDevice } from '../../../contract/device/device.ts'
import { admin, hub, hubForEach } from '../hub/hub-for-each.ts'
import { type HttpDevice, startHttpDevice } from './http-device.ts'

/** In milliseconds. */
export const SHORT_TIMEOUTS = { retry: [40, 80], recheck: 80, find: 3000, verify: 2500, check: 100 } as const

const devices: HttpDevice[] = []

/** Starts a new hub before each test of a suite. Afterwards closes it and the devices started by the test. */
export function addressedHubForEach(test: Pick<Test, 'before' | 'after'>): void {
  hubForEach(test, { addressed: SHORT_TIMEOUTS, actions: { response: 2500, poll: 4000 } })
  test.after.each(async () => {
    for (const device of devices.splice(0)) await device.close()
  })
}

/** Starts a device, which is closed after the test. */
export async function startDevice(...options: Parameters<typeof startHttpDevice>): Promise<HttpDevice> {
  const device = await startHttpDevice(...options)
  devices.push(device)
  return device
}

export const isOnline = (sn: string): boolean => hub.parts.registry.isOnline(sn)

/** The address of a device, as the hub reports it. */
export const addressOf = async (sn: string): Promise<DeviceAddress | undefined> =>
  (await admin.send(queryDevice, { sn })).dev.at

/** Returns the request that adds a device. */
export function createAddRequest(
  { port, user, password }: HttpDevice,
  more: Partial<AddDeviceRequest> = {}
): AddDeviceRequest {
  return { address: '127.0.0.1', port, user, password, ...more }
}
