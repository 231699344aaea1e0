// A demo device without a device link, for tests of its API.
import { type ApiRequest, type Appliance, isDeviceName } from '../../../fleet/apis/appliance.ts'
import type { Behaviour } from '../../../fleet/behaviour.ts'
import { Machine } from '../../../fleet/machine.ts'
import { MODELS, type Model } from '../../../fleet/models.ts'
import { Upgrader } from '../../../fleet/upgrade.ts'

export interface TestAppliance extends Appliance {
  /** Set by the test. */
  behaviour: Behaviour
  /** Unix time in milliseconds; changed by the test. */
  time: number
}

export function createTestAppliance(model: keyof typeof MODELS, flaky = false): TestAppliance {
  let name = 'Main Hall PTZ'
  let rebooting = false
  const entry = { sn: 'B313210600123', name, model: MODELS[model] as Model, flaky }
  const state = {
    behaviour: 'normal' as Behaviour,
    time: 1_800_000_000_000,
    get restarting() {
      return rebooting
    }
  }
  return Object.assign(state, {
    entry,
    machine: new Machine(
      entry,
      () => state.behaviour,
      () => state.time
    ),
    name: () => name,
    firmware: () => entry.model.firmware,
    upgrader: new Upgrader({
      model: entry.model,
      behaviour: () => state.behaviour,
      duration: 0,
      onCompleted: () => {}
    }),
    rename(next: string) {
      if (!isDeviceName(next)) throw new Error('The API accepted an invalid name')
      name = next
    },
    reboot() {
      if (rebooting) return false
      rebooting = true
      return true
    }
  })
}

/** Returns an API request. */
export function createApiRequest(method: string, target: string, body: Record<string, unknown> = {}): ApiRequest {
  const url = new URL(target, 'http://device')
  return { method, path: url.pathname, query: url.searchParams, body }
}
