// Login and identification requests of each device generation (docs/wire.md, "Device generations"). Device links do not
// need them.
import { createHash } from 'node:crypto'
import type { DeviceApi } from '../../../contract/device/action.ts'
import { API_DEFINITIONS, type ApiDefinition } from '../../../contract/device/api-definitions.ts'
import { SERIAL_NUMBER } from '../../../contract/device/link.ts'
import {
  familyOfModel,
  findFamily,
  OTHERS,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  productIdOf,
  THIRD_PARTY,
  ULTRA_ENCODE,
  USB_FUSION,
  VENDOR_API_CLASS
} from '../../../contract/device/products.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'
import { buildRequest } from '../adapters/api-request.ts'
import { type Fields, fields, integer, NAME_MAX, resultCode, text } from '../adapters/fields.ts'

/** Identity as reported by a device. */
export interface Identity {
  sn: string
  name: string
  module: number
  'module-name': string
  'api-class'?: string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
}

export interface Generation {
  /** Name of the API (contract/device/api-definitions.ts). */
  readonly api: string
  /**
   * Request without a session to which only devices of this generation respond with success, or that they refuse for
   * the missing session. It comes before the login, so that no other server receives the user name and the hash of the
   * password.
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
 * Product family by product id, else by model name, else as entered by the user, else `fallback`. Of the third-party
 * devices only the vendor's own have one of these APIs, so for any other device that family is ignored if the user
 * entered it.
 */
function familyOf(
  product: number,
  model: string,
  apiClass: string | undefined,
  entered: number | undefined,
  fallback: number
): number {
  const isUsable = entered !== undefined && (entered !== THIRD_PARTY || apiClass === VENDOR_API_CLASS)
  return familyOfModel(product, model) ?? (isUsable ? findFamily(entered)?.id : undefined) ?? fallback
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
  if (typeof sn !== 'string' || !SERIAL_NUMBER.test(sn)) return undefined
  const model = text(response[names.model], NAME_MAX) ?? sn
  const product = integer(response['product-id'], 0, 0xffff) ?? productIdOf(sn) ?? 0
  const apiClass = text(response['api-class'], NAME_MAX)
  return {
    sn,
    name: text(response[names.name], NAME_MAX) ?? model,
    module: familyOf(product, model, apiClass, family, fallback),
    ...(apiClass !== undefined && { 'api-class': apiClass }),
    'module-name': model,
    'product-id': product,
    'hardware-ver': text(response[names.hardware], NAME_MAX) ?? '',
    'firmware-ver': text(response[names.firmware], NAME_MAX) ?? ''
  }
}

/** Codes and identity of a generation. */
interface LoginReader extends Pick<Generation, 'loginRefusedCodes' | 'sessionExpiredCodes' | 'identity' | 'cookie'> {}

const usapi: LoginReader = {
  // Wrong password; unknown user.
  loginRefusedCodes: [-1, -25],
  sessionExpiredCodes: [-17],
  identity: (response, family) =>
    readIdentity(
      fields(fields(response).product),
      { sn: 'sn', name: 'box-name', model: 'module-name', hardware: 'hardware-ver', firmware: 'firmware-ver-s' },
      family,
      ULTRA_ENCODE
    )
}

const mwapi: LoginReader = {
  loginRefusedCodes: [36],
  sessionExpiredCodes: [37],
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

const api: LoginReader = {
  loginRefusedCodes: [36],
  sessionExpiredCodes: [37],
  cookie(response, sn) {
    const { sid } = fields(response)
    return sn && typeof sid === 'string' && /^[\w-]{1,256}$/.test(sid) ? `sid-${sn}=${sid}` : undefined
  },
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

const READERS: Readonly<Record<DeviceApi, LoginReader>> = { usapi, mwapi, api }

function createGeneration(name: string, definition: ApiDefinition): Generation {
  const { generation, codeField, requests } = definition
  return {
    ...READERS[generation],
    api: name,
    ping: buildRequest(definition, requests.ping),
    login: (user, password) =>
      buildRequest(definition, requests.login, {
        user,
        md5: hexHash('md5', password),
        sha256: hexHash('sha256', password)
      }),
    code: (response) => resultCode(fields(response)[codeField]),
    identify: buildRequest(definition, requests.identify)
  }
}

/** All APIs, in the order in which they are tried without hints. */
export function listGenerations(): Generation[] {
  return Object.entries(API_DEFINITIONS).map(([name, definition]) => createGeneration(name, definition))
}
