// The device lists of this room. The hub filters and orders them; what is here is the page around what is in sight.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, type DeviceListRequest, listDevices } from '../../../contract/device/device.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { tell } from '../../state/toasts.ts'
import type { Paged } from '../../ui/table/virtual-list.ts'
import { useStore } from '../../ui/use-store.ts'

/** Devices of a page: some more than the highest screens have in sight. */
const COUNT = 150
/** Milliseconds for which one does not scroll before another page is asked for. */
const REST = 60

function deviceList() {
  const $request = atom<DeviceListRequest>({})
  const $list = liveList({
    call: listDevices,
    request: $request,
    pace: 'slower',
    topic: 'device',
    keyOf: (device: Device) => device.id,
    // All that the hub orders by.
    orderOf: (device) =>
      [
        device['online-date'],
        device.name,
        device.module,
        device['connect-ip'],
        device['firmware-ver'],
        device['apply-date']
      ].join('\n')
  })
  return { $request, $list }
}

const lists = new Map<string, ReturnType<typeof deviceList>>()

let later: ReturnType<typeof setTimeout> | undefined

/**
 * The devices of a list that are here.
 * @param own what makes the list: what it had stays for when one comes back
 * @param request what is asked of the hub. The text of both has to be the same for the same devices in the same order
 */
export function useDevices(own: DeviceListRequest, request: DeviceListRequest) {
  const name = JSON.stringify(own)
  const scope = JSON.stringify(request)
  const page = (start: number): DeviceListRequest => ({ ...request, start, count: COUNT })
  const list = lists.get(name) ?? deviceList()
  lists.set(name, list)
  const { $request, $list } = list
  const ask = (start: number) => {
    clearTimeout(later)
    if (JSON.stringify($request.get()) !== JSON.stringify(page(start))) $request.set(page(start))
  }
  useLayoutEffect(() => ask(0), [name, scope])
  const { items, total, reply } = useStore($list)
  const paged: Paged<Device> = {
    start: reply?.start ?? 0,
    total,
    scope,
    /** Has the page around what is in sight, once one rests there. */
    onSight(first, end) {
      clearTimeout(later)
      const { start = 0 } = $request.get()
      if (first < start || end > start + COUNT)
        later = setTimeout(ask, REST, Math.max(0, Math.floor((first + end - COUNT) / 2)))
    },
    async take(start, count) {
      const answer = await send(listDevices, { ...request, start, count })
      if (answer.result === SUCCESS) return answer.list
      tell(answer)
      return undefined
    }
  }
  return { $list, devices: items, paged }
}
