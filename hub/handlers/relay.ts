// Relays calls to one device (contract/relay.ts). Only methods that `relayedMethods` lists are relayed, each with its
// own permission.

import { DEVICE_VIEW, isPermitted } from '../../contract/access/permissions.ts'
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
import { type ApiDefinition, apiDefinition, relayedMethods } from '../../contract/device/api-definitions.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { isInteractive } from '../../contract/device/families.ts'
import { LOG_FIELD } from '../../contract/log.ts'
import { CLIENT_ID_PARAMS } from '../../contract/relay.ts'
import { streamName } from '../../contract/rules/rules.ts'
import type { DeviceResponse } from '../../device-link/request.ts'
import { BodyError } from '../../web-server/body.ts'
import { isCallAllowed } from '../../web-server/origin.ts'
import type { Peer } from '../../web-server/peer.ts'
import { jsonReply, type Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import { BODY_LIMIT } from '../../web-server/request-fields.ts'
import type { Caller, Gate } from '../auth/gate.ts'
import type { DeviceActions } from '../devices/actions.ts'
import { type DeviceLinks, LinkError } from '../devices/link/links.ts'
import type { RouteHandler } from '../http/router.ts'
import { deviceCodeLines } from '../messages/device-results.ts'
import { requestLanguage } from '../messages/language.ts'
import { modelOf } from '../store/devices.ts'
import type { Store } from '../store/store.ts'

interface RelayParts {
  store: Store
  gate: Gate
  links: DeviceLinks
  actions: DeviceActions
}

/** Milliseconds. Shorter than the console's own timeout, so that the console gets the reason. */
const RELAY_TIMEOUT = 15_000

/** HTTP statuses of responses without a body. */
const BODILESS: readonly number[] = [204, 205, 304]

/** Parses a JSON object; undefined for any other text. An empty text counts as an object without fields. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const fields = JSON.parse(text || '{}')
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

/** The device's own result code, if its response has one: in the field of its API, or in `result`. */
function resultCode({ codeField }: ApiDefinition, fields: Record<string, unknown> | undefined): number | undefined {
  const code = fields?.[codeField] ?? fields?.result
  return typeof code === 'number' ? code : undefined
}

/** Whether the requests of an API have paths and a JSON body. Otherwise a query parameter names the method. */
const hasPaths = ({ requests }: ApiDefinition): boolean => requests.rename.type === 'post'

/** Keeps only the first value of each query parameter: the device might use another one than the hub has checked. */
function removeDuplicates(query: URLSearchParams): void {
  for (const key of new Set(query.keys())) query.set(key, query.get(key) ?? '')
}

/** The serial number in a query; undefined without one. */
const clientIdOf = (query: URLSearchParams): string | undefined =>
  CLIENT_ID_PARAMS.map((name) => query.get(name)).find((value) => value !== null) ?? undefined

/** One call to relay. */
class RelayCall {
  readonly #parts: RelayParts
  readonly #request: HubRequest
  readonly #peer: Peer
  readonly #caller: Caller | undefined
  readonly #query: URLSearchParams
  readonly #definition: ApiDefinition
  readonly #method: string
  /** Permission bits that the method requires; undefined if the contract does not declare the method. */
  readonly #permission: number | undefined
  readonly #sn: string
  /** New name of the device or stream in the request, for the log. */
  #newName: unknown

  /** @param api name of the API in the path */
  constructor(
    parts: RelayParts,
    request: HubRequest,
    peer: Peer,
    caller: Caller | undefined,
    api: string,
    definition: ApiDefinition
  ) {
    this.#parts = parts
    this.#request = request
    this.#peer = peer
    this.#caller = caller
    this.#query = new URLSearchParams(request.search)
    this.#definition = definition
    const [, , , ...path] = request.path.split('/')
    const methods = relayedMethods(api) ?? {}
    this.#method = hasPaths(definition) ? `/${path.join('/')}` : (this.#query.get('method') ?? '')
    this.#permission = Object.hasOwn(methods, this.#method) ? methods[this.#method] : undefined
    this.#sn = clientIdOf(this.#query) ?? ''
  }

  async respond(): Promise<Reply> {
    return this.#refuseAccess() ?? (await this.#relay())
  }

  /** Whether the method only reads. A method that the contract does not declare counts as a change. */
  get #isRead(): boolean {
    return this.#permission === DEVICE_VIEW
  }

  /** The error response if the caller may not make this call to this device. */
  #refuseAccess(): Reply | undefined {
    const caller = this.#caller
    const { store, gate } = this.#parts
    const { headers } = this.#request
    if (!caller) return this.#refuse(NOT_LOGGED_IN)
    // Relayed GET requests can change something, too, so the origin check depends on the method's permission.
    const host = headers.get('host') ?? ''
    if (!isCallAllowed(headers, host, !this.#isRead && !caller.byToken)) return this.#refuse(NOT_PERMITTED, 403)
    if (this.#permission === undefined || caller.isRestricted || !isPermitted(this.#permission, caller.user))
      return this.#refuse(NOT_PERMITTED)
    const row = store.devices.bySerial(this.#sn)
    if (row?.reg_state !== REGISTRATION_STATE.accepted || !gate.canSeeDevice(caller, row))
      return this.#refuse(CLIENT_NOT_EXIST)
    if (!isInteractive(modelOf(row))) return this.#refuse(UNSUPPORTED)
    return undefined
  }

  /** Parses the request and sends it to the device. */
  async #relay(): Promise<Reply> {
    const query = this.#query
    removeDuplicates(query)
    const hasBody = hasPaths(this.#definition)
    const fields = hasBody ? await this.#readFields() : Object.fromEntries(query)
    if (typeof fields === 'number') return this.#refuse(INVALID_ARG, fields)
    if (!fields) return this.#refuse(INVALID_ARG)
    const { name } = fields
    if (name !== undefined && (typeof name !== 'string' || streamName(name)))
      return this.#refuse(INVALID_ARG, 200, 'name')
    this.#newName = name
    for (const name of CLIENT_ID_PARAMS) query.delete(name)
    // Some devices do not decode '+' as a space.
    const path = hasBody
      ? `/${this.#definition.prefix}${this.#method}`
      : `/${this.#definition.prefix}${query.size > 0 ? '?' : ''}${query.toString().replaceAll('+', '%20')}`
    const headers = { 'content-type': 'application/json' }
    // The body is serialized from the checked fields: of a field given twice the device might use the other value.
    const body = hasBody ? JSON.stringify(fields) : undefined
    const { method } = this.#request
    let response: DeviceResponse
    try {
      response = await this.#parts.links.request(this.#sn, { method, path, headers, body }, RELAY_TIMEOUT)
    } catch (error) {
      if (error instanceof LinkError) return this.#refuse(error.code)
      this.#log(UNKNOWN_ERROR)
      throw error
    }
    return this.#reply(response)
  }

  /** The fields in the request's body, undefined if it is not a JSON object, or the status of an error. */
  async #readFields(): Promise<Record<string, unknown> | undefined | number> {
    try {
      return parseObject(await this.#request.readText(BODY_LIMIT.size, BODY_LIMIT.deadline))
    } catch (error) {
      if (error instanceof BodyError) return error.status
      throw error
    }
  }

  /** The response of the device, with a sentence for its result code added. */
  #reply(response: DeviceResponse): Reply {
    const fields = parseObject(response.body.toString())
    const code = resultCode(this.#definition, fields)
    // Every number in the log has one meaning, but usapi codes above 1 mean something else than the hub's codes.
    const { generation } = this.#definition
    if (generation === 'usapi' && code !== undefined && code > 1) this.#log(DEVICE_ERROR, { deviceCode: code })
    else this.#log(code ?? (response.status >= 200 && response.status < 300 ? SUCCESS : UNKNOWN_ERROR))
    // Lists should show the change soon, but the response does not wait for it.
    if (!this.#isRead) void this.#parts.actions.pollNow(this.#sn)
    const status = response.status >= 200 && response.status < 600 ? response.status : 502
    // The body is passed on unchanged, except for `message`: the meaning of the code depends on the device family, and
    // only the hub has the texts.
    const message = code && deviceCodeLines(requestLanguage(this.#request.headers), generation, code).join('\n')
    const body = message ? JSON.stringify({ ...fields, message }) : new Uint8Array(response.body)
    const headers = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' }
    return { status, headers, body: BODILESS.includes(status) ? null : body }
  }

  #refuse(result: number, status = 200, field?: string): Reply {
    this.#log(result, { field })
    return jsonReply({ result, ...(field && { field }) }, status)
  }

  /**
   * Logs the call, unless its method only reads. Of the request's fields only a new name is logged.
   * @param details a field that was refused, or the device's own result code
   */
  #log(code: number, { field, deviceCode }: { field?: string; deviceCode?: number } = {}): void {
    if (this.#isRead) return
    const { store } = this.#parts
    const serial = /^[\w-]{1,64}$/.test(this.#sn) ? this.#sn : ''
    const details = [
      serial,
      this.#permission && this.#method,
      this.#newName,
      deviceCode !== undefined && `usapi ${deviceCode}`,
      field && `${LOG_FIELD}${field}`
    ]
    const logged = store.database.transactionOrLater(() =>
      store.logs.addOperation({
        time: Date.now(),
        user: this.#caller?.user.name ?? '',
        token: this.#caller?.tokenName,
        ip: this.#peer.address,
        event: '/socket',
        detail: details.filter(Boolean).join(' '),
        code,
        objects: serial ? [`device:${serial}`] : [],
        anonymous: !this.#caller
      })
    )
    if (logged) store.changes.markChanged('log')
  }
}

/** The API whose calls have paths below `/api`, as those of the hub have. */
const PATH_API = 'api'

/**
 * The relayed request for a call below `/api` that names a device, such as `/api/reboot?sc-client-id=B3`: the same call
 * without a device means the hub. Undefined for all others.
 */
function relayedRequest(request: HubRequest): HubRequest | undefined {
  const method = request.path.slice(`/${PATH_API}`.length)
  if (!Object.hasOwn(relayedMethods(PATH_API) ?? {}, method)) return undefined
  if (clientIdOf(new URLSearchParams(request.search)) === undefined) return undefined
  return {
    method: request.method,
    path: `/socket${request.path}`,
    search: request.search,
    headers: request.headers,
    get body() {
      return request.body
    },
    readText: (max, deadline) => request.readText(max, deadline)
  }
}

/** Lets calls of the hub that name a device go to that device. */
export const withDeviceCalls =
  (api: RouteHandler, relay: RouteHandler): RouteHandler =>
  (request, peer, caller) => {
    const relayed = relayedRequest(request)
    return relayed ? relay(relayed, peer, caller) : api(request, peer, caller)
  }

/** Creates the handler of requests whose path starts with `/socket/`. */
export function createRelayHandler(parts: RelayParts) {
  return async function relay(request: HubRequest, peer: Peer, caller: Caller | undefined): Promise<Reply> {
    const [, , name = ''] = request.path.split('/')
    const definition = apiDefinition(name)
    if (!definition) return jsonReply({ result: UNSUPPORTED }, 404)
    // Each device API has one HTTP method. With another one, the name of the method could be in a place that the hub
    // does not check.
    if (request.method !== (hasPaths(definition) ? 'POST' : 'GET')) return jsonReply({ result: UNSUPPORTED }, 405)
    return new RelayCall(parts, request, peer, caller, name, definition).respond()
  }
}
