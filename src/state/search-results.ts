// Search results: devices whose name or serial number, and inputs and outputs whose name, contains the search text.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { type Device, listDevices } from '../../contract/device/device.ts'
import { type InputSource, listInputs, listOutputs, type Output } from '../../contract/stream/source.ts'
import { createLiveList } from './live-list.ts'

/** Results per kind. The device and input screens list all of them. */
const RESULTS_MAX = 50

const BASE_REQUEST = { count: RESULTS_MAX, sort: 'name', order: 'ascending' } as const
const $request = atom<typeof BASE_REQUEST & { key?: string }>(BASE_REQUEST)

export const $deviceResults = createLiveList({
  call: listDevices,
  request: $request,
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

export const $inputResults = createLiveList({
  call: listInputs,
  request: $request,
  pace: 'slowest',
  topic: 'source',
  keyOf: (input: InputSource) => input.id
})

export const $outputResults = createLiveList({
  call: listOutputs,
  request: $request,
  pace: 'slowest',
  topic: 'source',
  keyOf: (output: Output) => output.id
})

/** Sets the search text of the stores. */
export function useSearchResults(key: string): void {
  useLayoutEffect(() => $request.set({ ...BASE_REQUEST, key }), [key])
}
