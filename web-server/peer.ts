// The client of a request: its address, and whether it uses TLS.
import { isIP } from 'node:net'
import { plainAddress } from '../contract/network-prefix.ts'
import { isLoopback } from './host-header.ts'

/** The client end of a connection. */
export interface Peer {
  address: string
  secure: boolean
  /** Address and port of the hub at which the connection arrived; absent for requests in process. */
  localAddress?: string
  localPort?: number | undefined
  /**
   * When the first request arrived over this connection, on the clock of `performance.now()`. Absent if it is unknown.
   */
  openedAt?: number
  /** Records that the client has a session or a stream key, so that strangers do not take its connections. */
  admit?(): void
}

/** Characters of the longest IPv6 address with a port. */
const ADDRESS_MAX = 54

/** The address in an entry of X-Forwarded-For, which may have a port; undefined if it is none. */
function parseForwarded(entry: string): string | undefined {
  if (entry.length > ADDRESS_MAX) return undefined
  const [, bracketed, withPort] = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/i.exec(entry) ?? []
  const address = plainAddress(bracketed ?? withPort ?? entry)
  return isIP(address) ? address : undefined
}

/**
 * The client's address, and whether it uses TLS. X-Forwarded-For and X-Forwarded-Proto count only from a reverse proxy
 * on this machine. The last entry of X-Forwarded-For is the one that the proxy added; the others may be forged. An
 * entry that is no IP address is ignored.
 * @param direct address of the other end of the connection
 */
export function peerOf(
  headers: { get(name: string): string | null },
  socket: {
    readonly remoteAddress?: string
    readonly localAddress?: string
    readonly localPort?: number
    readonly encrypted?: boolean
  },
  direct = plainAddress(socket.remoteAddress ?? '')
): Peer {
  const local = { localAddress: plainAddress(socket.localAddress ?? ''), localPort: socket.localPort }
  if (!isLoopback(direct)) return { address: direct, secure: socket.encrypted === true, ...local }
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  const secure = socket.encrypted === true || headers.get('x-forwarded-proto') === 'https'
  return { address: (last && parseForwarded(last)) || direct, secure, ...local }
}
