// Rollouts, the devices of each, and what can be done to them and to files.
import { atom } from 'nanostores'
import type { Call } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { listRolloutDevices, listRollouts, type Rollout, type RolloutDevice } from '../../../contract/firmware.ts'
import { send } from '../../link/send.ts'
import { refreshLive } from '../../state/live.ts'
import { liveList } from '../../state/live-list.ts'
import { act } from '../../state/toasts.ts'

/** Devices of a page. */
const COUNT = 100

export const $rollouts = liveList({
  call: listRollouts,
  request: atom({}),
  pace: 'slower',
  topic: 'rollout',
  keyOf: (rollout: Rollout) => rollout.id
})

function devicesOf(id: number) {
  const $page = atom({ id, start: 0, count: COUNT })
  const $devices = liveList({
    call: listRolloutDevices,
    request: $page,
    pace: 'slow',
    topic: 'rollout',
    keyOf: (device: RolloutDevice) => device.sn
  })
  return { $page, $devices }
}

const known = new Map<number, ReturnType<typeof devicesOf>>()

/** The devices of a rollout, and which of them are asked for. */
export function rolloutDevices(id: number): ReturnType<typeof devicesOf> {
  const devices = known.get(id) ?? devicesOf(id)
  known.set(id, devices)
  return devices
}

/** Does something to a file or a rollout. What is shown is then what the hub says. @returns whether it went well */
export async function change(call: Call<{ id: number }>, id = 0): Promise<boolean> {
  const { result } = await act((force) => send(call, { id, ...force }))
  refreshLive()
  return result === SUCCESS
}
