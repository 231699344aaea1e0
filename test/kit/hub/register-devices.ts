// Registers devices in the hub without a device link.
import type { DeviceHello } from '../../../contract/device/link.ts'
import { DIR_INPUT } from '../../../contract/stream/protocols.ts'
import type { TestHub } from './hub.ts'

/** Returns the hello message of an Ultra Encode AIO with the number `index`. */
export function helloOf(index: number, more: Partial<DeviceHello> = {}): DeviceHello {
  return {
    sn: `B313${String(210_000_000 + index)}`,
    name: `Hall ${index}`,
    module: 2,
    'module-name': 'Ultra Encode AIO',
    'product-id': 787,
    'hardware-ver': 'A',
    'firmware-ver': '1.2.345',
    dir: DIR_INPUT,
    api: 'usapi',
    preview: true,
    key: index.toString(16).padStart(64, '0'),
    ...more
  }
}

/** Registers devices 1 to `count` as pending. @returns their serial numbers */
export function registerDevices(hub: TestHub, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const hello = helloOf(index + 1)
    hub.parts.registry.register(hello, '192.0.2.10')
    return hello.sn
  })
}
