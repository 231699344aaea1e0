// The requests of the hub to the firewall service: one JSON line per connection, answered by one line. The service does
// not trust the hub: every request is checked here, and what passes consists of numbers and IP addresses alone.

import { isIP } from 'node:net'

/** Path of the socket, and of the folder for the confirmed ports. */
export const SOCKET_PATH = '/run/headend-firewall/socket'
export const STATE_FOLDER = '/var/lib/headend-firewall'

/** Bytes of a request: the longest one has 128 rules, each with an IPv6 network. */
export const REQUEST_MAX = 16_384
/** Open ranges, as rules of the hub, and ports of the console: HTTP and HTTPS, and one that is on trial. */
export const RANGES_MAX = 128
export const CONSOLE_PORTS_MAX = 3
const PORT_MAX = 65_535

/**
 * Open ports: first, last, protocol (0 TCP, 1 UDP, 2 both), and the address or network in CIDR notation from which they
 * are open; without it from everywhere.
 */
export type OpenRange = readonly [first: number, last: number, protocol: number, source?: string]

/** The ports that are to be open. Mode: -1 the ranges, 0 nothing, 1 everything. */
export interface OpenPorts {
  /** Names the change: 16 hexadecimal digits, chosen by the hub. */
  id: string
  mode: -1 | 0 | 1
  ranges: readonly OpenRange[]
}

export type FirewallRequest =
  | { op: 'state' }
  /** @param keep whether the change needs no confirmation */
  | ({ op: 'apply'; keep: boolean; console: readonly number[] } & OpenPorts)
  | { op: 'confirm' | 'cancel'; id: string }
  /** The ports of the console have changed. */
  | { op: 'console'; console: readonly number[] }

export type Count = readonly [packets: number, bytes: number]

export interface ServiceState {
  confirmed: OpenPorts
  /** The change that waits for its confirmation. */
  pending?: OpenPorts & { secondsLeft: number }
  console: readonly number[]
  /** Whether the kernel has the table that belongs to the state. */
  isInEffect: boolean
  /** Of each range. */
  counts: readonly Count[]
  refused?: Count
  /** Since when the kernel has counted, in milliseconds since the epoch. */
  since?: number
}

/**
 * - `invalid`: the request is malformed
 * - `waiting`: another change waits for its confirmation
 * - `unknown`: no change with this ID waits
 * - `no-nft`: nftables is not installed
 * - `failed`: nftables, or the disk, failed; nothing was changed
 */
export type ServiceError = 'invalid' | 'waiting' | 'unknown' | 'no-nft' | 'failed'

export type FirewallResponse = { state: ServiceState } | { error: ServiceError; detail?: string }

type Fields = Record<string, unknown>

function isObjectOf(value: unknown, names: readonly string[]): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length === names.length && names.every((name) => keys.includes(name))
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= PORT_MAX

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value)

/** An address has hexadecimal digits, dots and colons only, a prefix length digits. */
function isSource(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const [, address = '', prefix] = /^([\da-f.:]{2,45})(?:\/([1-9]\d{0,2}))?$/i.exec(value) ?? []
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return bits > 0 && Number(prefix ?? bits) <= bits
}

function isRange(value: unknown): value is OpenRange {
  if (!Array.isArray(value) || (value.length !== 3 && value.length !== 4)) return false
  const [first, last, protocol, source] = value
  const isValidSource = value.length === 3 || isSource(source)
  return isPort(first) && isPort(last) && first <= last && [0, 1, 2].includes(protocol) && isValidSource
}

const isListOf = (value: unknown, max: number, isEntry: (entry: unknown) => boolean) =>
  Array.isArray(value) && value.length <= max && value.every(isEntry)

const areConsolePorts = (value: unknown) => isListOf(value, CONSOLE_PORTS_MAX, isPort)

const areOpenPorts = ({ id, mode, ranges }: Fields) =>
  isId(id) && [-1, 0, 1].includes(mode as number) && isListOf(ranges, RANGES_MAX, isRange)

/** Reads a request of the hub; undefined if it is not valid. */
export function parseRequest(line: string): FirewallRequest | undefined {
  const value = parseJson(line)
  const isRequest =
    (isObjectOf(value, ['op']) && value.op === 'state') ||
    (isObjectOf(value, ['op', 'id']) && (value.op === 'confirm' || value.op === 'cancel') && isId(value.id)) ||
    (isObjectOf(value, ['op', 'console']) && value.op === 'console' && areConsolePorts(value.console)) ||
    (isObjectOf(value, ['op', 'id', 'mode', 'ranges', 'console', 'keep']) &&
      value.op === 'apply' &&
      typeof value.keep === 'boolean' &&
      areConsolePorts(value.console) &&
      areOpenPorts(value))
  return isRequest ? (value as FirewallRequest) : undefined
}

/** The part of the state that is on disk. */
export interface StoredPorts extends OpenPorts {
  console: readonly number[]
}

/** Reads the stored ports; undefined if they are damaged. */
export function parseStored(text: string): StoredPorts | undefined {
  const value = parseJson(text)
  const isStored =
    isObjectOf(value, ['id', 'mode', 'ranges', 'console']) && areOpenPorts(value) && areConsolePorts(value.console)
  return isStored ? (value as unknown as StoredPorts) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
