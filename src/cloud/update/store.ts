// Stores and mutations of updates in waves.
import { atom } from 'nanostores'
import type { Call } from '../../../contract/call.ts'
import { checkRollout, listRolloutHubs, listRollouts, queryRollout } from '../../../contract/cloud/calls.ts'
import {
  type CheckedHub,
  type HubRollout,
  type OfferedRelease,
  ROLLOUT_CHECK_MAX
} from '../../../contract/cloud/rollout.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { notify } from '../../state/toasts.ts'
import { type Translation, t } from '../../text/language.ts'
import { TEXT } from './text.ts'

export const $rollouts = createLiveList({ call: listRollouts, pace: 'slower', topic: 'device' })

function createRolloutStores(id: number) {
  const $page = atom({ id, start: 0, count: 1000 })
  const $rollout = createLiveValue({ call: queryRollout, request: atom({ id }), pace: 'slow', topic: 'device' })
  const $hubs = createLiveList({
    ...{ call: listRolloutHubs, request: $page, pace: 'slow', topic: 'device' },
    keyOf: ({ sn }) => sn
  })
  return { $rollout, $hubs }
}

const stores = new Map<number, ReturnType<typeof createRolloutStores>>()

/** One update with its hubs. */
export function rolloutStores(id: number): ReturnType<typeof createRolloutStores> {
  const found = stores.get(id) ?? createRolloutStores(id)
  stores.set(id, found)
  return found
}

/** Makes a call for an update. @returns whether it succeeded */
export const changeRollout = (call: Call<{ id: number }>, { id, version }: HubRollout, text: Translation) =>
  succeeded(sendMutation(call, { id }, { success: { text, names: [t(TEXT.outcome, version)] } }))

export interface CheckedHubs {
  hubs: readonly CheckedHub[]
  /** The highest version first. */
  releases: readonly OfferedRelease[]
}

/**
 * Asks hubs for their versions and releases, some at a time.
 * @param onProgress called with what is known so far
 * @returns undefined if the cloud has refused it, which the user was told
 */
export async function checkHubs(
  serials: readonly string[],
  onProgress: (checked: CheckedHubs) => void
): Promise<CheckedHubs | undefined> {
  let checked: CheckedHubs = { hubs: [], releases: [] }
  for (let start = 0; start < serials.length; start += ROLLOUT_CHECK_MAX) {
    const reply = await send(checkRollout, { sn: serials.slice(start, start + ROLLOUT_CHECK_MAX) })
    if (reply.result !== SUCCESS) {
      notify(reply)
      return undefined
    }
    const known = new Set(checked.releases.map(({ version }) => version))
    const added = reply.releases.filter(({ version }) => !known.has(version))
    checked = { hubs: [...checked.hubs, ...reply.hubs], releases: [...checked.releases, ...added] }
    onProgress(checked)
  }
  const releases = checked.releases.toSorted((one, other) =>
    other.version.localeCompare(one.version, 'en', { numeric: true })
  )
  return { ...checked, releases }
}
