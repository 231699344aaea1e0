// The device lists of this room: one live list a registration state and filter, and what can be done to devices.
import { atom } from 'nanostores'
import type { Call } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import {
  type Device,
  type DeviceListRequest,
  listDevices,
  type SerialResults,
  type Serials
} from '../../../contract/device.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { showTip } from '../../state/tip.ts'
import { act } from '../../state/toasts.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

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

export type DeviceCall = Call<Serials, SerialResults>

/**
 * Makes a call on several devices, says what became of each where not all went well, and asks the list anew.
 * @param title of what was done
 * @returns whether all of it was refused or not
 */
export async function onDevices(
  call: DeviceCall,
  devices: readonly Device[],
  { $list }: DeviceList,
  title: string
): Promise<boolean> {
  const { result, details = [] } = await act((force) => send(call, { sn: devices.map(({ sn }) => sn), ...force }))
  const failed = details.filter((one) => one.result !== SUCCESS)
  if (failed.length > 0 && details.length > 1) {
    const nameOf = new Map(devices.map(({ sn, name }) => [sn, name]))
    const said = failed.map((one) => `${nameOf.get(one.sn)}: ${codeText(one.result)}`).join('; ')
    showTip({ title, text: t(TEXT.partly, details.length - failed.length, failed.length, said) })
  }
  await $list.refresh()
  return result === SUCCESS
}
