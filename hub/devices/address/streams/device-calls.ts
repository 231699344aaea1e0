// Calls of one device by which the hub sets up its streams: requests with their results checked.
import { SUCCESS, UNKNOWN_ERROR } from '../../../../contract/codes.ts'
import type { ApiDefinition } from '../../../../contract/device/api-definitions.ts'
import { LinkError, noResponseError } from '../../../../device-link/link-error.ts'
import type { DeviceRequest, DeviceResponse } from '../../../../device-link/request.ts'
import { type Fields, fields, resultCode } from '../../adapters/fields.ts'
import { parseJson } from '../session.ts'

export type Parameters = Readonly<Record<string, string | number | boolean>>

export interface DeviceCalls {
  /**
   * Sends a request whose method is in the query.
   * @param accepted result codes other than 0 that are no failure
   * @returns the response. @throws LinkError as `request`, or with the result code of the device
   */
  query(method: string, parameters?: Parameters, accepted?: readonly number[]): Promise<Fields>
  /** As `query`: sends a GET request to a path below the prefix of the API. */
  get(path: string): Promise<Fields>
  /** As `query`: sends a POST request with JSON to a path below the prefix of the API. */
  post(path: string, body: object): Promise<Fields>
  /** Fails as if the device had refused a request, with this result code or for the reason of this name. */
  refuse(reason: number | string): never
}

/** Milliseconds, including those in which other requests to the device are answered. */
const TIMEOUT = 10_000
/** Maximum size in bytes of a response. */
const RESPONSE_MAX = 256 << 10

/** The query of a request. Spaces are encoded as %20: some devices do not decode '+' as a space. */
const formatQuery = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')

/**
 * A device has refused a request. The message is what the reason `device-refuses` contains: generation and code, which
 * are translated when they are shown.
 */
function refusal({ generation }: ApiDefinition, code: number): LinkError {
  // The codes of the Ultra family are no codes of the hub.
  return new LinkError(generation === 'usapi' ? UNKNOWN_ERROR : code, `${generation} ${code}`)
}

/** @param request sends a request to the device */
export function createDeviceCalls(
  definition: ApiDefinition,
  request: (call: DeviceRequest, timeout: number) => Promise<DeviceResponse>
): DeviceCalls {
  async function send(call: DeviceRequest, accepted: readonly number[] = []): Promise<Fields> {
    const { status, body } = await request({ ...call, maxBody: RESPONSE_MAX }, TIMEOUT)
    const response = fields(parseJson(body))
    const code = resultCode(response[definition.codeField])
    if (status !== 200 || code === undefined) throw noResponseError('the response of the device cannot be read')
    if (code !== SUCCESS && !accepted.includes(code)) throw refusal(definition, code)
    return response
  }

  const { prefix } = definition
  return {
    query: (method, parameters = {}, accepted) =>
      send({ method: 'GET', path: `/${prefix}?method=${method}${formatQuery(parameters)}` }, accepted),
    get: (path) => send({ method: 'GET', path: `/${prefix}${path}` }),
    post: (path, body) =>
      send({
        method: 'POST',
        path: `/${prefix}${path}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      }),
    refuse(reason) {
      throw typeof reason === 'number' ? refusal(definition, reason) : new LinkError(UNKNOWN_ERROR, reason)
    }
  }
}
