// Store and mutations of port forwards.
import type { Envelope } from '../../../contract/call.ts'
import { CLIENT_NOT_EXIST, NOT_EXIST } from '../../../contract/codes.ts'
import {
  listPortForwards,
  type PortForward,
  type StartPortForwardRequest,
  startPortForward,
  stopPortForward
} from '../../../contract/port-forward.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { type MutateOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'

export const $forwards = createLiveList({
  call: listPortForwards,
  pace: 'slower',
  topic: 'portforward'
})

/**
 * Adapts a failure to the form: NOT_EXIST refers to the device; the message is dropped, because the field shows which
 * port is in use.
 */
const toFieldFault = ({ message: _, ...reply }: Envelope): Envelope =>
  reply.result === NOT_EXIST ? { ...reply, result: CLIENT_NOT_EXIST } : reply

export const startForward = (request: StartPortForwardRequest, options: MutateOptions) =>
  mutate(send(startPortForward, request).then(toFieldFault), options)

/** Stops port forwards, one after the other, up to the first failure. @returns whether all were stopped */
export async function stopForwards(forwards: readonly PortForward[]): Promise<boolean> {
  const success = {
    text: OUTCOME.stopped,
    names: forwards.map((forward) => `${forward.name}:${forward['remote-port']}`)
  }
  for (const { id } of forwards)
    if (!(await succeeded(sendMutation(stopPortForward, { id }, { success })))) return false
  return true
}
