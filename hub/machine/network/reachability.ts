// What the machine reaches after a change of its network, for the user who is to confirm the change: the gateway, the
// name servers and the time servers. Each is asked at most six times (docs/architecture/neighbours.md).
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NetworkCheck, NetworkInterface } from '../../../contract/machine/network.ts'
import { findHolder, findIpv6Holder } from './address-probe.ts'
import { isLinkLocalText } from './ipv6-settings.ts'

export type CheckTarget = Pick<NetworkCheck, 'kind' | 'address'>

/** What an interface makes reachable, and the time servers. */
export function targetsOf(
  found: Omit<NetworkInterface, 'label' | 'uses'>,
  timeServers: readonly string[]
): CheckTarget[] {
  const { iface, gateway, dns1, dns2, 'ipv6-gateway': ipv6Gateway = '', 'ipv6-dns': servers = [] } = found
  // A link-local address has a meaning only together with the interface.
  const withZone = (address: string) => (isLinkLocalText(address) ? `${address}%${iface}` : address)
  const targets: CheckTarget[] = [
    ...[gateway, withZone(ipv6Gateway)].map((address) => ({ kind: 'gateway' as const, address })),
    ...[dns1, dns2, ...servers.map(withZone)].map((address) => ({ kind: 'dns' as const, address })),
    ...timeServers.map((address) => ({ kind: 'time' as const, address }))
  ]
  return targets.filter(({ address }) => address !== '')
}

/** Milliseconds in which a server answers. */
const ANSWER_TIME = 2000
/** Within the 60 s for the confirmation. */
const ROUNDS = 6
const ROUND_INTERVAL = 10_000
const DNS_PORT = 53
const NTP_PORT = 123

/** Sends one datagram. @returns whether an answer arrives */
function askOverUdp(
  address: string,
  port: number,
  request: Buffer,
  isAnswer: (reply: Buffer) => boolean
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    const end = (answers: boolean) => {
      clearTimeout(timer)
      socket.off('error', fail).on('error', () => {})
      socket.close()
      resolve(answers)
    }
    const fail = () => end(false)
    const timer = setTimeout(fail, ANSWER_TIME)
    socket.once('error', fail)
    socket.on('message', (reply) => isAnswer(reply) && end(true))
    // Connected, so that answers of others do not count. Without a route that fails, with an `error` event.
    socket.once('connect', () => socket.send(request, () => {}))
    socket.connect(port, address)
  })
}

/** Asks a name server for the servers of the root (RFC 1035). Any answer counts, also a refusal. */
export function askNameServer(address: string, port = DNS_PORT): Promise<boolean> {
  const id = randomBytes(2)
  const request = Buffer.concat([id, Buffer.from('01000001000000000000' + '00' + '00020001', 'hex')])
  const isAnswer = (reply: Buffer) =>
    reply.length >= 12 && reply.subarray(0, 2).equals(id) && ((reply[2] ?? 0) & 0x80) !== 0
  return askOverUdp(address, port, request, isAnswer)
}

/** Asks a time server for its time (RFC 5905). @param host a name or an IP address */
export async function askTimeServer(host: string, port = NTP_PORT): Promise<boolean> {
  const address = isIP(host)
    ? host
    : await lookup(host).then(
        (found) => found.address,
        () => undefined
      )
  if (address === undefined) return false
  const request = Buffer.alloc(48)
  // Version 4, client.
  request[0] = 0x23
  const sent = randomBytes(8)
  sent.copy(request, 40)
  const isAnswer = (reply: Buffer) =>
    reply.length >= 48 && ((reply[0] ?? 0) & 7) === 4 && reply.subarray(24, 32).equals(sent)
  return askOverUdp(address, port, request, isAnswer)
}

const ASK: Readonly<Record<NetworkCheck['kind'], (address: string) => Promise<boolean>>> = {
  gateway: async (address) =>
    (await (address.includes(':') ? findIpv6Holder(address) : findHolder(address))) !== undefined,
  dns: (address) => askNameServer(address),
  time: (address) => askTimeServer(address)
}

interface ReachabilityOptions {
  findTargets(): Promise<CheckTarget[]>
  onChange(): void
  /** For tests. */
  ask?: typeof ASK
  interval?: number
}

export class ReachabilityChecks {
  readonly #options: ReachabilityOptions
  #checks: NetworkCheck[] = []
  /** Aborted when the change has ended. */
  #current: AbortController | undefined

  constructor(options: ReachabilityOptions) {
    this.#options = options
  }

  results(): NetworkCheck[] {
    return this.#checks
  }

  /** Does nothing while checks run. */
  start(): void {
    if (this.#current) return
    this.#current = new AbortController()
    void this.#run(this.#current.signal).catch(() => {})
  }

  stop(): void {
    this.#current?.abort()
    this.#current = undefined
    this.#checks = []
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
      if (round > 0) await sleep(this.#options.interval ?? ROUND_INTERVAL, undefined, { signal, ref: false })
      const targets = await this.#options.findTargets()
      if (signal.aborted) return
      this.#checks = targets.map((target) => this.#find(target) ?? { ...target, state: 'asking' })
      await Promise.all(targets.map((target) => this.#ask(target, signal)))
    }
  }

  #find = ({ kind, address }: CheckTarget) =>
    this.#checks.find((check) => check.kind === kind && check.address === address)

  async #ask(target: CheckTarget, signal: AbortSignal): Promise<void> {
    // The kernel first answers from what it knew before the change, so the gateway is asked again. A server that has
    // answered is left alone.
    if (target.kind !== 'gateway' && this.#find(target)?.state === 'answers') return
    // Without the program that it takes, it stays unknown.
    const answers = await (this.#options.ask ?? ASK)[target.kind](target.address).catch(() => undefined)
    if (answers === undefined) return
    const state = answers ? 'answers' : 'silent'
    const check = this.#find(target)
    if (signal.aborted || !check || check.state === state) return
    this.#checks = this.#checks.map((each) => (each === check ? { ...each, state } : each))
    this.#options.onChange()
  }
}
