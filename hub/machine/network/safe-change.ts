// Changes the network so that nobody locks themselves out: NetworkManager makes a checkpoint of the changed devices,
// and rolls back by itself when the change is not confirmed in time, also if the hub does not run any more. The change
// is on disk only after the confirmation.
import { isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { IN_PROGRESS, NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import { NETWORK_CONFIRM_SECONDS } from '../../../contract/limits.ts'
import type { NetworkChange, NetworkOutcome, SetNetworkRequest, UndoReason } from '../../../contract/machine/network.ts'
import { networkPrefix } from '../../../contract/network-prefix.ts'
import { logger } from '../../../process-log/logger.ts'
import type { NetworkStore } from '../../store/network.ts'
import type { StoredNetworkChange } from '../../store/stored-changes.ts'
import { MachineError } from '../machine-error.ts'
import { machineUptimeMs } from '../machine-uptime.ts'
import { BusError, type SystemBus } from '../system-bus.ts'
import { ActivationError, waitUntilActive, watchFailures } from './activation.ts'
import type { ChangePlan } from './change-plan.ts'
import { hostsOf } from './ipv6-change.ts'
import type { NetworkManager } from './network-manager.ts'

/** Milliseconds before a change begins or is cancelled, in which the response to the request reaches the client. */
const START_DELAY = 1000
const CONFIRM_TIME = NETWORK_CONFIRM_SECONDS * 1000
/** Milliseconds in which NetworkManager rolls back and activates the previous connection, Wi-Fi and DHCP included. */
const UNDO_TIME = 20_000
const UNDO_POLL_INTERVAL = 100

/** A connection of a client to the hub. */
export interface ClientConnection {
  /** Address of the hub at which it arrived; undefined in process. */
  localAddress: string | undefined
  /** When the hub accepted it, on the clock of `performance.now()`. */
  openedAt: number
}

/** The request for a change. */
export interface ChangeRequest {
  plan: ChangePlan
  by: string
  /** Address at which the change is to be confirmed; empty if it is not known before. */
  ipaddr: string
  overIface: boolean
  /** The request without secrets. */
  request: NonNullable<NetworkOutcome['request']>
}

interface Hooks {
  /** Addresses of the machine have changed. */
  onAddressChange(): void
  /** The state of the change, or its outcome, has changed. */
  onChange(): void
  onOutcome(outcome: NetworkOutcome): void
}

export class SafeChange {
  readonly #bus: SystemBus
  readonly #manager: NetworkManager
  readonly #store: NetworkStore
  readonly #hooks: Hooks
  #current: StoredNetworkChange | undefined
  #state: NetworkChange['state'] = 'applying'
  /** When the change took effect, on the clock of `performance.now()`. */
  #appliedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(bus: SystemBus, manager: NetworkManager, store: NetworkStore, hooks: Hooks) {
    this.#bus = bus
    this.#manager = manager
    this.#store = store
    this.#hooks = hooks
  }

  /** The change that waits for its confirmation. */
  observe(): NetworkChange | undefined {
    const current = this.#current
    if (!current) return undefined
    const { iface, by, ipaddr, overIface, deadline } = current
    const seconds = Math.ceil(timeLeft(deadline) / 1000)
    return { iface, state: this.#state, 'seconds-left': seconds, by, ipaddr, 'over-iface': overIface }
  }

  isBeforeChange(time: number): boolean {
    return this.#current !== undefined && this.#state === 'waiting' && time < this.#appliedAt
  }

  /** @throws MachineError 43 while another change waits */
  requireNone(): void {
    if (this.#current) throw new MachineError(IN_PROGRESS)
  }

  /** Begins a change, shortly after this call. */
  begin(change: ChangeRequest): void {
    this.requireNone()
    const { plan, by, ipaddr, overIface, request } = change
    const deadline = machineUptimeMs() + START_DELAY + CONFIRM_TIME
    const previous = addressesOf(plan.iface)
    const stored = { by, ipaddr, overIface, request, deadline, previous, checkpoint: '', connection: '' }
    const current = { iface: plan.iface, ...stored }
    this.#store.setCurrent(current)
    this.#current = current
    this.#state = 'applying'
    this.#hooks.onChange()
    this.#timer = setTimeout(() => void this.#run(plan).catch(logFailure), START_DELAY)
  }

  async #run(plan: ChangePlan): Promise<void> {
    try {
      await plan.prepare?.()
      const checkpoint = await this.#manager.createCheckpoint(plan.devices, NETWORK_CONFIRM_SECONDS)
      // The hub was closed meanwhile, and has changed nothing yet.
      if (!this.#current) return await this.#manager.destroyCheckpoint(checkpoint)
      this.#update({ checkpoint, deadline: machineUptimeMs() + CONFIRM_TIME })
      this.#watchDeadline()
      await this.#apply(plan)
      this.#enterWaiting()
    } catch (error) {
      await this.#giveUp(error)
    }
  }

  async #apply(plan: ChangePlan): Promise<void> {
    const failures = await watchFailures(this.#bus)
    try {
      const { connection, active } = await plan.apply()
      this.#update({ connection, isRemoval: active === undefined })
      const timeoutReason = isAddressChosen(this.#current) ? 'failed' : 'no-address'
      if (active !== undefined) await waitUntilActive(this.#manager, active, failures, timeoutReason)
    } finally {
      failures.stop()
    }
  }

  #update(fields: Partial<StoredNetworkChange>): void {
    if (!this.#current) return
    this.#current = { ...this.#current, ...fields }
    this.#store.setCurrent(this.#current)
  }

  #enterWaiting(): void {
    if (!this.#current) return
    this.#state = 'waiting'
    this.#appliedAt = performance.now()
    this.#hooks.onAddressChange()
    this.#hooks.onChange()
  }

  /** Goes back at once, because the change could not be applied. */
  async #giveUp(error: unknown): Promise<void> {
    const observed = error instanceof ActivationError ? error.reason : 'failed'
    // A device gives the same reason for a manual address that another machine has.
    const reason = observed === 'no-address' && isAddressChosen(this.#current) ? 'address-in-use' : observed
    const detail = error instanceof BusError || reason === 'failed' ? (error as Error).message : undefined
    await this.#undo(this.#current?.checkpoint, reason, detail)
  }

  async #undo(checkpoint: string | undefined, reason: UndoReason, detail?: string): Promise<void> {
    if (checkpoint) await this.#manager.rollback(checkpoint).catch(logFailure)
    await this.#finishUndone(reason, detail)
  }

  #watchDeadline(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void this.#finishUndone('not-confirmed').catch(logFailure),
      timeLeft(this.#current?.deadline ?? 0)
    ).unref()
  }

  /**
   * Ends a change that NetworkManager undoes, by itself or because the hub has asked it to, as soon as the hub observes
   * that.
   */
  async #finishUndone(reason: UndoReason, detail?: string): Promise<void> {
    const current = this.#current
    if (!current) return
    // It can no longer be confirmed.
    this.#state = 'undoing'
    this.#hooks.onChange()
    const end = performance.now() + UNDO_TIME
    let isRestored = await this.#isRestored(current)
    while (!isRestored && this.#current === current && performance.now() < end) {
      await sleep(UNDO_POLL_INTERVAL)
      isRestored = await this.#isRestored(current)
    }
    if (this.#current === current)
      this.#finish('undone', { reason, ...(detail && { detail }), ...(!isRestored && { unverified: true }) })
  }

  /** Whether NetworkManager has ended the checkpoint, and the interface has its previous addresses. */
  async #isRestored({ checkpoint, iface, previous, request }: StoredNetworkChange): Promise<boolean> {
    const objects = await this.#manager.objects().catch(() => undefined)
    if (!objects || (checkpoint && objects.get(checkpoint, 'Checkpoint'))) return false
    const ipv4 = (addresses: string[]) => addresses.filter(isIPv4).sort().join()
    const now = addressesOf(iface)
    const isIpv6Changed = 'ipv6-method' in request && request['ipv6-method'] !== undefined
    return ipv4(now) === ipv4(previous) && (!isIpv6Changed || isIpv6Restored(request, previous, now))
  }

  #finish(
    outcome: NetworkOutcome['outcome'],
    details: Pick<NetworkOutcome, 'reason' | 'detail' | 'unverified'> = {}
  ): void {
    const current = this.#current
    if (!current) return
    clearTimeout(this.#timer)
    this.#current = undefined
    const { iface, by, request } = current
    const isUndone = outcome === 'undone'
    const last: NetworkOutcome = {
      iface,
      time: Date.now(),
      by,
      outcome,
      ...details,
      ...(isUndone && { request })
    }
    this.#store.setOutcome(last)
    this.#hooks.onAddressChange()
    this.#hooks.onOutcome(last)
    this.#hooks.onChange()
  }

  /**
   * Keeps the change.
   * @throws MachineError 16 if there is none; 43 if it is not yet in effect, or is being undone; 38 if the client has
   * not shown that it reaches the hub now
   */
  async confirm({ localAddress, openedAt }: ClientConnection): Promise<void> {
    const current = this.#requireWaiting()
    const reaches = hasAddress(current.iface, localAddress)
    // A client that asks at the new address whether the hub answers there may be sooner than the hub notices its new
    // address.
    const isNew = openedAt > this.#appliedAt || (reaches && !current.previous.includes(localAddress ?? ''))
    if (!isNew || (current.overIface && !reaches)) throw new MachineError(WRONG_STATE, { refusal: 'old-connection' })
    // Survives the end of the hub between the two calls.
    this.#update({ isConfirmed: true })
    try {
      await this.#keep(current)
    } catch (error) {
      this.#update({ isConfirmed: false })
      throw error
    }
    this.#finish('kept')
  }

  /**
   * Stores the change, and then ends the checkpoint: NetworkManager still rolls back if the change cannot be stored.
   */
  async #keep({ connection, isRemoval, checkpoint }: StoredNetworkChange): Promise<void> {
    if (connection) await (isRemoval ? this.#manager.remove(connection) : this.#manager.save(connection))
    await this.#manager.destroyCheckpoint(checkpoint)
  }

  /**
   * Goes back, as soon as the response has reached the client over the present address.
   * @throws MachineError 16 if there is no change; 43 if it is not yet in effect, or is being undone
   */
  cancel(): void {
    const { checkpoint } = this.#requireWaiting()
    this.#state = 'undoing'
    this.#hooks.onChange()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#undo(checkpoint, 'cancelled').catch(logFailure), START_DELAY)
  }

  #requireWaiting(): StoredNetworkChange {
    if (!this.#current) throw new MachineError(NOT_EXIST)
    if (this.#state !== 'waiting') throw new MachineError(IN_PROGRESS, { refusal: this.#state })
    return this.#current
  }

  /**
   * Takes up a change that was begun before the hub was restarted. Does nothing while NetworkManager does not answer.
   */
  async resume(): Promise<void> {
    const stored = this.#store.current()
    if (!stored || this.#current) return
    const objects = await this.#manager.objects().catch(() => undefined)
    if (!objects || this.#current) return
    this.#current = stored
    const isOpen = stored.checkpoint !== '' && objects.get(stored.checkpoint, 'Checkpoint') !== undefined
    if (stored.isConfirmed) {
      // Without its checkpoint, the change has been stored already.
      const isKept = !isOpen || (await this.#keep(stored).then(() => true, logFailure))
      if (isKept) return this.#finish('kept')
    }
    if (!isOpen) return void this.#finishUndone('not-confirmed').catch(logFailure)
    // The hub ended while it applied the change: there may be nothing to confirm, and nothing that a confirmation could
    // save.
    if (stored.connection === '') return void this.#undo(stored.checkpoint, 'failed').catch(logFailure)
    this.#enterWaiting()
    this.#watchDeadline()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#current = undefined
  }
}

/** For work that nobody waits for: an unhandled rejection would end the hub. */
const logFailure = (error: unknown) => logger.error('Network change', error)

/** Milliseconds until a deadline. Those of a stored change may be from another start of the machine. */
const timeLeft = (deadline: number): number => Math.max(0, Math.min(CONFIRM_TIME, deadline - machineUptimeMs()))

/** Whether a user has chosen the address that is to be confirmed: then a failure is that another machine has it. */
function isAddressChosen(change: StoredNetworkChange | undefined): boolean {
  if (!change) return false
  const { 'use-dhcp': useDhcp, 'ipv6-method': method }: Partial<SetNetworkRequest> = change.request
  return isIPv4(change.ipaddr) || (method === 'static' && useDhcp !== true)
}

/**
 * Whether an interface has lost the IPv6 addresses of a request, and has an address in each of its previous networks.
 * It need not be the previous address, because the kernel generates new temporary addresses (RFC 8981).
 */
function isIpv6Restored(
  { 'ipv6-addresses': requested }: Partial<SetNetworkRequest>,
  previous: readonly string[],
  now: readonly string[]
): boolean {
  const isGone = hostsOf(requested).every((address) => previous.includes(address) || !now.includes(address))
  const networks = now.filter(isIPv6).map(networkPrefix)
  return isGone && previous.filter(isIPv6).every((address) => networks.includes(networkPrefix(address)))
}

/** The addresses that an interface has now. */
const addressesOf = (iface: string): string[] => (networkInterfaces()[iface] ?? []).map(({ address }) => address)

function hasAddress(iface: string, address: string | undefined): boolean {
  return address !== undefined && addressesOf(iface).includes(address)
}
