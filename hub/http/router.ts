// Routes a request to its handler by path.
import { WEB_PAGE_PREFIX } from '../../contract/device/web-page.ts'
import type { Caller, Gate } from '../auth/gate.ts'
import type { Peer } from './api.ts'
import { compressResponse } from './compression.ts'
import { addSecurityHeaders } from './server.ts'

/** Handles requests of one path prefix. `caller` is undefined if the request has no session. */
type RouteHandler = (request: Request, peer: Peer, caller: Caller | undefined) => Promise<Response>

interface RouterOptions {
  gate: Gate
  /** `/api/` */
  api: RouteHandler
  /** `/socket/`: calls relayed to a device. */
  relay: RouteHandler
  /** `WEB_PAGE_PREFIX`: opens a device's web page. */
  devicePage: RouteHandler
  /** `/healthz`; undefined for other paths. */
  health(request: Request): Response | undefined
  /** `/metrics`; undefined for other paths. */
  metrics(request: Request, caller: () => Caller | undefined): Promise<Response | undefined>
  /** `/hls/`; undefined for other paths. Its responses have different headers. */
  hls(request: Request, address: string): Response | undefined
  /** Files of the console; undefined for a path that is no file. */
  files(request: Request): Response | undefined
}

const NOT_FOUND_HEADERS = { 'content-type': 'text/plain' }

/** @returns a function which handles one request of a peer */
export function createRouter({ gate, api, relay, devicePage, health, metrics, hls, files }: RouterOptions) {
  async function route(request: Request, peer: Peer): Promise<Response> {
    const { pathname } = new URL(request.url)
    const caller = () => gate.caller(request.headers, peer.address)
    if (pathname.startsWith('/api/')) return compressResponse(request, await api(request, peer, caller()))
    if (pathname.startsWith(WEB_PAGE_PREFIX)) return devicePage(request, peer, caller())
    if (pathname.startsWith('/socket/')) return relay(request, peer, caller())
    const file = files(request) ?? health(request)
    return (
      file ??
      (await metrics(request, caller)) ??
      new Response('Not found\n', { status: 404, headers: NOT_FOUND_HEADERS })
    )
  }

  return async (request: Request, peer: Peer): Promise<Response> =>
    hls(request, peer.address) ?? addSecurityHeaders(await route(request, peer))
}
