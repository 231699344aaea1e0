// Ports of a device that the hub can connect to: its web page on port 80, and an echo service (RFC 862) on port 7 for
// tests of port forwarding. Both run inside the process without listening on a real port, because many devices share
// one machine. Other ports of the machine cannot be reached.
import type { Server } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { WEB_PAGE_PORT } from '../../contract/device/link.ts'
import { tunnelAsDuplex } from '../../device-link/tunnel-duplex.ts'
import type { Appliance } from '../apis/appliance.ts'
import type { Behaviour } from '../behaviour.ts'
import { createWebPage } from './web-page.ts'

const ECHO_PORT = 7

interface ConnectHandlerOptions {
  appliance: Appliance
  behaviour(): Behaviour
}

/** Creates the handler of CONNECT requests (contract/device/link.ts). */
export function createConnectHandler({ appliance, behaviour }: ConnectHandlerOptions) {
  let webServer: Server | undefined

  return (stream: ServerHttp2Stream, authority: string): void => {
    const [host, port] = authority.split(':')
    const isOwn = host === '127.0.0.1' || host === 'localhost'
    if (behaviour() === 'stall') return
    const isWeb = Number(port) === WEB_PAGE_PORT && appliance.entry.model.api !== 'none'
    if (!isOwn || !(isWeb || Number(port) === ECHO_PORT)) {
      stream.respond({ ':status': 502 }, { endStream: true })
      return
    }
    stream.respond({ ':status': 200 })
    if (isWeb) {
      webServer ??= createWebPage(appliance, behaviour)
      webServer.emit('connection', tunnelAsDuplex(stream))
    } else stream.pipe(stream)
  }
}
