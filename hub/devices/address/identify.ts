// Finds out what is at an address: which generation it speaks, whether it takes the login, and which device it is.
import { INVALID_DATA } from '../../../contract/codes.ts'
import type { DeviceApi } from '../../../contract/device/action.ts'
import { DIRECTOR, THIRD_PARTY, ULTRA_ENCODE, ULTRA_STREAM } from '../../../contract/device/products.ts'
import type { Reached } from '../../store/device-addresses.ts'
import { LinkError } from '../link/link-error.ts'
import { type Grounds, placeOf } from './address-policy.ts'
import { exchange, type Place } from './http-call.ts'
import { GENERATIONS, type Generation, type Identity } from './logins.ts'
import { createSession, parsed, type Session } from './session.ts'

export interface Found {
  identity: Identity
  api: DeviceApi
  session: Session
  /** IPv4 address at which it was. */
  ip: string
  /** SHA-256 of its certificate; empty without one. */
  cert: string
}

export interface Hints {
  /** What it spoke the last time; else the family, as the user has it. */
  api?: string
  module?: number
  /** Serial number, where it is known. */
  sn?: string
}

/** Bytes of an answer. */
const ANSWER_MAX = 256 << 10

/** The generations in the order in which they are worth a try. */
function likely({ api, module }: Hints): Generation[] {
  const guess =
    api ?? (module === ULTRA_STREAM || module === ULTRA_ENCODE ? 'usapi' : module === DIRECTOR ? 'api' : undefined)
  return GENERATIONS.toSorted((a, b) => Number(b.api === guess) - Number(a.api === guess))
}

/**
 * @param timeout milliseconds for each call; there are four at most on the way
 * @throws LinkError 32, 44, 47, 10004, 40 as `exchange` and `placeOf`; 36 for a login that is refused, 49 when nothing there speaks a
 *   generation that is known
 */
export async function findDevice(reached: Reached, hints: Hints, grounds: Grounds, timeout: number): Promise<Found> {
  const { address, port, https, user, password } = reached
  let { cert } = reached
  const place = async (): Promise<Place> => ({
    ip: await placeOf(address, port, grounds),
    ...{ name: address, port, https, cert }
  })

  /** Whether it is of a generation, as far as can be told without the login: no password goes to what speaks another one. */
  async function speaks({ ping, code }: Generation): Promise<boolean> {
    if (!ping) return true
    const answer = await exchange(await place(), { ...ping, maxBody: ANSWER_MAX }, timeout)
    // From here on it is this one.
    cert ||= answer.cert
    return code(parsed(answer.body)) !== undefined
  }

  for (const generation of likely(hints)) {
    if (!(await speaks(generation))) continue
    const session = createSession({ generation, user, password, sn: hints.sn ?? '', place, timeout })
    const { body } = await session.request({ ...generation.identify, maxBody: ANSWER_MAX }, timeout)
    const identity = hints.module === THIRD_PARTY ? undefined : generation.identity(parsed(body), hints.module)
    if (!identity) break
    cert ||= session.cert
    return { identity, api: generation.api, session, ip: (await place()).ip, cert }
  }
  throw new LinkError(INVALID_DATA, 'nothing there answers as a known device does')
}
