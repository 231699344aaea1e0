// Stores of the device lists. The hub filters and sorts the devices; a store holds one page of them, around the visible
// rows.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, type DeviceListRequest, listDevices } from '../../../contract/device/device.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { notify } from '../../state/toasts.ts'
import type { PagedRows } from '../../ui/table/virtual-list.ts'
import { useStore } from '../../ui/use-store.ts'

/** Devices in one page: more than fit on the largest screens. */
const PAGE_SIZE = 150
/** Milliseconds without scrolling before another page is requested. */
const SCROLL_DELAY = 60

function createDeviceList() {
  const $request = atom<DeviceListRequest>({})
  const $list = createLiveList({
    call: listDevices,
    request: $request,
    pace: 'slower',
    topic: 'device',
    // All fields by which the hub sorts.
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

const listsByName = new Map<string, ReturnType<typeof createDeviceList>>()

let pageTimer: ReturnType<typeof setTimeout> | undefined

/**
 * The loaded page of a device list.
 * @param base the request without the user's filters. Each list keeps its devices until it is shown again.
 * @param request the full request. Equal requests must have equal JSON text.
 */
export function useDeviceList(base: DeviceListRequest, request: DeviceListRequest) {
  const name = JSON.stringify(base)
  const queryKey = JSON.stringify(request)
  const requestFrom = (start: number): DeviceListRequest => ({ ...request, start, count: PAGE_SIZE })
  const list = listsByName.get(name) ?? createDeviceList()
  listsByName.set(name, list)
  const { $request, $list } = list
  const requestPage = (start: number) => {
    clearTimeout(pageTimer)
    if (JSON.stringify($request.get()) !== JSON.stringify(requestFrom(start))) $request.set(requestFrom(start))
  }
  useLayoutEffect(() => requestPage(0), [name, queryKey])
  const { items, total, response } = useStore($list)
  const paged: PagedRows<Device> = {
    start: response?.start ?? 0,
    total,
    queryKey,
    /** Requests the page around the visible rows after scrolling has stopped. */
    onVisibleRange(first, end) {
      clearTimeout(pageTimer)
      const { start = 0 } = $request.get()
      if (first < start || end > start + PAGE_SIZE)
        pageTimer = setTimeout(requestPage, SCROLL_DELAY, Math.max(0, Math.floor((first + end - PAGE_SIZE) / 2)))
    },
    async fetchRows(start, count) {
      const page = await send(listDevices, { ...request, start, count })
      if (page.result === SUCCESS) return page.list
      notify(page)
      return undefined
    }
  }
  return { $list, devices: items, paged }
}
