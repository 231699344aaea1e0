// What is found, whatever list it is in.
import { atom } from 'nanostores'
import { type Device, type DeviceListRequest, listDevices } from '../../../contract/device.ts'
import { liveList } from '../../state/live-list.ts'

/** Devices shown of those found; the lists have them all. */
const COUNT = 50

const $request = atom<DeviceListRequest>({})

export const $found = liveList({
  call: listDevices,
  request: $request,
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

/** Looks for a text in names and serial numbers. */
export function lookFor(key: string): void {
  if ($request.get().key !== key) $request.set({ key, sort: 'name', order: 'ascending', start: 0, count: COUNT })
}

/** Whether what was found is what was looked for last. */
export const isFound = () => $found.get().phase === 'ready'
