// A hub with short timeouts and demo devices on real links, for tests of updates and rollouts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { listRolloutDevices, type RolloutState } from '../../../contract/rollout.ts'
import type { BehaviourCommand } from '../../../fleet/behaviour.ts'
import { admin, hub, hubForEach } from '../hub/hub-for-each.ts'
import { until } from '../until.ts'
import { acceptAll, type DemoDevice, type DemoOptions, startDevices } from './demo-device.ts'

export interface UpdateFixture {
  /** Starts devices and accepts them. @returns their serial numbers */
  start(model: Parameters<typeof startDevices>[1], count: number, timing?: DemoOptions['timing']): Promise<string[]>
  applyCommand(sn: string | undefined, command: BehaviourCommand): void
  /** Stops a device. */
  stop(sn: string): void
  versionOf(sn: string | undefined): string | undefined
  stateOf(id: number): RolloutState | undefined
  /** Waits until a rollout has one of these states; without states, until it has ended. */
  waitForEnd(id: number, ...states: RolloutState[]): Promise<void>
  /** State and reason of each device of a rollout. */
  deviceStates(id: number): Promise<(number | undefined)[][]>
  close(): void
}

/** In milliseconds. Devices that succeed are much faster, also on a loaded machine. */
export const TIMING = {
  pollInterval: 20,
  restartDelay: 100,
  stallTimeout: 2500,
  responseTimeout: 2500,
  reconnectTimeout: 5000,
  offlineGrace: 4000,
  installTimeout: 10_000
}

/** Makes the hub of the current test listen for devices. */
export async function createUpdateFixture(): Promise<UpdateFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  const { linkPort } = await hub.listen(0, 0)
  const devices: DemoDevice[] = []
  const { store } = hub.parts
  const find = (sn: string | undefined) => devices.find((device) => device.sn === sn)
  const self: UpdateFixture = {
    async start(model, count, timing) {
      const started = startDevices({ folder, linkPort, timing }, model, count, devices.length + 1)
      devices.push(...started)
      await acceptAll(hub, admin, started)
      return started.map(({ sn }) => sn)
    },
    applyCommand: (sn, command) => find(sn)?.applyCommand(command),
    stop: (sn) => find(sn)?.stop(),
    versionOf: (sn) => store.devices.bySerial(sn ?? '')?.firmware_ver,
    stateOf: (id) => store.rollouts.byId(id)?.state,
    async waitForEnd(id, ...states) {
      const expected: (RolloutState | undefined)[] = states.length > 0 ? states : ['done', 'cancelled']
      await until(() => expected.includes(self.stateOf(id)), `the rollout is ${expected.join(' or ')}`)
    },
    async deviceStates(id) {
      const { list } = await admin.send(listRolloutDevices, { id })
      return list.map(({ state, reason }) => [state, reason])
    },
    close() {
      for (const device of devices) device.stop()
      rmSync(folder, { recursive: true })
    }
  }
  return self
}

/** The fixture of the current test. */
export let fleet: UpdateFixture

/** Starts a new hub and a fixture before each test of a suite, and closes both afterwards. */
export function updateFixtureForEach(test: Pick<Test, 'before' | 'after'>): void {
  hubForEach(test, { firmware: { timing: TIMING } })
  test.before.each(async () => {
    fleet = await createUpdateFixture()
  })
  test.after.each(() => fleet.close())
}
