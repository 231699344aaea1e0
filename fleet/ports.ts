// What listens on a device: its web page at port 80, and an echo (RFC 862) at port 7 for trying out port forwarding. Both live inside the
// process, since a hundred devices of one machine cannot all have its port 80; and nothing else of that machine is theirs to reach.
import type { Server } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { WEB_PAGE_PORT } from '../contract/link.ts'
import type { Appliance } from './apis/appliance.ts'
import type { Behaviour } from './behaviour.ts'
import { createWebPage } from './web-page.ts'

const ECHO_PORT = 7

export interface PortsOptions {
  appliance: Appliance
  behaviour(): Behaviour
}

/** Makes the function that answers a CONNECT (contract/link.ts). */
export function createPorts({ appliance, behaviour }: PortsOptions) {
  let web: Server | undefined

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
      web ??= createWebPage(appliance, behaviour)
      web.emit('connection', stream)
    } else stream.pipe(stream)
  }
}
