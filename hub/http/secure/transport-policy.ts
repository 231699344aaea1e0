// What the settings about HTTPS mean for a request: the redirect from HTTP, and the header Strict-Transport-Security.

import { isLoopback } from '../../auth/gate.ts'
import { hostNameOf } from '../../auth/host-header.ts'
import type { Peer } from '../peer.ts'
import { type Reply, textReply, withHeaders } from '../reply.ts'
import type { HubRequest } from '../request.ts'
import { SECURITY_HEADERS } from '../security-headers.ts'

/** Seconds for which browsers use HTTPS only. */
export const HSTS_MAX_AGE = 15_552_000

/** Paths that are not redirected: probes, programs that read metrics, and players, which may not speak TLS. */
const PLAIN_PATHS = /^\/(healthz(\/|$)|metrics$|hls\/)/

export interface TransportSettings {
  /** The port to redirect to; undefined if requests over HTTP are answered. */
  redirectPort(): number | undefined
  /** For a name from `hostNameOf`: `on`, or `revoked` if browsers have to forget it. */
  hsts(name: string | undefined): 'on' | 'off' | 'revoked'
}

/**
 * The redirect of a request over HTTP; undefined if it has to be answered. Requests from this machine itself are
 * answered, so that HTTPS can be switched off there. The status is temporary: browsers remember a permanent one, and
 * HTTPS may be switched off later.
 */
export function redirectToHttps(settings: TransportSettings, request: HubRequest, peer: Peer): Reply | undefined {
  const port = settings.redirectPort()
  if (port === undefined || peer.secure || isLoopback(peer.address) || PLAIN_PATHS.test(request.path)) return undefined
  const name = hostNameOf(request.headers.get('host'))
  if (name === undefined) return undefined
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
