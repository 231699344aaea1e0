// Demo devices in this process, in a hurry, accepted by a hub: for tests of what the hub does with real devices.
import { acceptDevices } from '../../contract/device/device.ts'
import { MODELS } from '../../fleet/models.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../../fleet/simulated-device.ts'
import type { Client, TestHub } from './hub.ts'
import { until } from './until.ts'

export interface DemoDevice extends SimulatedDevice {
  sn: string
}

export interface DemoOptions {
  /** The fleet's folder, where they keep what they keep. */
  folder: string
  linkPort: number
  pace?: { reboot: number; install: number }
}

/** Milliseconds. */
const HURRY = { reboot: 100, install: 150 }

/** Switches on `count` devices of a model. Serials are of the model's product, from `first` on. */
export function startDevices(
  { folder, linkPort, pace = HURRY }: DemoOptions,
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
      timing: pace
    })
    device.start()
    return { sn, ...device }
  })
}

/** Waits until they are there, and accepts them. */
export async function acceptAll(hub: TestHub, admin: Client, devices: readonly DemoDevice[]): Promise<void> {
  const { store, registry } = hub.context
  await until(() => devices.every(({ sn }) => store.devices.bySerial(sn) && registry.isOnline(sn)), 'all are there')
  const { result } = await admin.send(acceptDevices, { sn: devices.map(({ sn }) => sn) })
  if (result !== 0) throw new Error(`accepting was answered with ${result}`)
}
