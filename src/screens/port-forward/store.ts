// Ports that are forwarded, and what can be done to them.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { CLIENT_NOT_EXIST, NOT_EXIST } from '../../../contract/codes.ts'
import {
  listPortForwards,
  type NewPortForward,
  type PortForward,
  startPortForward,
  stopPortForward
} from '../../../contract/port-forward.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { type ActOptions, act, change, well } from '../../state/toasts.ts'

export const $forwards = liveList({
  call: listPortForwards,
  request: atom({}),
  pace: 'slower',
  topic: 'portforward',
  keyOf: (forward: PortForward) => forward.id
})

/** The answer as its field says it: what does not exist is the device, and which port is in use stands there. */
const atField = ({ message: _, ...answer }: Envelope): Envelope =>
  answer.result === NOT_EXIST ? { ...answer, result: CLIENT_NOT_EXIST } : answer

export const forward = (request: NewPortForward, options: ActOptions) =>
  act(send(startPortForward, request).then(atField), options)

/** @returns whether all went well */
export async function stop(forwards: readonly PortForward[]): Promise<boolean> {
  for (const { id } of forwards) if (!(await well(change(stopPortForward, { id })))) return false
  return true
}
