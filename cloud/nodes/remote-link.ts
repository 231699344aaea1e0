// The link of a hub that another node has: a request over it is one HTTP/2 stream to that node, which passes it on.
import { type ClientHttp2Session, constants } from 'node:http2'
import type { Link, LinkSession } from '../../device-link/link.ts'

/** Names the hub of a request: `<organisation>/<serial number>`. */
export const HUB_HEADER = 'headend-node-hub'
/** Milliseconds within which the hub has to answer a ping: the node does not pass the request on. */
export const PING_HEADER = 'headend-node-ping'

/** Error codes of a stream with which a node says that the link is not there, or has ended meanwhile. */
export const NO_LINK: number = constants.NGHTTP2_REFUSED_STREAM
export const LINK_ENDED: number = constants.NGHTTP2_CONNECT_ERROR

export class RemoteLink implements Link {
  readonly isUp = true
  readonly isEncrypted = true
  readonly session: LinkSession
  readonly #connection: ClientHttp2Session
  readonly #hub: string
  #hasEnded = false

  constructor(connection: ClientHttp2Session, organisation: string, sn: string) {
    this.#connection = connection
    this.#hub = `${organisation}/${sn}`
    this.session = {
      request: (headers, options) => this.#request(headers, options),
      get closed() {
        return connection.closed
      },
      get destroyed() {
        return connection.destroyed
      }
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded || this.#connection.closed || this.#connection.destroyed
  }

  respondsWithin(timeout: number): Promise<boolean> {
    if (this.hasEnded) return Promise.resolve(false)
    return new Promise((resolve) => {
      const stream = this.#request({ ':path': '/', [PING_HEADER]: String(timeout) })
      // The node needs some time, too.
      stream.setTimeout(2 * timeout, () => stream.close(constants.NGHTTP2_CANCEL))
      stream.on('error', () => {})
      stream.once('response', ({ ':status': status }) => resolve(status === 204))
      stream.once('close', () => resolve(false))
      stream.resume()
    })
  }

  /** Does not use the link any more. The node that has it decides about it. */
  end(): void {
    this.#hasEnded = true
  }

  #request(...[headers, options]: Parameters<LinkSession['request']>): ReturnType<LinkSession['request']> {
    const stream = this.#connection.request({ ...headers, [HUB_HEADER]: this.#hub }, options)
    // Before the listeners of whoever makes the request, who then sees that the link has ended.
    stream.once('close', () => {
      if (stream.rstCode === NO_LINK || stream.rstCode === LINK_ENDED) this.#hasEnded = true
    })
    return stream
  }
}
