// Rollouts, and the devices of each.
import { atom } from 'nanostores'
import { listRolloutDevices, listRollouts, type Rollout, type RolloutDevice } from '../../../contract/firmware.ts'
import { liveList } from '../../state/live-list.ts'

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
