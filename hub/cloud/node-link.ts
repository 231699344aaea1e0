// One link of the hub to one node of the cloud: dials, recognizes the cloud, and registers.
import type { ServerHttp2Session } from 'node:http2'
import { HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import type { CloudFault } from '../../contract/cloud-registration.ts'
import { withoutBrackets } from '../../contract/ipv6.ts'
import { DeviceLink, type LinkState, NO_LINK_ERROR, TLS_REQUIRED_ERROR } from '../../device-link/dial.ts'
import type { LinkTls } from '../../device-link/link-tls.ts'
import { lookUpServer } from '../machine/server-address.ts'
import { CloudIdentityError, type KnownCloud, verifyCloud } from './verify-cloud.ts'

/** Milliseconds without an answer after which an attempt ends: long enough for a line that loses packets. */
const TIMEOUT = 15_000
/** Code of the error if the address leads to a node to which the hub has a link already. */
const SAME_NODE_ERROR = 'same-node'

export interface CloudAddress {
  /** Name or address; IPv6 in brackets. */
  host: string
  port: number
}

interface NodeLinkOptions {
  /** The address for the next attempt. */
  address(): CloudAddress
  /** Undefined: without TLS. */
  tls: LinkTls | undefined
  known(): KnownCloud
  /** Whether the hub has another link to a node. */
  hasLinkTo(node: string): boolean
  hello(): HubHello
  onSession(session: ServerHttp2Session): void
  onChange(): void
}

export class NodeLink {
  /** The node with which it is connected, or was last. */
  node = ''
  /** Signing key that the cloud has proved to have: SPKI, DER, in base64; empty before. */
  key = ''
  state: LinkState = 'dialling'
  /** Registration state that the cloud sent last. */
  registration: number | undefined
  /** Why the last attempt failed; undefined if the cloud answered. */
  fault: CloudFault | undefined
  readonly #link: DeviceLink
  #isStopped = false

  constructor(options: NodeLinkOptions) {
    const { address, tls, hello, onSession } = options
    const reportChange = () => this.#isStopped || options.onChange()
    this.#link = new DeviceLink({
      chooseAddress: () => {
        const { host, port } = address()
        return { host: withoutBrackets(host), port }
      },
      ...{ tls, hello, onSession, timeout: TIMEOUT, lookup: lookUpServer },
      helloHeader: HUB_HELLO_HEADER,
      verify: async (connection) => {
        const { key, node } = await verifyCloud(connection, options.known(), tls !== undefined)
        if (options.hasLinkTo(node)) throw Object.assign(new Error('another link has it'), { code: SAME_NODE_ERROR })
        this.key = key
        this.node = node
      },
      onStateChange: (state, registration) => {
        this.state = state
        this.registration = registration
        reportChange()
      },
      onAttemptEnd: (error) => {
        this.fault = error && faultOf(error)
        reportChange()
      }
    })
  }

  get isUp(): boolean {
    return this.state === 'up'
  }

  dial(): void {
    this.#link.dial()
  }

  /** Stores a registration state that the cloud sent over the link. */
  setRegistration(registration: number): void {
    this.#link.setRegistration(registration)
  }

  /** Ends the link. Its changes are not reported any more. */
  stop(): void {
    this.#isStopped = true
    this.#link.stop()
  }
}

const FAULTS: Readonly<Record<string, CloudFault | undefined>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ENODATA: 'name',
  'forbidden-address': 'forbidden-address',
  [NO_LINK_ERROR]: 'no-cloud',
  [TLS_REQUIRED_ERROR]: 'ssl-required',
  [SAME_NODE_ERROR]: undefined
}

function faultOf(error: NodeJS.ErrnoException): CloudFault | undefined {
  if (error instanceof CloudIdentityError) return error.code
  const { code = '' } = error
  // The server does not speak TLS, or not HTTP.
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'no-ssl'
  if (code.startsWith('HPE_')) return 'no-cloud'
  return code in FAULTS ? FAULTS[code] : 'unreachable'
}
