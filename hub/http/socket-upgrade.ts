// Accepts WebSockets of the change feed at `/api/socket`, and at the path under which a cloud relay forwards them.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { BACKGROUND_HEADER } from '../../contract/access/session.ts'
import { BACKGROUND_PARAM, getRevisions } from '../../contract/change-feed.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { RELAYED_FEED_PATH } from '../../contract/relay.ts'
import { isSameOrigin } from '../../web-server/origin.ts'
import { peerOf } from '../../web-server/peer.ts'
import { refuseUpgrade } from '../../web-server/refuse-upgrade.ts'
import { headersOf } from '../../web-server/request.ts'
import type { UpgradeListener } from '../../web-server/server.ts'
import type { Gate } from '../auth/gate.ts'
import type { ChangeFeed } from './change-feed.ts'

/** The paths of the change feed. `client-id` in the query names the hub to a relay; the hub itself ignores it. */
const PATHS: readonly string[] = ['/api/socket', RELAYED_FEED_PATH]

/**
 * @returns a listener which refuses other paths with 404, other origins with 403, and callers that are not signed in
 * with 401
 */
export function createSocketUpgrade(gate: Gate, changeFeed: Pick<ChangeFeed, 'acceptSocket'>): UpgradeListener {
  return (request: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void) => {
    const [path = '', query] = (request.url ?? '').split('?')
    // A browser cannot send headers with a WebSocket. The calls over the socket have the headers of this request.
    if (new URLSearchParams(query).has(BACKGROUND_PARAM)) request.headers[BACKGROUND_HEADER] = '1'
    const headers = headersOf(request)
    if (!PATHS.includes(path)) return refuseUpgrade(socket, '404 Not Found')
    if (!isSameOrigin(headers, request.headers.host ?? '')) return refuseUpgrade(socket, '403 Forbidden')
    const caller = gate.caller(headers, peerOf(headers, request.socket).address)
    // The feed has the same access as the call that reads the revisions.
    if (!caller || gate.checkPermission(getRevisions, caller) !== SUCCESS)
      return refuseUpgrade(socket, '401 Unauthorized')
    admit()
    changeFeed.acceptSocket(request, socket, head, caller)
  }
}
