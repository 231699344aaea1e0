// A demo device's inside without its link: for tests of what its API answers.
import { type Appliance, type ApiRequest, isDeviceName } from '../../fleet/apis/appliance.ts'
import type { Behaviour } from '../../fleet/behaviour.ts'
import { createMachine } from '../../fleet/machine.ts'
import { MODELS, type Model } from '../../fleet/models.ts'
import { createUpgrader } from '../../fleet/upgrade.ts'

export interface TestAppliance extends Appliance {
  /** Set by the test. */
  behaviour: Behaviour
  /** Milliseconds since the epoch; moved by the test. */
  time: number
}

export function applianceOf(model: keyof typeof MODELS, flaky = false): TestAppliance {
  let name = 'Main Hall PTZ'
  let rebooting = false
  const entry = { sn: 'B313210600123', name, model: MODELS[model] as Model, flaky }
  const world = {
    behaviour: 'normal' as Behaviour,
    time: 1_800_000_000_000,
    get restarting() {
      return rebooting
    }
  }
  return Object.assign(world, {
    entry,
    machine: createMachine(
      entry,
      () => world.behaviour,
      () => world.time
    ),
    name: () => name,
    firmware: () => entry.model.firmware,
    upgrader: createUpgrader({
      model: entry.model,
      behaviour: () => world.behaviour,
      duration: 0,
      onCompleted: () => {}
    }),
    rename(next: string) {
      if (!isDeviceName(next)) throw new Error('the API let a bad name through')
      name = next
    },
    reboot() {
      if (rebooting) return false
      rebooting = true
      return true
    }
  })
}

/** A call as it arrives. */
export function asked(method: string, target: string, body: Record<string, unknown> = {}): ApiRequest {
  const url = new URL(target, 'http://device')
  return { method, path: url.pathname, query: url.searchParams, body }
}
