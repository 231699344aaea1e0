// What has a text in its name: devices, by their serial numbers too, and presets.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { type Device, listDevices } from '../../contract/device/device.ts'
import { type InputSource, listInputs } from '../../contract/stream/source.ts'
import { liveList } from './live-list.ts'

/** Of each kind that many are shown; the lists have them all. */
const COUNT = 50

const ORDER = { count: COUNT, sort: 'name', order: 'ascending' } as const
const $request = atom<typeof ORDER & { key?: string }>(ORDER)

export const $foundDevices = liveList({
  call: listDevices,
  request: $request,
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

export const $foundPresets = liveList({
  call: listInputs,
  request: $request,
  pace: 'slowest',
  topic: 'source',
  keyOf: (preset: InputSource) => preset.id
})

/** Looks for a text while what asks is shown. */
export function useSearch(key: string): void {
  useLayoutEffect(() => $request.set({ ...ORDER, key }), [key])
}
