// Who makes a request.
import type { LoginUser } from '../../contract/access/session.ts'
import type { TokenScope } from '../../contract/access/token.ts'
import type { Restrictions } from './restrictions.ts'

/** A signed-in caller. */
export interface Caller extends Restrictions {
  /**
   * With an access token, only the permissions that its scopes include; a display has those of `DISPLAY_PERMISSIONS`.
   */
  user: LoginUser
  groupId: number
  /** Whether the caller sees only what names him. */
  isGuest: boolean
  /**
   * Session key: the hash of the session cookie, or `token:<id>`. Sockets, previews and device pages are kept under it.
   */
  session: string
  /** Whether the caller presented an access token. */
  byToken: boolean
  /** Whether the caller is a user of the cloud, who is none of this hub. */
  byCloud?: boolean
  /** Name of the access token, or its first characters if it has none; undefined with a session. */
  tokenName?: string | undefined
  /** Scopes of the token; undefined with a session, which has no scopes. */
  scopes: readonly TokenScope[] | undefined
  address: string
  /** Whether the user still has the default password. */
  defaultPassword: boolean
  /** When the session last proved the password, in milliseconds since the epoch; 0 with an access token. */
  authenticatedAt: number
}
