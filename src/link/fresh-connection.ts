// Requests that the hub accepts only over a connection that is newer than a change: it refuses them over an older one
// (38), and ends that connection with its response.
import type { Call, Envelope } from '../../contract/call.ts'
import { WRONG_STATE } from '../../contract/codes.ts'
import { send } from './send.ts'

/** Connections that a browser keeps to one server. */
const CONNECTIONS_MAX = 6

export async function sendOverFreshConnection<Request extends object, Response>(
  call: Call<Request, Response>,
  request: Request
): Promise<Response & Envelope> {
  let response = await send(call, request)
  for (let n = 0; n < CONNECTIONS_MAX && response.result === WRONG_STATE; n++) response = await send(call, request)
  return response
}
