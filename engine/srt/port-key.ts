import type { KeyLength } from '../../contract/stream/protocols.ts'

/** Milliseconds without media after which the next publisher replaces the current one. */
export const PUBLISHER_SILENCE = 1000

/** A stream ID that the port accepts. No text may contain a tab or a line end. */
export interface SrtPortKey {
  /** Identifies the key: lower-case letters, digits and hyphens, at most 32. */
  token: string
  /** Whether the caller sends a stream; otherwise it receives ours. */
  isPublisher: boolean
  /** The stream ID, with or without the prefix `publish.srt/live/` or `play.srt/live/`. */
  name: string
  /** Empty: no encryption. */
  passphrase: string
  keyLength: KeyLength
  /** Milliseconds. */
  latency: number
  /** Bandwidth for retransmission to a player, 5 to 100 percent of the stream's rate. Default: unlimited. */
  overhead?: number
  /** Milliseconds without media after which the next publisher replaces the current one; 0: at once. Default: never. */
  replaceAfter?: number
  /** Maximum number of connections; 1 for a publisher. */
  maxClients: number
  /** IPv4 addresses or ranges (`10.0.0.0/8`); empty allows every address. */
  allowIp: readonly string[]
}

/** Whether connected clients with allowed addresses can stay when a key changes. */
export function isSameForClients(before: SrtPortKey, after: SrtPortKey): boolean {
  const fields = [before, after].map((key) => keyFields({ ...key, allowIp: [], replaceAfter: 0 }).join('\t'))
  return fields[0] === fields[1]
}

/**
 * The fields of a key in the command that `headend-srt` reads.
 * @throws Error if a field contains a tab or a line end
 */
export function keyFields(key: SrtPortKey): (string | number)[] {
  const {
    token,
    isPublisher,
    name,
    passphrase,
    keyLength,
    latency,
    maxClients,
    allowIp,
    overhead = 0,
    replaceAfter = -1
  } = key
  const direction = isPublisher ? 's' : 't'
  const fields = [
    token,
    direction,
    name,
    passphrase,
    keyLength,
    latency,
    maxClients,
    allowIp.join(','),
    overhead,
    replaceAfter
  ]
  if (fields.some((field) => /[\t\r\n]/.test(String(field))))
    throw new Error(`The key ${token} contains a tab or a line end`)
  return fields
}
