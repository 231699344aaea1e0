// Calls of hubs that the cloud itself makes for a rollout or a search, with an assertion of the user who has started
// it.
import type { Call, Envelope } from '../../contract/call.ts'
import { ASSERTION_HEADER, REFUSAL_HEADER } from '../../contract/cloud/relay.ts'
import { NOT_PERMITTED, TARGET_TIMEOUT } from '../../contract/codes.ts'
import type { Language } from '../../contract/text/language.ts'
import type { Link } from '../../device-link/link.ts'
import { LinkError, noResponseError, offlineError } from '../../device-link/link-error.ts'
import { type DeviceResponse, sendRequest } from '../../device-link/request.ts'
import type { Caller } from '../auth/sessions.ts'
import { AssertionRefused, type Assertions, type RelayCaller } from '../relay/assertions.ts'

/** Milliseconds for the response to a read, and to a write, for which a hub may ask its release server. */
const RESPONSE_TIMEOUT = { GET: 10_000, POST: 60_000 }
/** Maximum bytes of a response. The notes of twenty releases are the largest part. */
const RESPONSE_MAX = 1 << 20

export interface HubKey {
  organisation: string
  sn: string
}

export interface HubCaller extends RelayCaller {
  /** IP address of the user. */
  address: string
}

/** The user of a call of the cloud. */
export function hubCallerOf({ user, session, authenticatedAt }: Caller, address: string, now: number): HubCaller {
  const { name, permission, type, organisation } = user
  return {
    ...{ user: { name, organisation, permission, type }, session, address },
    authenticatedAt: Math.min(authenticatedAt, now)
  }
}

interface HubCallsOptions {
  assertions: Assertions
  /** The link of a hub; undefined: it is not connected. */
  linkOf(organisation: string, sn: string): Link | undefined
}

export class HubCalls {
  readonly #options: HubCallsOptions

  constructor(options: HubCallsOptions) {
    this.#options = options
  }

  isOnline({ organisation, sn }: HubKey): boolean {
    return this.#options.linkOf(organisation, sn) !== undefined
  }

  /**
   * Makes a call.
   * @returns its response, whatever its result
   * @throws LinkError if the hub sends no response, or has no relay
   */
  async send<Request extends object, Response>(
    { organisation, sn }: HubKey,
    { address, ...caller }: HubCaller,
    call: Call<Request, Response>,
    request: Request,
    language: Language = 'en'
  ): Promise<Response & Envelope> {
    const link = this.#options.linkOf(organisation, sn)
    if (!link) throw offlineError(sn)
    const { method } = call
    const query = method === 'GET' ? new URLSearchParams(request as Record<string, string>).toString() : ''
    const target = `/api${call.path}${query && `?${query}`}`
    const headers = { 'content-type': 'application/json', 'accept-language': language, ':authority': sn.toLowerCase() }
    const answer = await this.#options.assertions
      .use(link, caller, { sn, method, target, address }, async (assertion) => {
        const response = await sendRequest(
          link,
          sn,
          {
            ...{ method, path: target, headers: { ...headers, [ASSERTION_HEADER]: assertion }, maxBody: RESPONSE_MAX },
            ...(method === 'POST' && { body: JSON.stringify(request) })
          },
          RESPONSE_TIMEOUT[method]
        )
        const refusal = response.headers[REFUSAL_HEADER]
        if (refusal !== undefined) throw new AssertionRefused(String(refusal))
        return response
      })
      .catch((error) => {
        throw error instanceof AssertionRefused ? new LinkError(NOT_PERMITTED, error.message) : error
      })
    return parse(answer)
  }
}

function parse<Response>({ body }: DeviceResponse): Response & Envelope {
  try {
    const answer = JSON.parse(body.toString())
    if (Number.isInteger(answer?.result)) return answer
  } catch {}
  throw noResponseError(`no answer of the API (${TARGET_TIMEOUT})`)
}
