// Routes a request to its handler by path.
import { WEB_PAGE_PREFIX } from '../../contract/device/web-page.ts'
import { compressReply } from '../../web-server/compression.ts'
import type { Peer } from '../../web-server/peer.ts'
import { type Reply, textReply, withHeaders } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import { SECURITY_HEADERS } from '../../web-server/security-headers.ts'
import type { Caller, Gate } from '../auth/gate.ts'

type Answer = Reply | Response

/** Handles requests of one path prefix. `caller` is undefined if the request has no session. */
export type RouteHandler = (request: HubRequest, peer: Peer, caller: Caller | undefined) => Promise<Answer>

/** Handles `/hls/`; undefined for other paths. Its responses have headers of their own. */
export type HlsHandler = (request: HubRequest, address: string) => Promise<Answer> | Answer | undefined

interface RouterOptions {
  gate: Gate
  /** `/api/` */
  api: RouteHandler
  /** `/socket/`: calls relayed to a device. */
  relay: RouteHandler
  /** `WEB_PAGE_PREFIX`: opens a device's web page. */
  devicePage: RouteHandler
  /** `/healthz`; undefined for other paths. */
  health(request: HubRequest): Answer | undefined
  /** `/metrics`; undefined for other paths. */
  metrics(request: HubRequest, caller: () => Caller | undefined): Promise<Answer | undefined>
  /** Paths with which an open console follows the hub to another address; undefined for others. */
  followProbe(request: HubRequest, caller: () => Caller | undefined): Answer | undefined
  hls: HlsHandler
  /** Files of the console, with all headers; undefined for a path that is no file. */
  files(request: HubRequest): Reply | undefined
}

/** @returns a function which handles one request of a peer */
export function createRouter(options: RouterOptions) {
  const { gate, api, relay, devicePage, health, metrics, followProbe, hls, files } = options
  async function route(request: HubRequest, peer: Peer): Promise<Answer> {
    const { path } = request
    const caller = () => {
      const found = gate.caller(request.headers, peer.address)
      if (found) peer.admit?.()
      return found
    }
    if (path.startsWith('/api/')) return compressReply(request.headers, await api(request, peer, caller()))
    if (path.startsWith(WEB_PAGE_PREFIX)) return devicePage(request, peer, caller())
    if (path.startsWith('/socket/')) return relay(request, peer, caller())
    return (
      health(request) ??
      followProbe(request, caller) ??
      (await metrics(request, caller)) ??
      textReply('Not found\n', 404)
    )
  }

  return (request: HubRequest, peer: Peer): Reply | Promise<Answer> => {
    const file = files(request)
    if (file) return file
    const stream = hls(request, peer.address)
    if (stream) return admitPlayer(stream, peer)
    return route(request, peer).then((answer) => withHeaders(answer, SECURITY_HEADERS))
  }
}

/** Passes on a response of HLS, and admits the connection of a player whose key is right. */
export async function admitPlayer(stream: Promise<Answer> | Answer, peer: Peer): Promise<Answer> {
  const answer = await stream
  if (answer.status === 200) peer.admit?.()
  return answer
}
