// Requests at the port for registration besides registrations: calls of the console, with its credentials, and the
// confirmation of the port when it was changed.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PORT_CONFIRM_PATH } from '../../../contract/web/ports.ts'
import { logger } from '../../../process-log/logger.ts'
import type { RequestHeaders } from '../../../web-server/credentials.ts'
import { hostNameOf } from '../../../web-server/host-header.ts'
import { refuseHost } from '../../../web-server/host-refusal.ts'
import { endConnection, OpenTimes } from '../../../web-server/open-times.ts'
import { peerOf } from '../../../web-server/peer.ts'
import { type Reply, textReply, withHeaders } from '../../../web-server/reply.ts'
import { type HubRequest, NodeRequest, parseTarget } from '../../../web-server/request.ts'
import { SECURITY_HEADERS } from '../../../web-server/security-headers.ts'
import { sendReply, sendStream } from '../../../web-server/send-reply.ts'
import type { Gate } from '../../auth/gate.ts'
import type { RouteHandler } from '../router.ts'
import type { WebPorts } from './web-ports.ts'

interface RegistrationRequestsOptions {
  api: RouteHandler
  gate: Pick<Gate, 'caller'>
  isHostAllowed(header: string | undefined): boolean
  /**
   * Whether a connection is from before a change of the machine: it ends with its next response, so that the client
   * opens another one.
   */
  isOutdated(openedAt: number): boolean
  webPorts: Pick<WebPorts, 'portOf' | 'confirmByPath'>
}

/** Seconds for which browsers remember that a call is allowed. */
const PREFLIGHT_AGE = 600

/** @returns a function which answers a request, or returns false for one that it does not know */
export function createRegistrationRequests(options: RegistrationRequestsOptions) {
  const { api, gate, isHostAllowed, isOutdated, webPorts } = options
  const openTimes = new OpenTimes()

  /**
   * The origin of a request if it is the console under the same name: the only one that browsers may let read a
   * response.
   */
  function consoleOrigin({ headers }: IncomingMessage): string | undefined {
    const { origin, host } = headers
    const name = hostNameOf(host)
    if (origin === undefined || name === undefined) return undefined
    const origins = [
      ['http', webPorts.portOf('http')],
      ['https', webPorts.portOf('https')]
    ] as const
    const isOwn = origins.some(([scheme, port]) => port !== undefined && originOf(scheme, name, port) === origin)
    return isOwn ? origin : undefined
  }

  async function answer(incoming: IncomingMessage, path: string, search: string): Promise<Reply | Response> {
    if (!isHostAllowed(incoming.headers.host)) return refuseHost(incoming)
    const { socket } = incoming
    if (path === PORT_CONFIRM_PATH) {
      const isConfirmed = await webPorts.confirmByPath(search, socket.localPort)
      return isConfirmed ? { status: 204, headers: {}, body: null } : textReply('Not found\n', 404)
    }
    const origin = consoleOrigin(incoming)
    const allowed = origin !== undefined && corsHeaders(origin)
    if (incoming.method === 'OPTIONS')
      return { status: allowed ? 204 : 403, headers: { ...(allowed && { ...allowed, ...PREFLIGHT }) }, body: null }
    const request = new NodeRequest(incoming, { path, search }, () => {})
    const own = allowed ? asOwnOrigin(request) : request
    const peer = { ...peerOf(request, socket), openedAt: openTimes.of(socket) }
    const reply = await api(own, peer, gate.caller(request.headers, peer.address))
    return allowed ? withHeaders(reply, allowed) : reply
  }

  return (incoming: IncomingMessage, response: ServerResponse): boolean => {
    const target = parseTarget(incoming.url ?? '', incoming.headers.host ?? '')
    if (!target || !(target.path.startsWith('/api/') || target.path === PORT_CONFIRM_PATH)) return false
    if (isOutdated(openTimes.of(incoming.socket))) endConnection(incoming, response)
    answer(incoming, target.path, target.search)
      .then(async (reply) => {
        const complete = withHeaders(reply, SECURITY_HEADERS)
        // A page at another port of the same host is of the same site, but of another origin.
        if (!(complete instanceof Response)) return sendReply(incoming, response, complete)
        await sendStream(incoming, response, complete)
      })
      .catch((error) => {
        logger.error('Request at the port for registration failed', error)
        response.destroy()
      })
    return true
  }
}

/** An origin as browsers send it: without the default port of its scheme. */
const originOf = (scheme: 'http' | 'https', name: string, port: number) =>
  `${scheme}://${name}${port === (scheme === 'http' ? 80 : 443) ? '' : `:${port}`}`

const corsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'cross-origin-resource-policy': 'same-site',
  vary: 'origin'
})

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': String(PREFLIGHT_AGE)
}

/** The headers of a request of the console, which the origin check compares with the port of the request. */
function asOwnOrigin(request: NodeRequest): HubRequest {
  const host = request.get('host')
  const own: Readonly<Record<string, string | null>> = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
  const headers: RequestHeaders = { get: (name) => own[name] ?? request.get(name) }
  return new Proxy(request, {
    get: (target, name) => {
      if (name === 'headers') return headers
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
}
