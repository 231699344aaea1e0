// Demo devices in this process with short timing, accepted by a hub.
import { acceptDevices } from '../../../contract/device/device.ts'
import { MODELS } from '../../../fleet/models.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../../../fleet/simulated-device.ts'
import type { Client, TestHub } from '../hub/hub.ts'
import { until } from '../until.ts'

export interface DemoDevice extends SimulatedDevice {
  sn: string
}

export interface DemoOptions {
  /** The fleet's folder, which holds the devices' state. */
  folder: string
  linkPort: number
  timing?: { reboot: number; install: number }
}

/** In milliseconds. */
const SHORT_TIMING = { reboot: 100, install: 150 }

/** Starts `count` devices of a model. Their serial numbers contain the model's product ID and count from `first`. */
export function startDevices(
  { folder, linkPort, timing = SHORT_TIMING }: DemoOptions,
  model: keyof typeof MODELS,
  count: number,
  first = 1
): DemoDevice[] {
  return Array.from({ length: count }, (_, index) => {
    const { productId, serial } = MODELS[model]
    const number = String(first + index).padStart(9, '0')
    const sn = `${serial}${productId.toString(16).toUpperCase().padStart(3, '0')}${number}`
    const device = createSimulatedDevice({
      entry: { sn, name: `${MODELS[model].name} ${first + index}`, model: MODELS[model] },
      folder,
      seed: 'seed',
      hub: { host: '127.0.0.1', port: linkPort },
      report: () => {},
      timing
    })
    device.start()
    return { sn, ...device }
  })
}

/** Waits until devices are online, and accepts them. */
export async function acceptAll(hub: TestHub, admin: Client, devices: readonly DemoDevice[]): Promise<void> {
  const { store, registry } = hub.parts
  await until(
    () => devices.every(({ sn }) => store.devices.bySerial(sn) && registry.isOnline(sn)),
    'all devices are online'
  )
  const { result } = await admin.send(acceptDevices, { sn: devices.map(({ sn }) => sn) })
  if (result !== 0) throw new Error(`Accepting failed with result ${result}`)
}
