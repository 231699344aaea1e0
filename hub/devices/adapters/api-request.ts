// Builds requests to devices from the API definitions (contract/device/api-definitions.ts).
import type { ApiDefinition, ApiRequest } from '../../../contract/device/api-definitions.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'

/** Values for the parameters that stand for something, by their name without the braces. */
export type RequestValues = Readonly<Record<string, string>>

type Parameters = Record<string, string | number | boolean>

function fillIn(params: ApiRequest['params'] = {}, values: RequestValues): Parameters {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => {
      const [, key] = typeof param === 'string' ? (/^\{(\w+)\}$/.exec(param) ?? []) : []
      return [name, key === undefined ? param : (values[key] ?? '')]
    })
  )
}

/** Path and query of a request. Spaces are encoded as %20: some devices do not decode '+' as a space. */
export function requestPath({ prefix }: ApiDefinition, request: ApiRequest, values: RequestValues = {}): string {
  const { url, method, params } = request
  if (method === undefined) return `/${prefix}${url ?? ''}`
  const query = Object.entries(fillIn(params, values)).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
  return `/${prefix}?method=${method}${query.join('')}`
}

export function buildRequest(
  definition: ApiDefinition,
  request: ApiRequest,
  values: RequestValues = {}
): DeviceRequest {
  const path = requestPath(definition, request, values)
  if (request.type !== 'post') return { method: 'GET', path }
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fillIn(request.params, values))
  }
}
