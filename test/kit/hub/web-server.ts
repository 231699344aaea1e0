// The hub's web server and its static files with a handler of a test.
import { ConnectionTable } from '../../../engine/access/connection-table.ts'
import { addDevelopmentBanner } from '../../../hub/http/development-banner.ts'
import { connectionLimits } from '../../../web-server/connection-limits.ts'
import type { Peer } from '../../../web-server/peer.ts'
import { type Reply, textReply, toResponse } from '../../../web-server/reply.ts'
import { FetchRequest, type HubRequest } from '../../../web-server/request.ts'
import { type HttpServer, listen, type UpgradeListener } from '../../../web-server/server.ts'
import { createFiles } from '../../../web-server/static-files.ts'

interface WebServerOptions {
  onUpgrade?: UpgradeListener
  port?: number
}

/** Starts a web server that answers under every name. A handler without a response stands for 404. */
export function serve(
  handle: (request: HubRequest, peer: Peer) => Promise<Reply | Response> | Reply | Response | undefined,
  { onUpgrade = () => {}, port = 0 }: WebServerOptions = {}
): Promise<HttpServer> {
  return listen({
    handle: async (request, peer) => (await handle(request, peer)) ?? textReply('not found', 404),
    onUpgrade,
    port,
    host: '127.0.0.1',
    isHostAllowed: () => true,
    connections: new ConnectionTable(connectionLimits())
  })
}

/** Serves the files of a folder as responses of `fetch`. */
export function serveFolder(
  folder: string,
  isDevelopment = false
): (path: string, init?: RequestInit) => Response | undefined {
  const files = createFiles(folder, false, isDevelopment ? addDevelopmentBanner : undefined)
  return (path, init) => {
    const reply = files(new FetchRequest(new Request(`http://hub.test${path}`, init)))
    return reply && toResponse(reply)
  }
}
