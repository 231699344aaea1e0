// Calls relayed to one device (contract/relay.ts). Only methods the contract knows pass, each for who may make it.
import {
  CLIENT_NOT_EXIST,
  DEVICE_ERROR,
  INVALID_ARG,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  UNKNOWN_ERROR,
  UNSUPPORTED
} from '../../contract/codes.ts'
import { REGISTRATION } from '../../contract/device/device.ts'
import { LOG_FIELD } from '../../contract/log.ts'
import { DEVICE_VIEW, permits } from '../../contract/permissions.ts'
import { CLIENT_ID, RELAYED } from '../../contract/relay.ts'
import { streamName } from '../../contract/rules/rules.ts'
import type { Caller } from '../auth/gate.ts'
import type { Hub } from '../context.ts'
import { LinkError } from '../devices/link/links.ts'
import type { DeviceAnswer } from '../devices/link/request.ts'
import { BODY_MAX, bodyText, jsonAnswer, type Peer } from '../http/api.ts'
import { mayCall } from '../http/origin.ts'
import { deviceCodeLines } from '../messages/device-results.ts'
import { languageOf } from '../messages/language.ts'

/** Milliseconds: below the console's own limit, so that it hears the reason. */
const RELAY_TIMEOUT = 15_000

/** Statuses whose answer has no body. */
const BODILESS: readonly number[] = [204, 205, 304]

type Prefix = keyof typeof RELAYED

/** The fields of a JSON object; undefined for any other text. Some calls take none at all. */
function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const fields = JSON.parse(text || '{}')
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

/** The device's own result, where it says one: `result` for usapi, `status` for the others (reference 1.3). */
function codeOf(prefix: Prefix, fields: Record<string, unknown> | undefined): number | undefined {
  const code = prefix === 'usapi' ? fields?.result : (fields?.status ?? fields?.result)
  return typeof code === 'number' ? code : undefined
}

/** Answers requests whose path starts with `/socket/`. */
export function createRelay({ store, gate, links, actions }: Hub) {
  return async function relay(request: Request, peer: Peer, caller: Caller | undefined): Promise<Response> {
    const url = new URL(request.url)
    const { searchParams } = url
    const [, , name = '', ...rest] = url.pathname.split('/')
    if (!Object.hasOwn(RELAYED, name)) return jsonAnswer({ result: UNSUPPORTED }, 404)
    const prefix = name as Prefix
    // Each generation is called in one way only (device API 1): a second one could say another method than the one looked at here.
    if (request.method !== (prefix === 'api' ? 'POST' : 'GET')) return jsonAnswer({ result: UNSUPPORTED }, 405)
    const methods = RELAYED[prefix]
    const method = prefix === 'api' ? `/${rest.join('/')}` : (searchParams.get('method') ?? '')
    const bits = Object.hasOwn(methods, method) ? methods[method] : undefined
    const sn = searchParams.get(CLIENT_ID) ?? ''

    // One line for each call that changes something, or that nobody knows not to; without what was asked but for a new name.
    let newName: unknown
    function log(code: number, field?: string, own?: string): void {
      if (bits === DEVICE_VIEW) return
      const serial = /^[\w-]{1,64}$/.test(sn) ? sn : ''
      const written = store.database.transaction(() =>
        store.logs.addOperation({
          time: Date.now(),
          user: caller?.user.name ?? '',
          ip: peer.address,
          event: '/socket',
          detail: [serial, bits && method, newName, own, field && `${LOG_FIELD}${field}`].filter(Boolean).join(' '),
          code,
          objects: serial ? [`device:${serial}`] : [],
          nobody: !caller
        })
      )
      if (written) store.changes.bump('log')
    }
    function refuse(result: number, status = 200, field?: string): Response {
      log(result, field)
      return jsonAnswer({ result, ...(field && { field }) }, status)
    }

    if (!caller) return refuse(NOT_LOGGED_IN)
    // Here GET changes things too.
    const host = request.headers.get('host') ?? url.host
    if (!mayCall(request.headers, host, bits !== DEVICE_VIEW && !caller.byToken)) return refuse(NOT_PERMITTED, 403)
    if (bits === undefined || caller.mustChangePassword || !permits(bits, caller.user)) return refuse(NOT_PERMITTED)
    const row = store.devices.bySerial(sn)
    if (row?.reg_state !== REGISTRATION.accepted || !gate.seesDevice(caller, row)) return refuse(CLIENT_NOT_EXIST)
    // Of a parameter given twice the device might take the other one.
    for (const key of new Set(searchParams.keys())) searchParams.set(key, searchParams.get(key) ?? '')
    const body = prefix === 'api' ? await bodyText(request, BODY_MAX) : undefined
    if (prefix === 'api' && body === undefined) return refuse(INVALID_ARG, 413)
    const fields = prefix === 'api' ? fieldsOf(body ?? '') : Object.fromEntries(searchParams)
    if (!fields) return refuse(INVALID_ARG)
    const { name: wish } = fields
    if (wish !== undefined && (typeof wish !== 'string' || streamName(wish))) return refuse(INVALID_ARG, 200, 'name')
    newName = wish
    searchParams.delete(CLIENT_ID)
    // Not every device reads '+' as a space.
    const path = prefix === 'api' ? `/api${method}` : `/${prefix}${url.search.replaceAll('+', '%20')}`

    const headers = { 'content-type': 'application/json' }
    // As it was read: of a name given twice the device might take the other one.
    const passed = prefix === 'api' ? JSON.stringify(fields) : undefined
    let answer: DeviceAnswer
    try {
      answer = await links.request(sn, { method: request.method, path, headers, body: passed }, RELAY_TIMEOUT)
    } catch (error) {
      if (error instanceof LinkError) return refuse(error.code)
      log(UNKNOWN_ERROR)
      throw error
    }
    const said = fieldsOf(answer.body.toString())
    const code = codeOf(prefix, said)
    // In the log a number has one meaning, and an Ultra's above 1, which is under way already, have another than the hub's.
    if (prefix === 'usapi' && code !== undefined && code > 1) log(DEVICE_ERROR, undefined, `usapi ${code}`)
    else log(code ?? (answer.status >= 200 && answer.status < 300 ? SUCCESS : UNKNOWN_ERROR))
    // What it changed the lists shall show soon; the answer is the device's own, and waits for nothing.
    if (bits !== DEVICE_VIEW) void actions.look(sn)
    const status = answer.status >= 200 && answer.status < 600 ? answer.status : 502
    // Word for word, but for what the code means, which the hub alone knows of each family.
    const message = code && deviceCodeLines(languageOf(request.headers), prefix, code).join('\n')
    const answered = message ? JSON.stringify({ ...said, message }) : new Uint8Array(answer.body)
    return new Response(BODILESS.includes(status) ? null : answered, {
      status,
      headers: { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' }
    })
  }
}
