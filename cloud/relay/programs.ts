// Programs that call hubs with an access token of the cloud: at the origin of a hub, or below `/socket` of the cloud's
// own origin, where `client-id` names the hub. Browsers send no such header by themselves, so no page can do it.
import { GROUP_ADMIN, GROUP_CUSTOM } from '../../contract/access/permissions.ts'
import { CLIENT_NOT_EXIST, INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED } from '../../contract/codes.ts'
import { HUB_ID_PARAM } from '../../contract/relay.ts'
import { hashSecret, type RequestHeaders, readBearerToken } from '../../web-server/credentials.ts'
import type { Store } from '../store/store.ts'
import type { RelayCaller } from './assertions.ts'
import type { HubKey } from './hub-origins.ts'
import type { HubSessions, HubVisitor } from './hub-sessions.ts'

const SERIAL_NUMBER = /^[\w-]{1,64}$/

interface ProgramsOptions {
  store: Store
  sessions: Pick<HubSessions, 'isToken'>
}

export class Programs {
  readonly #options: ProgramsOptions

  constructor(options: ProgramsOptions) {
    this.#options = options
  }

  /** The hub that a program names, in the organisation of its token; or the result code with which it is refused. */
  async hubOf(headers: RequestHeaders, search: string): Promise<HubKey | number> {
    const token = readBearerToken(headers.get('authorization'))
    if (token === undefined) return NOT_PERMITTED
    const organisation = await this.#options.store.organisationOfToken(hashSecret(token))
    if (organisation === undefined) return NOT_LOGGED_IN
    const [sn = '', ...others] = new URLSearchParams(search).getAll(HUB_ID_PARAM)
    return others.length === 0 && SERIAL_NUMBER.test(sn) ? { organisation, sn } : INVALID_ARG
  }

  /** Why a request may not open a hub: the token reaches no such hub, or there is no session. */
  async refusalOf(headers: RequestHeaders, { organisation }: HubKey): Promise<number> {
    const token = readBearerToken(headers.get('authorization'))
    const isToken = token !== undefined && (await this.#options.sessions.isToken(token, organisation))
    return isToken ? CLIENT_NOT_EXIST : NOT_LOGGED_IN
  }
}

/** The caller of a visitor for the hub. No token is an administrator. */
export function relayCaller({ hub, caller, token }: HubVisitor): RelayCaller {
  const { user, session, authenticatedAt, scopes } = caller
  const named = { name: user.name, organisation: hub.organisation, permission: user.permission }
  if (token === undefined || !scopes) return { user: { ...named, type: user.type }, session, authenticatedAt }
  const type = user.type === GROUP_ADMIN ? GROUP_CUSTOM : user.type
  return { user: { ...named, type, scopes: [...scopes] }, session: token, authenticatedAt }
}
