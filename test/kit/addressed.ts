// A hub in process and demo devices at addresses, for tests of what it makes of them.
import type { Test } from 'uvu'
import type { AddDeviceRequest, DeviceAddress } from '../../contract/device/address.ts'
import { queryDevice } from '../../contract/device/device.ts'
import { type HttpDevice, startHttpDevice } from './http-device.ts'
import { admin, hub, hubForEach } from './hub-of-test.ts'

/** Milliseconds: a test has no time. */
export const FAST = { retry: [40, 80], find: 1500, verify: 1500 } as const

const boxes: HttpDevice[] = []

/** Has each test of a suite begin with a new hub; afterwards it is closed, and the devices that were started. */
export function addressedForEach(test: Pick<Test, 'before' | 'after'>): void {
  hubForEach(test, { addressed: FAST, actions: { answer: 600, poll: 1500 } })
  test.after.each(async () => {
    for (const one of boxes.splice(0)) await one.close()
  })
}

/** Starts a device, which ends with the test. */
export async function box(...options: Parameters<typeof startHttpDevice>): Promise<HttpDevice> {
  const one = await startHttpDevice(...options)
  boxes.push(one)
  return one
}

export const isOnline = (sn: string): boolean => hub.context.registry.isOnline(sn)

/** What is told of its address. */
export const atOf = async (sn: string): Promise<DeviceAddress | undefined> =>
  (await admin.send(queryDevice, { sn })).dev.at

/** What adds a device. */
export function requestFor(
  { port, user, password }: HttpDevice,
  more: Partial<AddDeviceRequest> = {}
): AddDeviceRequest {
  return { address: '127.0.0.1', port, user, password, ...more }
}
