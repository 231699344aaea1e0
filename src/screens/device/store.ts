// The device lists of this room. The hub filters and orders them; what is here is the page around what is in sight.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, type DeviceListRequest, listDevices } from '../../../contract/device.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { tell } from '../../state/toasts.ts'
import { useStore } from '../../ui/use-store.ts'
import type { Paged } from '../../ui/window.ts'

/** Devices of a page: some more than the highest screens have in sight. */
const COUNT = 150
/** Pages begin at multiples of it. */
const STEP = 25
/** Milliseconds for which one does not scroll before another page is asked for. */
const REST = 60

export interface DeviceList {
  /** What makes the list, whatever the user looks for in it. */
  request: DeviceListRequest
  $request: ReturnType<typeof atom<DeviceListRequest>>
  $list: ReturnType<typeof liveDevices>
}

function liveDevices($request: DeviceList['$request']) {
  return liveList({
    call: listDevices,
    request: $request,
    pace: 'slower',
    topic: 'device',
    keyOf: (device: Device) => device.id,
    // All that the hub orders by.
    orderOf: (device) =>
      [
        device['online-date'] > 0,
        device.name,
        device.module,
        device['connect-ip'],
        device['firmware-ver'],
        device['apply-date']
      ].join('\n')
  })
}

function deviceList(request: DeviceListRequest): DeviceList {
  const $request = atom<DeviceListRequest>({ ...request, start: 0, count: COUNT })
  return { request, $request, $list: liveDevices($request) }
}

export const ALL = deviceList({})
export const FAVORITE = deviceList({ 'is-favorite': 1 })
export const WARNING = deviceList({ status: 'dev-warns,warns' })
export const PENDING = deviceList({ 'reg-state': 'waiting' })
export const REJECTED = deviceList({ 'reg-state': 'rejected' })

const groups = new Map<number, DeviceList>()

/** The list of a group; of 0, of what is in no group. */
export function groupList(catalog: number): DeviceList {
  const list = groups.get(catalog) ?? deviceList({ catalog })
  groups.set(catalog, list)
  return list
}

let later: ReturnType<typeof setTimeout> | undefined

function ask({ $request }: DeviceList, request: DeviceListRequest): void {
  clearTimeout(later)
  if (JSON.stringify($request.get()) !== JSON.stringify(request)) $request.set(request)
}

/** Has the page around what is in sight, once one rests there. */
function see(list: DeviceList, first: number, end: number): void {
  clearTimeout(later)
  const request = list.$request.get()
  const { start = 0 } = request
  if (first >= start && end <= start + COUNT) return
  const middle = (first + end - COUNT) / 2
  later = setTimeout(() => ask(list, { ...request, start: Math.max(0, Math.floor(middle / STEP) * STEP) }), REST)
}

/**
 * The devices of a list that are here.
 * @param request what is asked of the hub; its text has to be the same for the same devices in the same order
 */
export function useDevices(list: DeviceList, request: DeviceListRequest) {
  const scope = JSON.stringify(request)
  useLayoutEffect(() => ask(list, { ...request, start: 0, count: COUNT }), [list, scope])
  const { items, total, reply } = useStore(list.$list)
  const paged: Paged<Device> = {
    start: reply?.start ?? 0,
    total,
    scope,
    onSight: (first, end) => see(list, first, end),
    async take(start, count) {
      const answer = await send(listDevices, { ...request, start, count })
      if (answer.result === SUCCESS) return answer.list
      tell(answer)
      return undefined
    }
  }
  return { devices: items, paged }
}
