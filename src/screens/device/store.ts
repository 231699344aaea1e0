// The device lists of this room: one live list a registration state and filter, and what can be done to devices.
import { atom } from 'nanostores'
import type { Call, Envelope } from '../../../contract/call.ts'
import {
  type Device,
  type DeviceListRequest,
  listDevices,
  type SerialResults,
  type Serials
} from '../../../contract/device.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { act } from '../../state/toasts.ts'

function deviceList(initial: DeviceListRequest) {
  const $request = atom(initial)
  const $list = liveList({
    call: listDevices,
    request: $request,
    pace: 'slower',
    topic: 'device',
    keyOf: (device: Device) => device.id,
    orderOf: (device) => `${device['online-date'] > 0} ${device.name}`
  })
  return { $request, $list }
}

export const ALL = deviceList({})
export const WARNING = deviceList({ status: 'dev-warns' })
export const PENDING = deviceList({ 'reg-state': 'waiting' })
export const REJECTED = deviceList({ 'reg-state': 'rejected' })

export type DeviceList = ReturnType<typeof deviceList>

/** Makes a call on several devices, tells what became of it, and asks the list anew. */
export async function onDevices(
  call: Call<Serials, SerialResults>,
  serials: string[],
  list: DeviceList
): Promise<SerialResults & Envelope> {
  const reply = await act(send(call, { sn: serials }))
  await list.$list.refresh()
  return reply
}
