// Sends requests to the firewall service, over one connection each.
import { connect } from 'node:net'
import type { FirewallRequest, ServiceError, ServiceState } from '../../firewall/protocol.ts'
import type { ServiceObstacle } from '../messages/machine.ts'

/** Milliseconds: the first change takes 1.5 s, in which the kernel tracks connections. */
const TIMEOUT = 10_000
/** Bytes of a response. */
const RESPONSE_MAX = 64 * 1024

/** The service cannot be used, or refuses a request. */
export class FirewallServiceError extends Error {
  readonly obstacle: ServiceObstacle
  /** The answer of the service. */
  readonly code: ServiceError | undefined
  constructor(obstacle: ServiceObstacle, detail = '', code?: ServiceError) {
    super(detail)
    this.obstacle = obstacle
    this.code = code
  }
}

function connectFault({ code }: NodeJS.ErrnoException): FirewallServiceError {
  return new FirewallServiceError(code === 'EACCES' || code === 'EPERM' ? 'socket-refused' : 'stopped')
}

function exchange(path: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    let text = ''
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(TIMEOUT, () => fail(new FirewallServiceError('failing', 'no response')))
    socket.setEncoding('utf8')
    socket.on('error', (error) => fail(connectFault(error)))
    socket.on('data', (chunk) => {
      text += chunk
      if (text.length > RESPONSE_MAX) fail(new FirewallServiceError('failing', 'response too long'))
    })
    socket.on('end', () => {
      socket.destroy()
      resolve(text)
    })
    socket.write(`${line}\n`)
  })
}

/** @throws FirewallServiceError */
export type SendToService = (request: FirewallRequest) => Promise<ServiceState>

/** @param path of the socket */
export function serviceClient(path: string): SendToService {
  return async (request) => {
    const text = await exchange(path, JSON.stringify(request))
    // A service that is restarted ends the connection before the end of its line.
    if (!text.endsWith('\n')) throw new FirewallServiceError('stopped')
    const response = JSON.parse(text) as { state?: ServiceState; error?: ServiceError; detail?: string }
    if (response.state) return response.state
    if (response.error === 'no-nft') throw new FirewallServiceError('missing')
    throw new FirewallServiceError('failing', response.detail, response.error)
  }
}
