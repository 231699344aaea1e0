// Identifies a camera or server at an address that is no device of the vendor.
import { createHash } from 'node:crypto'
import { AUTH_FAILED, INVALID_DATA, UNSUPPORTED } from '../../../../contract/codes.ts'
import { THIRD_PARTY } from '../../../../contract/device/products.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import type { DeviceRequest } from '../../../../device-link/request.ts'
import type { StoredDeviceAddress } from '../../../store/device-addresses.ts'
import { NAME_MAX } from '../../adapters/fields.ts'
import { type DeviceEndpoint, type EndpointResponse, openConnection, sendHttpRequest } from '../http-call.ts'
import type { Identity } from '../logins.ts'
import { directConnections, type Session } from '../session.ts'
import type { ThirdPartyAdapter, ThirdPartyEndpoint, ThirdPartyIdentity } from './adapter.ts'
import { THIRD_PARTY_ADAPTERS, thirdPartyAdapter } from './adapters.ts'
import { ThirdPartyClient } from './client.ts'

export interface IdentifiedThirdParty {
  identity: Identity
  api: string
  session: Session
  client: ThirdPartyClient
}

interface Options {
  stored: StoredDeviceAddress
  /** What is known from before: the serial number and the API. */
  hints: { api?: string; sn?: string }
  /** @param port another one than that of the API, without HTTPS. @throws LinkError */
  resolveEndpoint(port?: number): Promise<DeviceEndpoint>
  /** Milliseconds for each request. */
  timeout: number
}

/**
 * Serial number on the hub. The console shows it without its first nine characters (`displaySerial`), which keep apart
 * the serial numbers of different makers. A server without one has one of its address, or keeps `known`.
 */
export function thirdPartySerial(
  { api }: ThirdPartyAdapter,
  { serial, model }: Pick<ThirdPartyIdentity, 'serial' | 'model'>,
  { address, port }: Pick<StoredDeviceAddress, 'address' | 'port'>,
  known: string | undefined
): string {
  if (serial === '' && known !== undefined) return known
  const own = serial || `${api}-${address}-${port}`
  const maker = createHash('sha256')
    .update(`${api} ${serial && model} ${own}`)
    .digest('hex')
    .slice(0, 8)
  return `${maker}-${own.replace(/[^\w-]/g, '-')}`.slice(0, NAME_MAX)
}

/** The session of a device of which the hub knows no further requests; it leads to its web page and its ports. */
function createSession({ resolveEndpoint }: Options, certificate: () => string): Session {
  const unsupported = () => Promise.reject(new LinkError(UNSUPPORTED, 'the device is not controlled by the hub'))
  return {
    get cert() {
      return certificate()
    },
    ...directConnections(resolveEndpoint),
    request: unsupported,
    requestLast: unsupported,
    upload: unsupported
  }
}

/**
 * Asks the address which kind of camera or server it is, the one of before or those that are usually at the port first.
 * @returns undefined if it is none that the hub knows
 * @throws LinkError 36 if the login is refused, and as `sendHttpRequest`
 */
export async function identifyThirdParty(options: Options): Promise<IdentifiedThirdParty | undefined> {
  const { stored, hints, resolveEndpoint, timeout } = options
  let { cert } = stored
  const send = async (call: DeviceRequest, port?: number): Promise<EndpointResponse> => {
    const response = await sendHttpRequest({ ...(await resolveEndpoint(port)), cert }, call, timeout)
    if (port === undefined) cert ||= response.cert
    return response
  }
  const endpoint: ThirdPartyEndpoint = {
    host: stored.address,
    port: stored.port,
    rtmpPort: stored.rtmpPort,
    send: (call) => send(call),
    sendToPort: (port, call) => send(call, port),
    connect: async () => (await openConnection(await resolveEndpoint(), timeout)).socket
  }
  const known = thirdPartyAdapter(hints.api ?? '')
  const isUsual = ({ ports }: ThirdPartyAdapter) => ports.includes(stored.port)
  const candidates = THIRD_PARTY_ADAPTERS.toSorted((a, b) => Number(isUsual(b)) - Number(isUsual(a)))
  for (const adapter of known ? [known] : candidates) {
    if (!(await adapter.recognizes(endpoint))) continue
    const { user, password } = stored
    if (adapter.needsLogin && user === '') throw new LinkError(AUTH_FAILED, 'the camera needs a login')
    const reported = await adapter.identify(endpoint, { user, password })
    const model = reported.model || adapter.product
    const identity: Identity = {
      sn: thirdPartySerial(adapter, reported, stored, known && hints.sn),
      name: (reported.name || `${model} ${stored.address}`).slice(0, NAME_MAX),
      module: THIRD_PARTY,
      'module-name': model,
      'product-id': 0,
      'hardware-ver': '',
      'firmware-ver': reported.firmware
    }
    const client = new ThirdPartyClient(adapter, endpoint, { user, password })
    return { identity, api: adapter.api, session: createSession(options, () => cert), client }
  }
  if (known) throw new LinkError(INVALID_DATA, `there is no ${known.product} at the address`)
  return undefined
}
