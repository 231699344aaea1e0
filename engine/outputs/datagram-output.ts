// MPEG-TS to an address over UDP, or over RTP. The relay of the stream sends the datagrams.
import { isMulticast } from '../../contract/stream/address-policy.ts'
import { CONNECTION_STATE, RTP } from '../../contract/stream/protocols.ts'
import type { UdpOutput } from '../../contract/stream/source.ts'
import { interfaceFault, multicastInterface } from '../access/address-policy.ts'
import type { Failure } from '../interfaces/errors.ts'
import type {
  DatagramTarget,
  Relay,
  RelayAddress,
  RelayReport,
  RelayTarget,
  Stream,
  StreamUser
} from '../interfaces/relay.ts'
import type { Carrier, CarrierContext, OpenCarrier } from '../legs/carrier.ts'
import { nextRelayId } from '../legs/relay-receiver.ts'
import { datagramPayloadBytes } from '../legs/rtp.ts'
import { Subscription } from '../legs/subscription.ts'
import { failure, systemFailure } from '../process/failure.ts'
import { targetAddress } from '../relay/relay-address.ts'

/** Milliseconds for which it is shown that no program listens at the target port. */
const REFUSAL_SHOWN = 2000

class DatagramCarrier implements Carrier, StreamUser {
  readonly #target: DatagramTarget
  readonly #output: CarrierContext
  /** Kept over reopenings, because counters only increase. */
  readonly #count: { packets: number }
  /** The interface for multicast, as the user has named it. */
  readonly #iface: string | undefined
  readonly #subscription = Subscription.ofUser(this)
  #relay: Relay | undefined
  #id = 0
  /** The relay that is to hand it over, and its ID there. */
  #leaving: { relay: Relay; id: number } | undefined
  #last: RelayTarget | undefined
  /** Bytes dropped at earlier relays. */
  #droppedBytes = 0
  #refusedAt = Number.NEGATIVE_INFINITY
  /** Whether its socket comes from the relay of another engine, which has not handed it over yet. */
  #isAwaited: boolean

  constructor(
    target: DatagramTarget,
    output: CarrierContext,
    count: { packets: number },
    iface: string | undefined,
    isAwaited: boolean
  ) {
    this.#isAwaited = isAwaited
    this.#target = target
    this.#output = output
    this.#count = count
    this.#iface = iface
  }

  attach(stream: Stream): void {
    this.#subscription.attach(stream)
  }

  attachRelay(relay: Relay): void {
    this.#relay = relay
    this.#id = nextRelayId()
    if (!this.#isAwaited) this.#addTarget(relay)
  }

  takeOverAddress(): RelayAddress | undefined {
    return this.#relay && this.#isAwaited ? targetAddress(this.#relay, this.#id, this.#target) : undefined
  }

  endTakeOver(): void {
    if (!this.#isAwaited) return
    this.#isAwaited = false
    if (this.#relay) this.#addTarget(this.#relay)
  }

  handOver(address: RelayAddress): void {
    this.#relay?.moveTarget(this.#id, address)
  }

  isHandedOver(): boolean {
    return !this.#relay?.report().targets.has(this.#id)
  }

  #addTarget(relay: Relay): void {
    relay.addTarget(this.#id, this.#target).catch((error) => {
      if (this.#relay === relay) this.#output.onFailure(systemFailure(error))
    })
  }

  detachRelay(): void {
    this.#relay?.removeTarget(this.#id)
    this.#leaving?.relay.removeTarget(this.#leaving.id)
    this.#relay = undefined
    this.#forgetLeft()
  }

  moveRelay(relay: Relay): void {
    const previous = this.#relay
    if (!previous || this.#isAwaited) {
      this.attachRelay(relay)
      return
    }
    this.#leaving = { relay: previous, id: this.#id }
    this.#relay = relay
    this.#id = nextRelayId()
    previous.moveTarget(this.#leaving.id, targetAddress(relay, this.#id, this.#target))
  }

  handleReport({ targets }: RelayReport): void {
    let target = targets.get(this.#id)
    if (target) this.#isAwaited = false
    if (target && this.#leaving) this.#forgetLeft()
    target ??= this.#leaving?.relay.report().targets.get(this.#leaving.id)
    if (!target) return
    const { bytes, packets, refusedAt, error } = target
    const last = this.#last ?? { bytes: 0, packets: 0, droppedBytes: 0 }
    this.#last = target
    this.#count.packets += packets - last.packets
    if (bytes > last.bytes) this.#output.onBytes(bytes - last.bytes)
    // The target may start to listen later.
    const wasRefused = this.problem(performance.now()) !== undefined
    if (refusedAt !== undefined) this.#refusedAt = refusedAt
    if (!wasRefused && this.problem(performance.now())) this.#output.onChange()
    if (error !== undefined && error !== last.error) this.#output.onFailure(this.#explain(error))
  }

  handleStreamEnd(): void {}

  /** @param code system error code of a datagram that was not sent */
  #explain(code: string): Failure {
    const fault = this.#iface === undefined ? undefined : interfaceFault(this.#iface, this.#target.address)
    return systemFailure(fault ?? Object.assign(new Error(code), { code }))
  }

  /** The counts of another relay follow. */
  #forgetLeft(): void {
    this.#leaving = undefined
    this.#droppedBytes = this.droppedBytes()
    this.#last = undefined
  }

  counters() {
    return { packets: this.#count.packets }
  }

  droppedBytes(): number {
    return this.#droppedBytes + (this.#last?.droppedBytes ?? 0)
  }

  problem(now: number) {
    return now - this.#refusedAt < REFUSAL_SHOWN ? failure(CONNECTION_STATE.refused, 'no-one-there') : undefined
  }

  async close(): Promise<void> {
    this.#subscription.cancel()
  }
}

/**
 * @param protocol `UDP` or `RTP`
 * @param resolveHost looks up a host and applies the address policy, as in `HostLookup`
 * @param isWaiting whether it waits for the output of another engine (`Output.takeOverAddress`) when it opens
 */
export function createDatagramOutput(
  protocol: number,
  config: UdpOutput,
  resolveHost: (host: string) => Promise<string>,
  isWaiting = () => false
): OpenCarrier {
  const count = { packets: 0 }
  return async (output) => {
    const address = await resolveHost(config['dst-ip'])
    const target = {
      address,
      port: config['dst-port'],
      payloadBytes: datagramPayloadBytes(protocol, config.mtu),
      rtp: protocol === RTP,
      ...(isMulticast(address) && multicastOptions(config, address))
    }
    return new DatagramCarrier(target, output, count, isMulticast(address) ? config.iface : undefined, isWaiting())
  }
}

const multicastOptions = ({ iface, 'mcast-time-to-live': ttl = 1 }: UdpOutput, group: string) => ({
  ttl,
  ...(iface && { iface: multicastInterface(iface, group) })
})
