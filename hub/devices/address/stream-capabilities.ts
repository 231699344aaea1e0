// Which streams and pictures a device at an address can exchange with the hub over its documented API
// (docs/architecture/devices-at-addresses.md).
import { SUCCESS } from '../../../contract/codes.ts'
import { type ApiDefinition, apiDefinition } from '../../../contract/device/api-definitions.ts'
import { PRO_CONVERT_AUDIO, PRO_CONVERT_DECODER, PRO_CONVERT_ENCODER } from '../../../contract/device/products.ts'
import { DIR_INPUT, DIR_NONE, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import type { DeviceRequest, DeviceResponse } from '../../../device-link/request.ts'
import { type Fields, fields, resultCode } from '../adapters/fields.ts'
import type { Identity } from './logins.ts'
import { parseJson } from './session.ts'

export interface StreamCapabilities {
  /** `DIR_INPUT`: it sends a stream to the hub. `DIR_OUTPUT`: it plays one. */
  dir: number
  /** Whether the hub has pictures of it. */
  preview: boolean
  /** Path of its pictures on the device. */
  snapshot?: string
}

type Send = (call: DeviceRequest) => Promise<DeviceResponse>

const JSON_HEADERS = { 'content-type': 'application/json' }
/** Maximum characters of a path. */
const PATH_MAX = 256

/** A path on the device. A URL of another server is no such path. */
function readPath(value: unknown): string | undefined {
  if (
    typeof value !== 'string' ||
    value.length > PATH_MAX ||
    !/^\/?[\w.~!$&'()*+,;=:@%?-][\w.~!$&'()*+,;=:@%/?-]*$/.test(value)
  )
    return undefined
  if (value.includes('://')) return undefined
  return value.startsWith('/') ? value : `/${value}`
}

/** Ultra Stream and Ultra Encode have pictures of the input, else of the main stream. */
function ultraCapabilities(info: Fields): StreamCapabilities {
  const snapshot = readPath(info.snapshot) ?? readPath(info['main-snapshot'])
  return { dir: DIR_INPUT, preview: snapshot !== undefined, ...(snapshot !== undefined && { snapshot }) }
}

/** The stream and the pictures of an encoder are its NDI source. */
function proConvertCapabilities({ module }: Identity): StreamCapabilities {
  if (module === PRO_CONVERT_ENCODER) return { dir: DIR_INPUT, preview: true }
  return { dir: module === PRO_CONVERT_DECODER ? DIR_OUTPUT : DIR_NONE, preview: false }
}

/** A device with a list of sources plays them, an audio device sends streams. Any other one refuses the request. */
async function newerCapabilities(
  { prefix, codeField }: ApiDefinition,
  { module }: Identity,
  send: Send
): Promise<StreamCapabilities> {
  const [call, dir] =
    module === PRO_CONVERT_AUDIO
      ? [{ method: 'POST', path: `/${prefix}/tx/live-info`, headers: JSON_HEADERS, body: '{}' }, DIR_INPUT]
      : [{ method: 'GET', path: `/${prefix}/source/list` }, DIR_OUTPUT]
  const { status, body } = await send(call)
  const isSupported = status === 200 && resultCode(fields(parseJson(body))[codeField]) === SUCCESS
  return { dir: isSupported ? dir : DIR_NONE, preview: false }
}

/**
 * @param info response in which the device has identified itself
 * @param send sends a request to the device. @throws LinkError as `send`
 */
export async function readStreamCapabilities(
  api: string,
  identity: Identity,
  info: unknown,
  send: Send
): Promise<StreamCapabilities> {
  const definition = apiDefinition(api)
  switch (definition?.generation) {
    case 'usapi':
      return ultraCapabilities(fields(info))
    case 'mwapi':
      return proConvertCapabilities(identity)
    case 'api':
      return newerCapabilities(definition, identity, send)
    default:
      return { dir: DIR_NONE, preview: false }
  }
}
