// Ports that are forwarded, and what can be done to them.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { CLIENT_NOT_EXIST, NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device.ts'
import {
  listPortForwards,
  type NewPortForward,
  type PortForward,
  startPortForward,
  stopPortForward
} from '../../../contract/port-forward.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { act } from '../../state/toasts.ts'

/** Devices that are proposed to who types. */
const PROPOSED = 20

export const $forwards = liveList({
  call: listPortForwards,
  request: atom({}),
  pace: 'slower',
  topic: 'portforward',
  keyOf: (forward: PortForward) => forward.id
})

/** The answer as its field says it: what does not exist is the device, and which port is in use stands there. */
const atField = ({ port: _, ...answer }: Envelope): Envelope =>
  answer.result === NOT_EXIST ? { ...answer, result: CLIENT_NOT_EXIST } : answer

/** @param quiet whether the form says the answer itself */
export async function forward(request: NewPortForward, quiet: (answer: Envelope) => boolean): Promise<Envelope> {
  const answer = await act((force) => send(startPortForward, { ...request, ...force }).then(atField), { quiet })
  await $forwards.refresh()
  return answer
}

/** Stops them, one after the other. @returns whether all went well */
export async function stop(forwards: readonly PortForward[]): Promise<boolean> {
  const answer = await act(async (): Promise<Envelope> => {
    let worst: Envelope = { result: SUCCESS }
    for (const { id } of forwards) {
      const one = await send(stopPortForward, { id })
      if (one.result !== SUCCESS) worst = one
    }
    return worst
  })
  await $forwards.refresh()
  return answer.result === SUCCESS
}

/** Accepted devices with a text in their name or serial number. */
export async function devicesWith(key: string): Promise<readonly Device[]> {
  const { list = [] } = await send(listDevices, { key, count: PROPOSED, sort: 'name', order: 'ascending' })
  return list
}
