// A cloud whose clock the test moves, with hubs that can be updated, and an administrator who starts rollouts.
import assert from 'node:assert/strict'
import { listRolloutHubs, queryRollout, startRollout } from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { until } from '../until.ts'
import { type CloudClient, startCloud, type TestCloud } from './cloud.ts'
import type { Stores } from './stores.ts'
import { type HubConduct, startUpgradingHubs, type UpgradingHub } from './upgrading-hubs.ts'

/** A cloud with hubs that update themselves (`upgrading-hubs.ts`). */
export interface RolloutFixture {
  cloud: TestCloud
  admin: CloudClient
  hubs: UpgradingHub[]
  sn: string[]
  /** Moves the clock of the cloud. */
  pass(minutes: number): void
  /** Gives the rollouts turns until a condition is met. */
  turns(isMet: () => boolean | Promise<boolean>, what: string): Promise<void>
  /** Starts a rollout to version 2.0.0. @returns its id */
  start(plan?: object, sn?: string[]): Promise<number>
  rollout(id: number): Promise<Awaited<ReturnType<typeof rolloutOf>>>
}

/** One rollout. */
export const rolloutOf = async (admin: CloudClient, id: number) => (await admin.send(queryRollout, { id })).rollout

/** @param conductOf by index */
export async function withRolloutHubs(
  stores: Stores,
  count: number,
  run: (fixture: RolloutFixture) => Promise<void>,
  conductOf?: (index: number) => HubConduct
): Promise<void> {
  let time = Date.now()
  const cloud = await startCloud({ databaseUrl: await stores.databaseUrl(), now: () => time })
  let hubs: UpgradingHub[] = []
  try {
    const { linkPort } = await cloud.listen(0, 0)
    hubs = await startUpgradingHubs(cloud, linkPort, count, conductOf)
    const admin = await cloud.clientAs('Admin')
    const sn = hubs.map((hub) => hub.sn)
    await run({
      ...{ cloud, admin, hubs, sn },
      pass: (minutes) => {
        time += minutes * 60_000
      },
      turns: (isMet, what) =>
        until(async () => {
          await cloud.rollouts.run()
          return isMet()
        }, what),
      async start(plan = {}, serials = sn) {
        const { id, result } = await admin.send(startRollout, { sn: serials, version: '2.0.0', ...plan })
        assert.equal(result, SUCCESS)
        return id
      },
      rollout: (id) => rolloutOf(admin, id)
    })
  } finally {
    for (const hub of hubs) hub.stop()
    await cloud.close()
  }
}

/** The hubs of a rollout. */
export const rolloutHubs = async ({ admin }: Pick<RolloutFixture, 'admin'>, id: number) =>
  (await admin.send(listRolloutHubs, { id })).list

/** The row of a paused rollout. */
export const newRollout = (id: number) => ({
  ...{ id, version: '2.0.0', user_id: 1, user_name: 'Admin', address: '127.0.0.1', state: 'paused', cause: '' },
  ...{ created: 1, approved: 1, ended: 0, first: 1, growth: 1, wave_max: 1, pause_minutes: 0, stop_after: 1 },
  ...{ interrupt: 0, wave: 1, wave_ended: 0, forgiven: 0, node: '', epoch: 0 }
})
