// Stores of the releases on a web server, of the rollouts, and of the devices of each rollout.
import { atom } from 'nanostores'
import { listOnlineFirmware } from '../../../contract/firmware.ts'
import { listRolloutDevices, listRollouts, type RolloutDevice } from '../../../contract/rollout.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'

/** Devices in one page. */
const PAGE_SIZE = 100

export const $online = createLiveValue({ call: listOnlineFirmware, pace: 'slow', topic: 'firmware' })

export const $rollouts = createLiveList({
  call: listRollouts,
  pace: 'slower',
  topic: 'rollout'
})

function createRolloutStore(id: number) {
  const $page = atom({ id, start: 0, count: PAGE_SIZE })
  const $devices = createLiveList({
    call: listRolloutDevices,
    request: $page,
    pace: 'slow',
    topic: 'rollout',
    keyOf: (device: RolloutDevice) => device.sn
  })
  return { $page, $devices }
}

const rolloutStores = new Map<number, ReturnType<typeof createRolloutStore>>()

/** The devices of a rollout, and the page of them that is requested. */
export function rolloutDevices(id: number): ReturnType<typeof createRolloutStore> {
  const devices = rolloutStores.get(id) ?? createRolloutStore(id)
  rolloutStores.set(id, devices)
  return devices
}
