// Reads Host headers.
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'

/** Characters of a Host header: a name has 253 at most, and a port five. */
const HOST_MAX = 260

/**
 * The name or address in a Host header, in lower case, without port and final dot; an IPv6 address in its canonical
 * form in brackets.
 * @returns undefined if the header is missing or malformed
 */
export function hostNameOf(header: string | null | undefined): string | undefined {
  if (!header || header.length > HOST_MAX) return undefined
  const [, name = ''] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(header) ?? []
  if (!name.startsWith('[')) return name.toLowerCase().replace(/\.$/, '') || undefined
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : undefined
}

/**
 * The Host header of a request, or `:authority` in HTTP/2.
 * @returns undefined if there is none, several (RFC 9112, 3.2), or one that contradicts `:authority` (RFC 9113, 8.3.1):
 * a server in front of the hub may have checked the other one
 */
export function hostHeaderOf({
  headers,
  rawHeaders
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | undefined {
  const { host } = headers
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'host') continue
    count++
    if (count > 1 || rawHeaders[index + 1]?.toLowerCase() !== host?.toLowerCase()) return undefined
  }
  return host
}

/** Whether a name from `hostNameOf` always stands for this machine. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
}

/**
 * Whether a name from `hostNameOf` is no address. Browsers apply Strict-Transport-Security to names only (RFC 6797,
 * 8.3).
 */
export const isHostName = (name: string): boolean => /[a-z]/.test(name) && !name.startsWith('[')

/** Whether an address belongs to this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** Whether a request comes from this machine and names it in its Host header. In process, requests may have none. */
export function isLocalRequest(address: string, host: string | null): boolean {
  return isLoopback(address) && (host === null || isLoopbackName(hostNameOf(host) ?? ''))
}
