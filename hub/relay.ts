// Calls relayed to one device (contract/relay.ts). Only methods the contract knows pass, each for who may make it.
import { CLIENT_NOT_EXIST, INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS, UNSUPPORTED } from '../contract/codes.ts'
import { REGISTRATION } from '../contract/device.ts'
import { DEVICE_CONTROL, permits } from '../contract/permissions.ts'
import { CLIENT_ID, RELAYED } from '../contract/relay.ts'
import { streamName } from '../contract/rules.ts'
import { BODY_MAX, bodyText, jsonAnswer, type Peer } from './api.ts'
import { LinkError } from './devices/links.ts'
import type { Caller } from './gate.ts'
import type { Hub } from './parts.ts'

/** Milliseconds: below the console's own limit, so that it hears the reason. */
const RELAY_TIMEOUT = 15_000

/** Answers requests whose path starts with `/socket/`. */
export function createRelay({ store, gate, links }: Hub) {
  return async function relay(request: Request, peer: Peer, caller: Caller | undefined): Promise<Response> {
    const url = new URL(request.url)
    const [, , prefix = '', ...rest] = url.pathname.split('/')
    if (!Object.hasOwn(RELAYED, prefix)) return jsonAnswer({ result: UNSUPPORTED }, 404)
    if (request.method !== 'GET' && request.method !== 'POST') return jsonAnswer({ result: UNSUPPORTED }, 405)
    if (!caller) return jsonAnswer({ result: NOT_LOGGED_IN })
    const methods = RELAYED[prefix as keyof typeof RELAYED]
    const method = prefix === 'api' ? `/${rest.join('/')}` : (url.searchParams.get('method') ?? '')
    const bits = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (bits === undefined || caller.mustChangePassword || !permits(bits, caller.user))
      return jsonAnswer({ result: NOT_PERMITTED })
    const sn = url.searchParams.get(CLIENT_ID) ?? ''
    const row = store.devices.bySerial(sn)
    if (row?.reg_state !== REGISTRATION.accepted || !gate.seesDevice(caller, row))
      return jsonAnswer({ result: CLIENT_NOT_EXIST })
    const body = request.method === 'POST' ? await bodyText(request, BODY_MAX) : undefined
    if (request.method === 'POST' && body === undefined) return jsonAnswer({ result: INVALID_ARG }, 413)
    const name = url.searchParams.get('name')
    if (name !== null && streamName(name)) return jsonAnswer({ result: INVALID_ARG, field: 'name' })
    url.searchParams.delete(CLIENT_ID)
    // Not every device reads '+' as a space.
    const query = url.search.replaceAll('+', '%20')
    const path = prefix === 'api' ? `/api${method}${query}` : `/${prefix}${query}`
    let answer: { status: number; body: Buffer } | undefined
    let result = SUCCESS
    try {
      answer = await links.request(
        sn,
        { method: request.method, path, headers: { 'content-type': 'application/json' }, body },
        RELAY_TIMEOUT
      )
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      result = error.code
    }
    if (bits === DEVICE_CONTROL) {
      const detail = [sn, method, name].filter(Boolean).join(' ')
      const line = {
        time: Date.now(),
        user: caller.user.name,
        ip: peer.address,
        event: '/socket',
        detail,
        code: result
      }
      store.database.transaction(() => store.logs.addOperation(line))
      store.changes.bump('log')
    }
    if (!answer) return jsonAnswer({ result })
    return new Response(new Uint8Array(answer.body), {
      status: answer.status >= 200 && answer.status < 600 ? answer.status : 502,
      headers: { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' }
    })
  }
}
