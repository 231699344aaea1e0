// Demo devices in this process that connect to a real hub with the documented protocols.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acceptDevices } from '../../../contract/device/device.ts'
import { MODELS, type Model } from '../../../fleet/models.ts'
import type { RosterEntry } from '../../../fleet/roster.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../../../fleet/simulated-device.ts'
import type { Client, TestHub } from '../hub/hub.ts'
import { until } from '../until.ts'

export interface SimulatedFleet {
  /**
   * Starts a device of a model, accepts it and waits until the hub has read its first status. @returns its serial
   * number
   */
  add(model: keyof typeof MODELS, name?: string): Promise<string>
  device(sn: string): SimulatedDevice
  close(): void
}

/** Starts an empty fleet. @param hub a hub that does not listen yet @param timing of the devices, in milliseconds */
export async function startSimulatedFleet(
  hub: TestHub,
  admin: Client,
  timing = { reboot: 150, install: 50 }
): Promise<SimulatedFleet> {
  const { linkPort } = await hub.listen(0, 0)
  const folder = mkdtempSync(join(tmpdir(), 'simulated-'))
  const devices = new Map<string, SimulatedDevice>()
  return {
    async add(key, name = 'Hall') {
      const model: Model = MODELS[key]
      const product = model.productId.toString(16).toUpperCase().padStart(3, '0')
      const hasProductId = model.productId > 0
      const sn = hasProductId
        ? `${model.serial}${product}2106${String(devices.size).padStart(5, '0')}`
        : `${model.serial}00001`
      const entry: RosterEntry = { sn, name, model }
      const device = createSimulatedDevice({
        entry,
        folder,
        seed: 'seed',
        hub: { host: '127.0.0.1', port: linkPort },
        report: () => {},
        timing
      })
      devices.set(sn, device)
      device.start()
      await until(() => hub.parts.registry.isOnline(sn), `${key} is online`)
      await admin.send(acceptDevices, { sn: [sn] })
      if (model.api !== 'none')
        await until(() => hub.parts.registry.liveState(sn)?.observation !== undefined, `the status of ${key} is known`)
      return sn
    },
    device(sn) {
      const device = devices.get(sn)
      if (!device) throw new Error(`There is no device ${sn}`)
      return device
    },
    close() {
      for (const device of devices.values()) device.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
