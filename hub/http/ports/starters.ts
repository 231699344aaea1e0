// Starts the servers of the hub's ports.

import type { WebPortName } from '../../../contract/web/ports.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import { hostNameOf } from '../../../web-server/host-header.ts'
import { refuseUpgrade } from '../../../web-server/refuse-upgrade.ts'
import { listen, type ServerOptions, type UpgradeListener } from '../../../web-server/server.ts'
import { redirectToHttps, type TransportSettings, withTransportHeaders } from '../secure/transport-policy.ts'
import type { StartListener } from './listening-port.ts'

type RequestHandler = ServerOptions['handle']

interface StarterOptions extends Pick<ServerOptions, 'host' | 'isHostAllowed' | 'isOutdated' | 'connections'> {
  openLinkPort: StartListener
  /** Requests and WebSockets of the console. */
  handleRequest: RequestHandler
  acceptSocket: UpgradeListener
  /** Requests at the port for files. */
  serveFiles: RequestHandler
  transport: TransportSettings
  certificates: Certificates
}

/** The port for files has no WebSockets. */
const refuseSocket: UpgradeListener = (_, socket) => refuseUpgrade(socket, '404 Not Found')

export function createStarters(options: StarterOptions): Readonly<Record<WebPortName, StartListener>> {
  const { openLinkPort, handleRequest, acceptSocket, serveFiles, transport, certificates, ...shared } = options
  const handleHttp: RequestHandler = (request, peer) =>
    redirectToHttps(transport, request, peer) ?? handleRequest(request, peer)
  const handleHttps: RequestHandler = async (request, peer) => {
    const admit = () => {
      peer.admit?.()
      transport.sessionServed(hostNameOf(request.headers.get('host')), peer.address)
    }
    return withTransportHeaders(transport, request, await handleRequest(request, { ...peer, admit }))
  }
  return {
    link: openLinkPort,
    http: (port) => listen({ ...shared, handle: handleHttp, onUpgrade: acceptSocket, port }),
    async https(port) {
      await certificates.start()
      const identity = certificates.identity()
      if (!identity) throw new Error('there is no certificate')
      return listen({ ...shared, handle: handleHttps, onUpgrade: acceptSocket, port, identity })
    },
    files: (port) => listen({ ...shared, handle: serveFiles, onUpgrade: refuseSocket, port })
  }
}
