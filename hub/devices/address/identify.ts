// Identifies the device at an address: its generation, whether it accepts the login, and its serial number and model.
import { INVALID_DATA, SUCCESS } from '../../../contract/codes.ts'
import { isInteractive } from '../../../contract/device/families.ts'
import { findFamily, THIRD_PARTY } from '../../../contract/device/products.ts'
import { DIR_NONE } from '../../../contract/stream/protocols.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import type { StoredDeviceAddress } from '../../store/device-addresses.ts'
import { type AddressPolicy, resolveDeviceAddress } from './address-policy.ts'
import { type DeviceEndpoint, sendHttpRequest } from './http-call.ts'
import { type Generation, type Identity, listGenerations } from './logins.ts'
import { createSession, parseJson, type Session } from './session.ts'
import { readStreamCapabilities, type StreamCapabilities } from './stream-capabilities.ts'
import { thirdPartyAdapter } from './third-party/adapters.ts'
import type { ThirdPartyClient } from './third-party/client.ts'
import { identifyThirdParty } from './third-party/identify.ts'

export interface IdentifiedDevice {
  identity: Identity
  api: string
  streams: StreamCapabilities
  session: Session
  /** IP address of the device. */
  ip: string
  /** SHA-256 of its certificate as hex; empty without HTTPS. */
  cert: string
  /** Present for a camera or server that is not the vendor's. */
  thirdParty?: ThirdPartyClient
}

export interface IdentifyHints {
  /** API of the device when it was last online. */
  api?: string
  /** Product family as entered by the user. */
  module?: number
  /** Serial number, if it is known. */
  sn?: string
}

/** Maximum size in bytes of a response. */
const RESPONSE_MAX = 256 << 10

/** All generations, the most likely one first. */
function generationsByLikelihood({ api, module }: IdentifyHints): Generation[] {
  const guess = api ?? (module === undefined ? undefined : findFamily(module)?.api)
  return listGenerations().toSorted((a, b) => Number(b.api === guess) - Number(a.api === guess))
}

/**
 * Tries the generations one after the other, and signs in with the first one to which the device responds.
 * @param timeout milliseconds for each request; there are one to three for each generation
 * @throws LinkError 32, 44, 47, 10004 and 40 as `sendHttpRequest` and `resolveDeviceAddress`; 36 if the login is
 * refused, 49 if no
 *   known generation responds
 */
export async function identifyDevice(
  stored: StoredDeviceAddress,
  hints: IdentifyHints,
  policy: AddressPolicy,
  timeout: number
): Promise<IdentifiedDevice> {
  const { address, port, https, user, password } = stored
  let { cert } = stored
  const resolveEndpoint = async (otherPort?: number): Promise<DeviceEndpoint> => ({
    ip: await resolveDeviceAddress(address, otherPort ?? port, policy),
    name: address,
    port: otherPort ?? port,
    https: https && otherPort === undefined,
    cert
  })

  /**
   * Whether the device responds to the ping of a generation. Only then the login is sent. An error code alone does not
   * count: other servers respond with numbers in the same field, for example with the HTTP status.
   */
  async function respondsToPing({ ping, code, sessionExpiredCodes }: Generation): Promise<boolean> {
    const response = await sendHttpRequest(await resolveEndpoint(), { ...ping, maxBody: RESPONSE_MAX }, timeout)
    // Pins the certificate for the following requests.
    cert ||= response.cert
    const result = code(parseJson(response.body))
    return result !== undefined && [SUCCESS, ...sessionExpiredCodes].includes(result)
  }

  const isThirdParty = thirdPartyAdapter(hints.api ?? '') !== undefined
  for (const generation of isThirdParty ? [] : generationsByLikelihood(hints)) {
    if (!(await respondsToPing(generation))) continue
    const session = createSession({ generation, user, password, sn: hints.sn ?? '', resolveEndpoint, timeout })
    const { body } = await session.request({ ...generation.identify, maxBody: RESPONSE_MAX }, timeout)
    const identity = generation.identity(parseJson(body), hints.module)
    // A device that was entered as third-party and is not the vendor's own cannot be controlled, so the hub does not
    // add it.
    if (!identity || (hints.module === THIRD_PARTY && !isInteractive({ ...identity, module: THIRD_PARTY }))) break
    cert ||= session.cert
    const streams = await readStreamCapabilities(generation.api, identity, parseJson(body), (call) =>
      session.request({ ...call, maxBody: RESPONSE_MAX }, timeout)
    )
    return { identity, api: generation.api, streams, session, ip: (await resolveEndpoint()).ip, cert }
  }
  const found = await identifyThirdParty({ stored: { ...stored, cert }, hints, resolveEndpoint, timeout })
  if (!found) throw new LinkError(INVALID_DATA, 'there is no known device at the address')
  const { client, ...device } = found
  const streams = { dir: DIR_NONE, preview: false }
  return { ...device, thirdParty: client, streams, ip: (await resolveEndpoint()).ip, cert: found.session.cert }
}
