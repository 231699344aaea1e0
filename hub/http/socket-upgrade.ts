// Accepts WebSockets of the change feed at `/api/socket`.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRevisions } from '../../contract/change-feed.ts'
import { SUCCESS } from '../../contract/codes.ts'
import type { Gate } from '../auth/gate.ts'
import type { ChangeFeed } from './change-feed.ts'
import { isSameOrigin } from './origin.ts'
import { peerOf } from './peer.ts'
import type { UpgradeListener } from './server.ts'

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** @returns a listener which refuses other paths with 404, other origins with 403, and callers that are not signed in with 401 */
export function createSocketUpgrade(gate: Gate, changeFeed: Pick<ChangeFeed, 'acceptSocket'>): UpgradeListener {
  return (request: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void) => {
    const headers = { get: (name: string) => [request.headers[name] ?? []].flat().join(',') || null }
    if (request.url?.split('?')[0] !== '/api/socket') return refuseUpgrade(socket, '404 Not Found')
    if (!isSameOrigin(headers, request.headers.host ?? '')) return refuseUpgrade(socket, '403 Forbidden')
    const caller = gate.caller(headers, peerOf(headers, request.socket).address)
    // The feed has the same access as the call that reads the revisions.
    if (!caller || gate.checkPermission(getRevisions, caller) !== SUCCESS)
      return refuseUpgrade(socket, '401 Unauthorized')
    admit()
    changeFeed.acceptSocket(request, socket, head, caller)
  }
}
