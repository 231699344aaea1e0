// What the settings about HTTPS mean for a request: the redirect from HTTP, and the header Strict-Transport-Security.

import { hostNameOf, isLoopback } from '../../../web-server/host-header.ts'
import type { Peer } from '../../../web-server/peer.ts'
import { type Reply, textReply, withHeaders } from '../../../web-server/reply.ts'
import type { HubRequest } from '../../../web-server/request.ts'
import { SECURITY_HEADERS } from '../../../web-server/security-headers.ts'

/** Seconds for which browsers use HTTPS only. */
export const HSTS_MAX_AGE = 15_552_000

/**
 * Paths that are not redirected: calls, probes, programs that read metrics, and players. Their clients may not speak
 * TLS or not follow a redirect, and those that do have sent their password already.
 */
const PLAIN_PATHS = /^\/(api\/|socket\/|healthz(\/|$)|metrics$|hls\/)/

export interface TransportSettings {
  /**
   * The port to which pages are redirected; undefined if they are answered over HTTP.
   * @param name of the request, from `hostNameOf`
   * @param localPort port of the hub at which the request arrived
   */
  redirectPort(name: string, localPort: number | undefined): number | undefined
  /** A client with a session was served over the hub's own HTTPS. @param name of its request */
  sessionServed(name: string | undefined, address: string): void
  /** For a name from `hostNameOf`: `on`, or `revoked` if browsers have to forget it. */
  hsts(name: string | undefined): 'on' | 'off' | 'revoked'
}

/**
 * The redirect of a page over HTTP; undefined if it has to be answered. Requests from this machine itself are
 * answered, so that HTTPS can be switched off there. The status is temporary: browsers remember a permanent one, and
 * HTTPS may be switched off later.
 */
export function redirectToHttps(settings: TransportSettings, request: HubRequest, peer: Peer): Reply | undefined {
  if (peer.secure || isLoopback(peer.address) || PLAIN_PATHS.test(request.path)) return undefined
  const name = hostNameOf(request.headers.get('host'))
  const port = name === undefined ? undefined : settings.redirectPort(name, peer.localPort)
  if (port === undefined) return undefined
  const location = `https://${name}${port === 443 ? '' : `:${port}`}${request.path}${request.search}`
  return withHeaders(textReply('', 307, { location, 'cache-control': 'no-store' }), SECURITY_HEADERS)
}

/** Adds the header to a response over TLS. */
export function withTransportHeaders<Answer extends Reply | Response>(
  settings: TransportSettings,
  request: HubRequest,
  answer: Answer
) {
  const hsts = settings.hsts(hostNameOf(request.headers.get('host')))
  if (hsts === 'off') return answer
  return withHeaders(answer, { 'strict-transport-security': `max-age=${hsts === 'on' ? HSTS_MAX_AGE : 0}` })
}
