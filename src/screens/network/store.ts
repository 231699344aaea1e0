// The network of the machine under the hub, and its changes.
import { SUCCESS } from '../../../contract/codes.ts'
import {
  type ChangeAccepted,
  type JoinWifiRequest,
  joinWifi,
  listNetwork,
  type SetNetworkRequest,
  scanWifi,
  setNetwork,
  type WifiNetwork
} from '../../../contract/machine/network.ts'
import { send } from '../../link/send.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation } from '../../state/mutations.ts'
import { notify } from '../../state/toasts.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { followChange } from './follow.ts'
import { TEXT } from './text.ts'

export const $network = createLiveValue({ call: listNetwork, pace: 'slower', topic: 'status' })

/** What the toast of an accepted request says: a change is only on its way. */
const successOf =
  (iface: string) =>
  ({ change }: ChangeAccepted) => ({ text: change ? TEXT.applying : OUTCOME.saved, names: [iface] })

const outcomeTime = () => $network.get().value?.last?.time

export async function saveInterface(request: SetNetworkRequest, options: FailureOptions = {}) {
  const formerOutcome = outcomeTime()
  const response = await sendMutation(setNetwork, request, { ...options, success: successOf(request.iface) })
  if (response.result === SUCCESS) followChange(response, formerOutcome, $network.refresh)
  return response
}

export async function join(request: JoinWifiRequest, options: FailureOptions = {}) {
  const formerOutcome = outcomeTime()
  const response = await sendMutation(joinWifi, request, { ...options, success: successOf(request.iface) })
  if (response.result === SUCCESS) followChange(response, formerOutcome, $network.refresh)
  return response
}

/** Milliseconds for a scan, which takes several seconds. */
const SCAN_TIMEOUT = 15_000

/** The networks in range; undefined if the scan failed, for which there is a toast. */
export async function scan(iface: string): Promise<WifiNetwork[] | undefined> {
  const response = await send(scanWifi, { iface }, { timeout: SCAN_TIMEOUT })
  if (response.result === SUCCESS) return response.list
  notify(response)
  return undefined
}
