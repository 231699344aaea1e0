// Login and identification requests of each device generation (docs/wire.md, "Device generations"). Device links do not need them.
import { createHash } from 'node:crypto'
import type { DeviceApi } from '../../../contract/device/action.ts'
import {
  FAMILY_NAMES,
  familyOfProduct,
  OTHERS,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  productIdOf,
  THIRD_PARTY,
  ULTRA_ENCODE,
  USB_FUSION
} from '../../../contract/device/products.ts'
import { type Fields, fields, integer, NAME_MAX, resultCode, text } from '../adapters/fields.ts'
import type { DeviceRequest } from '../link/request.ts'

/** Identity as reported by a device. */
export interface Identity {
  sn: string
  name: string
  module: number
  'module-name': string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
}

export interface Generation {
  readonly api: DeviceApi
  /**
   * Request without a session to which only devices of this generation respond with success, or that they refuse for the missing session. It
   * comes before the login, so that no other server receives the user name and the hash of the password.
   */
  readonly ping: DeviceRequest
  login(user: string, password: string): DeviceRequest
  /** Result code of a response; undefined if it is not a response of this generation. */
  code(response: unknown): number | undefined
  /** Codes for a wrong user or password, and for a request without a valid session. */
  readonly loginRefusedCodes: readonly number[]
  readonly sessionExpiredCodes: readonly number[]
  /** Session cookie, for a generation that returns the session id in the body. `sn` is empty if it is not known yet. */
  cookie?(response: unknown, sn: string): string | undefined
  /** Request for the identity. */
  readonly identify: DeviceRequest
  /** @param family product family as entered by the user */
  identity(response: unknown, family: number | undefined): Identity | undefined
}

const hexHash = (algorithm: 'md5' | 'sha256', text: string) => createHash(algorithm).update(text).digest('hex')

/**
 * Product family by product id, else by model name, else as entered by the user, else `fallback`. Third-party devices have none of these
 * APIs, so that family is ignored if the user entered it.
 */
function familyOf(product: number, model: string, entered: number | undefined, fallback: number): number {
  const byName = Object.entries(FAMILY_NAMES).find(([, name]) => model.toLowerCase().startsWith(name.toLowerCase()))
  const isUsable = entered !== undefined && entered !== THIRD_PARTY && Object.hasOwn(FAMILY_NAMES, entered)
  return familyOfProduct(product) ?? (byName ? Number(byName[0]) : isUsable ? entered : fallback)
}

/**
 * Reads an identity from a response.
 * @param names field names of the generation
 * @returns undefined if there is no valid serial number
 */
function readIdentity(
  response: Fields,
  names: Record<'sn' | 'name' | 'model' | 'hardware' | 'firmware', string>,
  family: number | undefined,
  fallback: number
): Identity | undefined {
  const sn = response[names.sn]
  if (typeof sn !== 'string' || !/^[\w-]{4,64}$/.test(sn)) return undefined
  const model = text(response[names.model], NAME_MAX) ?? sn
  const product = integer(response['product-id'], 0, 0xffff) ?? productIdOf(sn) ?? 0
  return {
    sn,
    name: text(response[names.name], NAME_MAX) ?? model,
    module: familyOf(product, model, family, fallback),
    'module-name': model,
    'product-id': product,
    'hardware-ver': text(response[names.hardware], NAME_MAX) ?? '?',
    'firmware-ver': text(response[names.firmware], NAME_MAX) ?? '?'
  }
}

const query = (prefix: string, method: string, parameters: Record<string, string> = {}): DeviceRequest => ({
  method: 'GET',
  path: `/${prefix}?${new URLSearchParams({ method, ...parameters }).toString().replaceAll('+', '%20')}`
})

const usapi: Generation = {
  api: 'usapi',
  ping: query('usapi', 'ping'),
  login: (id, password) => query('usapi', 'login', { id, pass: hexHash('md5', password) }),
  code: (response) => resultCode(fields(response).result),
  // Wrong password; unknown user.
  loginRefusedCodes: [-1, -25],
  sessionExpiredCodes: [-17],
  identify: query('usapi', 'get-info'),
  identity: (response, family) =>
    readIdentity(
      fields(fields(response).product),
      { sn: 'sn', name: 'box-name', model: 'module-name', hardware: 'hardware-ver', firmware: 'firmware-ver-s' },
      family,
      ULTRA_ENCODE
    )
}

const mwapi: Generation = {
  api: 'mwapi',
  ping: query('mwapi', 'ping'),
  login: (id, password) => query('mwapi', 'login', { id, pass: hexHash('md5', password) }),
  code: (response) => resultCode(fields(response).status),
  loginRefusedCodes: [36],
  sessionExpiredCodes: [37],
  identify: query('mwapi', 'get-summary-info'),
  identity(response, family) {
    const device = fields(fields(response).device)
    const guess =
      'input-hdmi-1-state' in device ? USB_FUSION : 'input-state' in device ? PRO_CONVERT_ENCODER : PRO_CONVERT_DECODER
    return readIdentity(
      device,
      { sn: 'serial-no', name: 'name', model: 'model', hardware: 'hw-revision', firmware: 'fw-version' },
      family,
      guess
    )
  }
}

/** The fields are documented by the vendor, the path is not: it is modelled on the documented ones (`adapters/api.ts`). */
const DEVICE_INFO: DeviceRequest = { method: 'GET', path: '/api/system/device-info' }

const api: Generation = {
  api: 'api',
  // These devices have no ping: without a session they refuse this request with their own code.
  ping: DEVICE_INFO,
  login: (username, password) => ({
    method: 'POST',
    path: '/api/user/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: hexHash('sha256', password) })
  }),
  code: (response) => resultCode(fields(response).status),
  loginRefusedCodes: [36],
  sessionExpiredCodes: [37],
  cookie(response, sn) {
    const { sid } = fields(response)
    return sn && typeof sid === 'string' && /^[\w-]{1,256}$/.test(sid) ? `sid-${sn}=${sid}` : undefined
  },
  identify: DEVICE_INFO,
  identity: (response, family) =>
    readIdentity(
      fields(response),
      {
        sn: 'serial-number',
        name: 'device-name',
        model: 'product-name',
        hardware: 'hardware-rev',
        firmware: 'firmware-ver'
      },
      family,
      OTHERS
    )
}

/** In the order in which they are tried without hints. */
export const GENERATIONS: readonly Generation[] = [usapi, mwapi, api]
