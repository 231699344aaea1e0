// A hub that waits for nothing long, with demo devices on real links: for tests of updates and rollouts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { listRolloutDevices, type RolloutState } from '../../contract/firmware.ts'
import type { BehaviourCommand } from '../../fleet/behaviour.ts'
import { acceptAll, type DemoDevice, type DemoOptions, startDevices } from './demo-device.ts'
import { admin, hub, hubForEach } from './hub-of-test.ts'
import { until } from './until.ts'

export interface UpdateBench {
  /** Switches on devices and has them accepted. @returns their serials */
  start(model: Parameters<typeof startDevices>[1], count: number, pace?: DemoOptions['pace']): Promise<string[]>
  tell(sn: string | undefined, order: BehaviourCommand): void
  /** Switches one off. */
  stop(sn: string): void
  versionOf(sn: string | undefined): string | undefined
  stateOf(id: number): RolloutState | undefined
  /** Waits until a rollout is in one of these states; without any until it is over. */
  ended(id: number, ...states: RolloutState[]): Promise<void>
  /** State and reason of each of its devices. */
  deviceStates(id: number): Promise<(number | undefined)[][]>
  close(): void
}

/** Milliseconds. */
export const TIMING = { look: 20, linger: 100, stall: 400, answer: 400, back: 1500, grace: 1500, install: 3000 }

async function createBench(): Promise<UpdateBench> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  const { linkPort } = await hub.listen(0, 0)
  const devices: DemoDevice[] = []
  const { store } = hub.context
  const one = (sn: string | undefined) => devices.find((device) => device.sn === sn)
  const self: UpdateBench = {
    async start(model, count, pace) {
      const started = startDevices({ folder, linkPort, pace }, model, count, devices.length + 1)
      devices.push(...started)
      await acceptAll(hub, admin, started)
      return started.map(({ sn }) => sn)
    },
    tell: (sn, order) => one(sn)?.applyCommand(order),
    stop: (sn) => one(sn)?.stop(),
    versionOf: (sn) => store.devices.bySerial(sn ?? '')?.firmware_ver,
    stateOf: (id) => store.rollouts.byId(id)?.state,
    async ended(id, ...states) {
      const wanted: (RolloutState | undefined)[] = states.length > 0 ? states : ['done', 'cancelled']
      await until(() => wanted.includes(self.stateOf(id)), `the rollout is ${wanted.join(' or ')}`, 12_000)
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

/** The bench of the test that runs, at its hub. */
export let bench: UpdateBench

/** Has each test of a suite begin with a new hub and a bench there, both of which are closed afterwards. */
export function benchForEach(test: Pick<Test, 'before' | 'after'>): void {
  hubForEach(test, { firmware: { timing: TIMING } })
  test.before.each(async () => {
    bench = await createBench()
  })
  test.after.each(() => bench.close())
}
