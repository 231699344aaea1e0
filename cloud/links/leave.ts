// Answers `POST /link/leave` at the registration port: a hub has left the cloud (contract/cloud/link.ts).
import { TLSSocket } from 'node:tls'
import { CLOUD_LEAVE_PATH, HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import { plainAddress } from '../../contract/network-prefix.ts'
import type { RequestListener } from '../../device-link/registration-server.ts'
import { logger } from '../../process-log/logger.ts'
import { readHubHello } from './hello.ts'

interface LeaveOptions {
  /** Whether a hub at an address may send its key without TLS. */
  isPlainAllowed(address: string): boolean
  /** @returns whether the cloud does not know the hub any more; false: it has to ask again */
  leave(hello: HubHello, address: string): Promise<boolean>
}

export function answerLeave({ isPlainAllowed, leave }: LeaveOptions): RequestListener {
  return ({ method, url, headers, socket }, response) => {
    if (url !== CLOUD_LEAVE_PATH) return false
    const answer = (status: number) => void response.writeHead(status, { connection: 'close' }).end()
    const address = plainAddress(socket.remoteAddress ?? '')
    const header = headers[HUB_HELLO_HEADER]
    const hello = readHubHello(typeof header === 'string' ? header : undefined)
    if (method !== 'POST' || !hello) answer(400)
    else if (!(socket instanceof TLSSocket) && !isPlainAllowed(address)) answer(426)
    else
      leave(hello, address).then(
        (isForgotten) => answer(isForgotten ? 204 : 503),
        (error) => {
          logger.error('A hub could not leave', error)
          answer(503)
        }
      )
    return true
  }
}
