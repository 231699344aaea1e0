// Finds the common cause of problems, so that one message names all problems of one fault. A cause is the stream
// engine, a network interface of the hub, a device, the host of a stream, or a network in which several of these fail.

import { isMulticast, isPrivate } from '../../contract/stream/address-policy.ts'
import { PROTOCOL_DEFAULT, RTP, UDP } from '../../contract/stream/protocols.ts'
import { sourceHost, targetHost } from '../../contract/stream/stream-hosts.ts'
import type { Translation } from '../../contract/text/language.ts'
import type { WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { wantedChannel } from '../channels/wanted.ts'
import type { FoundProblem } from '../health/problem-monitor.ts'
import type { Store } from '../store/store.ts'

/** Origin of a problem. */
export interface Origin {
  /** The same for all problems with this origin: `device:<sn>`, `host:<host>`, or the ID of the problem. */
  key: string
  /** Name of the origin; absent: the problem is its own origin. */
  name?: Translation
  /** The IPv4 network of the device or host, as `10.0.3.0/24`. */
  network?: string
}

/** Problems with one cause. */
export interface CauseGroup {
  key: string
  name?: Translation
  problems: FoundProblem[]
}

/** Number of failing devices and hosts of a network from which on the network is the cause of their problems. */
const NETWORK_MIN = 3

/** Key of the group of all problems beyond the limit of groups, which have several causes. */
export const MANY = 'many'
const MANY_NAME: Translation = ['Several causes', '多个原因']
const ENGINE_NAME: Translation = ['Stream engine', '流引擎']
const INTERFACE_NAME: Translation = ['Network interface {0}', '网络接口 {0}']
const NETWORK_NAME: Translation = ['Network {0}', '网络 {0}']

const ENGINE_REASONS: readonly string[] = ['engine-away', 'engine-restarted']

const asIs = (name: string): Translation => [name, name]
const filled = ([en, zh]: Translation, value: string): Translation => [
  en.replace('{0}', value),
  zh.replace('{0}', value)
]

/** The /24 network of a private IPv4 address: the devices in it are usually connected to one switch. */
export function networkOf(address: string): string | undefined {
  const [, begin] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? []
  return begin !== undefined && !begin.startsWith('127.') && isPrivate(address) ? `${begin}.0/24` : undefined
}

const withNetwork = (origin: Origin, address: string): Origin => {
  const network = networkOf(address)
  return { ...origin, ...(network && { network }) }
}

export class CauseFinder {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  originOf(problem: FoundProblem): Origin {
    const { id, kind, reason, sn, channel, output } = problem
    if (kind === 'engine' || ENGINE_REASONS.includes(reason)) return { key: 'engine', name: ENGINE_NAME }
    if (kind === 'device' && sn !== undefined) return this.#ofDevice(sn)
    if (channel === undefined) return { key: id }
    const wanted = wantedChannel(this.#store, channel)
    const leg = output === undefined ? wanted?.input : wanted?.outputs.find((each) => each.id === output)
    return (leg && this.#ofLeg(leg, reason)) ?? { key: id }
  }

  #ofDevice(sn: string): Origin {
    const { devices, deviceAddresses } = this.#store
    const row = devices.bySerial(sn)
    const address = row?.connect_ip || (row && deviceAddresses.get(row.id)?.address) || ''
    return withNetwork({ key: `device:${sn}`, name: asIs(row?.name || sn) }, address)
  }

  #ofLeg(leg: WantedInput | WantedOutput, reason: string): Origin | undefined {
    const iface = interfaceOf(leg)
    if (reason === 'interface-missing' && iface)
      return { key: `interface:${iface}`, name: filled(INTERFACE_NAME, iface) }
    const sn = deviceOf(leg)
    if (sn !== undefined) return this.#ofDevice(sn)
    const host = hostOf(leg)
    return host ? withNetwork({ key: `host:${host}`, name: asIs(host) }, host) : undefined
  }
}

const isInput = (leg: WantedInput | WantedOutput): leg is WantedInput => 'kind' in leg

/** The network interface of a multicast leg, if one is set. */
function interfaceOf(leg: WantedInput | WantedOutput): string | undefined {
  if (isInput(leg)) return leg.kind === 'url' ? leg.url.group?.iface : undefined
  return leg.protocol === UDP || leg.protocol === RTP ? leg.config.iface : undefined
}

/** The serial number of the device that sends an input or plays an output. */
function deviceOf(leg: WantedInput | WantedOutput): string | undefined {
  if (isInput(leg)) return leg.kind === 'device' ? leg.sn : undefined
  return leg.protocol === PROTOCOL_DEFAULT ? leg.config.sn : undefined
}

/** The host to which a leg connects, or the multicast group of an input; undefined if the leg waits for its peer. */
function hostOf(leg: WantedInput | WantedOutput): string | undefined {
  if (!isInput(leg)) return targetHost(leg)
  // The machine of an NDI source stands before its name: "STUDIO (Camera 1)".
  if (leg.kind === 'ndi') return /^(.*\S) \(/.exec(leg.source.name)?.[1]
  const group = leg.kind === 'url' && isMulticast(leg.url.host) ? leg.url.host : undefined
  return group ?? sourceHost(leg)
}

/**
 * Groups problems by their cause. Problems with the same origin are one group, and so are all problems of a network in
 * which several devices or hosts have problems.
 */
export function groupByCause(
  problems: readonly FoundProblem[],
  originOf: (problem: FoundProblem) => Origin
): CauseGroup[] {
  const found = problems.map((problem) => ({ problem, origin: originOf(problem) }))
  const keysOf = new Map<string, Set<string>>()
  for (const { origin } of found)
    if (origin.network) keysOf.set(origin.network, (keysOf.get(origin.network) ?? new Set()).add(origin.key))
  const groups = new Map<string, CauseGroup>()
  for (const { problem, origin } of found) {
    const { network = '' } = origin
    const isNetwork = (keysOf.get(network)?.size ?? 0) >= NETWORK_MIN
    const key = isNetwork ? networkKey(network) : origin.key
    const name = isNetwork ? filled(NETWORK_NAME, network) : origin.name
    const group = groups.get(key) ?? { key, ...(name && { name }), problems: [] }
    group.problems.push(problem)
    groups.set(key, group)
  }
  return [...groups.values()]
}

export const networkKey = (network: string): string => `network:${network}`

/**
 * Limits the number of groups: the largest stay, and the problems of all others become one group.
 * @param most number of groups that stay, to which the group of the others is added
 */
export function limitGroups(groups: readonly CauseGroup[], most: number): CauseGroup[] {
  if (groups.length <= most) return [...groups]
  const sorted = groups.toSorted((a, b) => b.problems.length - a.problems.length)
  const others = sorted.slice(most).flatMap(({ problems }) => problems)
  return [...sorted.slice(0, most), { key: MANY, name: MANY_NAME, problems: others }]
}
