// Search results: devices whose name or serial number, and inputs and outputs whose name, contains the search text.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import type { Call, ListResponse } from '../../contract/call.ts'
import { listDevices } from '../../contract/device/device.ts'
import { listInputs, listOutputs } from '../../contract/stream/source.ts'
import { createLiveList } from './live-list.ts'

/** Results per kind. The device and input screens list all of them. */
const RESULTS_MAX = 50

const BASE_REQUEST = { count: RESULTS_MAX, sort: 'name', order: 'ascending' } as const
type SearchRequest = typeof BASE_REQUEST & { key?: string; dir?: 'input' | undefined }
const $request = atom<SearchRequest>(BASE_REQUEST)

/** The results of a list call. @param topic the topic of the change feed that updates them */
const createResults = <Item extends { id: number }>(
  call: Call<SearchRequest, ListResponse<Item>>,
  topic: 'device' | 'source'
) => createLiveList({ call, request: $request, pace: 'slowest', topic })

export const $deviceResults = createResults(listDevices, 'device')
export const $inputResults = createResults(listInputs, 'source')
export const $outputResults = createResults(listOutputs, 'source')

/** Sets the search text of the stores. @param dir selects the devices that can be an input */
export function useSearchResults(key: string, dir?: 'input'): void {
  useLayoutEffect(() => $request.set({ ...BASE_REQUEST, key, dir }), [key, dir])
}
