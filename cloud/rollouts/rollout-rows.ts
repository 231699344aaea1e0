// The rows of rollouts and of their hubs.
import type { Selectable } from 'kysely'
import type { RolloutHubState, RolloutState } from '../../contract/cloud/rollout.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export type RolloutRow = Selectable<Tables['rollouts']> & { state: RolloutState }
export type RolloutHubRow = Selectable<Tables['rollout_hubs']> & { state: RolloutHubState }

/** What is stored of a hub before it starts. */
export const NEW_HUB = {
  ...{ state: 'waiting', step: '', progress: -1, wave: 0, from_version: '', version: '', cause: '', result: 0 },
  ...{ detail_en: '', detail_zh: '', started: 0, changed: 0, ended: 0 }
}

export async function readRollout(scope: Scope, id: number): Promise<RolloutRow | undefined> {
  return (await scope.select('rollouts').selectAll().where('id', '=', id).executeTakeFirst()) as RolloutRow | undefined
}

/** In the order in which they are updated. */
export async function readRolloutHubs(scope: Scope, id: number): Promise<RolloutHubRow[]> {
  const rows = scope.select('rollout_hubs').selectAll().where('rollout_id', '=', id)
  return (await rows.orderBy('position').execute()) as RolloutHubRow[]
}

export async function writeRolloutHub(scope: Scope, row: RolloutHubRow): Promise<void> {
  const { organisation: _, rollout_id, sn, ...columns } = row
  await scope.update('rollout_hubs').set(columns).where('rollout_id', '=', rollout_id).where('sn', '=', sn).execute()
}

/** A deleted user starts no update any more: the next user may get the id. */
export async function forgetStarter(scope: Scope, userId: number): Promise<void> {
  await scope.update('rollouts').set({ user_id: 0 }).where('user_id', '=', userId).execute()
}

/** An entry of the queue by which nodes find rollouts. */
export interface QueuedRollout {
  organisation: string
  id: number
}

export const readQueue = (store: Store): Promise<QueuedRollout[]> =>
  store.withinCloud((transaction) => transaction.selectFrom('rollout_queue').selectAll().execute())

/** Adds a rollout before it is stored, so that none is missing. An entry without a rollout is removed later. */
export async function addToQueue(store: Store, entry: QueuedRollout): Promise<void> {
  await store.withinCloud((transaction) =>
    transaction
      .insertInto('rollout_queue')
      .values(entry)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  )
}

export async function removeFromQueue(store: Store, { organisation, id }: QueuedRollout): Promise<void> {
  await store.withinCloud((transaction) =>
    transaction.deleteFrom('rollout_queue').where('organisation', '=', organisation).where('id', '=', id).execute()
  )
}
