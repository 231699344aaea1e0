// How each generation is signed in to and asked who it is: device-api 3.1, 4.1, 5. Over a link none of this is needed.
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
import { answerCode, type Fields, fields, integer, NAME_MAX, text } from '../adapters/fields.ts'
import type { DeviceRequest } from '../link/request.ts'

/** What a device says that it is. */
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
  /** A call that needs no session and tells whether a device is of this generation; without one the login does. */
  readonly ping?: DeviceRequest
  login(user: string, password: string): DeviceRequest
  /** Its code; undefined for what is no answer of this generation. */
  code(answer: unknown): number | undefined
  /** Codes of a wrong user or password, and of a call without a session. */
  readonly refused: readonly number[]
  readonly signedOut: readonly number[]
  /** The cookie that goes with a session of which only the answer tells; `sn` is empty while it is not known. */
  cookie?(answer: unknown, sn: string): string | undefined
  /** The call that says what it is. */
  readonly identify: DeviceRequest
  /** @param family as the user has it */
  identity(answer: unknown, family: number | undefined): Identity | undefined
}

const hex = (algorithm: 'md5' | 'sha256', word: string) => createHash(algorithm).update(word).digest('hex')

/** The family by the product's number, else its name, else as the user says, else `otherwise`. Third parties speak none of these APIs. */
function familyOf(product: number, name: string, family: number | undefined, otherwise: number): number {
  const named = Object.entries(FAMILY_NAMES).find(([, word]) => name.toLowerCase().startsWith(word.toLowerCase()))
  const told =
    family !== undefined && family !== THIRD_PARTY && Object.hasOwn(FAMILY_NAMES, family) ? family : undefined
  return familyOfProduct(product) ?? (named ? Number(named[0]) : (told ?? otherwise))
}

/** Under the names that the generations have for the same; undefined without a serial number that can be one. */
function identityOf(
  said: Fields,
  names: Record<'sn' | 'name' | 'model' | 'hardware' | 'firmware', string>,
  family: number | undefined,
  otherwise: number
): Identity | undefined {
  const sn = said[names.sn]
  if (typeof sn !== 'string' || !/^[\w-]{4,64}$/.test(sn)) return undefined
  const model = text(said[names.model], NAME_MAX) ?? sn
  const product = integer(said['product-id'], 0, 0xffff) ?? productIdOf(sn) ?? 0
  return {
    sn,
    name: text(said[names.name], NAME_MAX) ?? model,
    module: familyOf(product, model, family, otherwise),
    'module-name': model,
    'product-id': product,
    'hardware-ver': text(said[names.hardware], NAME_MAX) ?? '?',
    'firmware-ver': text(said[names.firmware], NAME_MAX) ?? '?'
  }
}

const query = (prefix: string, method: string, more: Record<string, string> = {}): DeviceRequest => ({
  method: 'GET',
  path: `/${prefix}?${new URLSearchParams({ method, ...more }).toString().replaceAll('+', '%20')}`
})

const usapi: Generation = {
  api: 'usapi',
  ping: query('usapi', 'ping'),
  login: (id, password) => query('usapi', 'login', { id, pass: hex('md5', password) }),
  code: (answer) => answerCode(fields(answer).result),
  // Wrong password, no such user.
  refused: [-1, -25],
  signedOut: [-17],
  identify: query('usapi', 'get-info'),
  identity: (answer, family) =>
    identityOf(
      fields(fields(answer).product),
      { sn: 'sn', name: 'box-name', model: 'module-name', hardware: 'hardware-ver', firmware: 'firmware-ver-s' },
      family,
      ULTRA_ENCODE
    )
}

const mwapi: Generation = {
  api: 'mwapi',
  ping: query('mwapi', 'ping'),
  login: (id, password) => query('mwapi', 'login', { id, pass: hex('md5', password) }),
  code: (answer) => answerCode(fields(answer).status),
  refused: [36],
  signedOut: [37],
  identify: query('mwapi', 'get-summary-info'),
  identity(answer, family) {
    const device = fields(fields(answer).device)
    const guess =
      'input-hdmi-1-state' in device ? USB_FUSION : 'input-state' in device ? PRO_CONVERT_ENCODER : PRO_CONVERT_DECODER
    return identityOf(
      device,
      { sn: 'serial-no', name: 'name', model: 'model', hardware: 'hw-revision', firmware: 'fw-version' },
      family,
      guess
    )
  }
}

const api: Generation = {
  api: 'api',
  login: (username, password) => ({
    method: 'POST',
    path: '/api/user/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: hex('sha256', password) })
  }),
  code: (answer) => answerCode(fields(answer).status),
  refused: [36],
  signedOut: [37],
  cookie(answer, sn) {
    const { sid } = fields(answer)
    return sn && typeof sid === 'string' && /^[\w-]{1,256}$/.test(sid) ? `sid-${sn}=${sid}` : undefined
  },
  // The fields are public, the path is not: ours, in the manner of those that are (`adapters/api.ts`).
  identify: { method: 'GET', path: '/api/system/device-info' },
  identity: (answer, family) =>
    identityOf(
      fields(answer),
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

/** In the order in which they are tried. */
export const GENERATIONS: readonly Generation[] = [usapi, mwapi, api]
