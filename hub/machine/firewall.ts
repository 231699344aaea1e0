// The firewall of the machine: in manage mode, the firewall service opens and blocks ports for the hub
// (docs/architecture/firewall.md).
import { createHash, randomBytes } from 'node:crypto'
import { IN_PROGRESS, NOT_EXIST, READ_ONLY, STATE_CHANGED, WRONG_STATE } from '../../contract/codes.ts'
import { FIREWALL_CONFIRM_SECONDS } from '../../contract/limits.ts'
import { blocksAnyPort, portsOf } from '../../contract/machine/firewall/effect.ts'
import {
  FIREWALL_MODE,
  type FirewallChange,
  type FirewallOutcome,
  type FirewallSettings,
  type FirewallState,
  type FirewallUndoReason,
  type PacketCount,
  type SetFirewallRequest
} from '../../contract/machine/firewall/firewall.ts'
import type { MachineMode } from '../../contract/machine/machine.ts'
import type { OpenPorts, OpenRange, ServiceState } from '../../firewall/protocol.ts'
import { firewallUndoText, oldConnectionText } from '../messages/firewall.ts'
import type { Language } from '../messages/language.ts'
import { type MachineObstacle, obstacleText, type ServiceObstacle, type SystemService } from '../messages/machine.ts'
import type { FirewallStore } from '../store/firewall.ts'
import type { StoredFirewallChange } from '../store/stored-changes.ts'
import { FirewallServiceError, type SendToService } from './firewall-client.ts'
import { describeAccess, readOnlyError } from './machine-access.ts'
import { MachineError } from './machine-error.ts'
import { machineUptimeMs } from './machine-uptime.ts'

/** The service of the hub itself, and nftables, which it needs. */
const FIREWALL_SERVICE: SystemService = { name: 'headend-firewall', package: 'nftables', unit: 'headend-firewall' }
const NFTABLES: SystemService = { ...FIREWALL_SERVICE, name: 'nftables' }

/** Milliseconds after the end of the time for the confirmation, in which the service undoes the change. */
const UNDO_TIME = 1500

export interface FirewallOptions {
  mode: MachineMode
  store: FirewallStore
  send: SendToService
  /** Open ports of the console, those on trial included. */
  consolePorts(): number[]
  onChange(): void
  onOutcome(outcome: FirewallOutcome): void
}

const serviceOf = (obstacle: MachineObstacle): SystemService => (obstacle === 'missing' ? NFTABLES : FIREWALL_SERVICE)

/** The ranges that settings open, as the service knows them: those of enabled rules, in their order. */
function rangesOf({ mode, rules }: FirewallSettings): OpenRange[] {
  if (mode !== FIREWALL_MODE.rules) return []
  return rules
    .filter(({ enable }) => enable)
    .map((rule) => [...portsOf(rule), rule.protocol, ...(rule.source ? ([rule.source] as const) : ([] as const))])
}

const isSame = (settings: FirewallSettings, ports: OpenPorts): boolean =>
  settings.mode === ports.mode && JSON.stringify(rangesOf(settings)) === JSON.stringify(ports.ranges)

/** The settings that correspond to open ports, for comparisons. */
const settingsOf = ({ mode, ranges }: OpenPorts): FirewallSettings => ({
  mode,
  rules: ranges.map(([first, last, protocol, source]) => ({
    port: first === last ? `${first}` : `${first}-${last}`,
    protocol: protocol as 0 | 1 | 2,
    ...(source !== undefined && { source }),
    remark: '',
    enable: true
  }))
})

const revisionOf = ({ mode, rules }: FirewallSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([mode, rules]))
    .digest('base64url')
    .slice(0, 16)

const countOf = ([packets, bytes]: readonly [number, number]): PacketCount => ({ packets, bytes })

/** A change that the service has applied. */
export interface AppliedChange {
  /** Absent if no confirmation is needed. */
  change?: StoredFirewallChange
}

export class MachineFirewall {
  readonly #options: FirewallOptions
  /**
   * When the waiting change took effect, on the clock of `performance.now()`. After a restart of the hub, every
   * connection is newer.
   */
  #appliedAt = 0
  /** Number of changes that the service is applying, and the hub has not stored yet. */
  #applying = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: FirewallOptions) {
    this.#options = options
    if (options.mode === 'manage') void this.#read().catch(() => {})
  }

  /** State without the ports of the hub. */
  async observe(language: Language): Promise<Omit<FirewallState, 'ports'>> {
    const { mode, store } = this.#options
    const { state, obstacle } = await this.#read()
    const settings = store.settings()
    const [change, last] = [store.change(), store.outcome()]
    const pending = change && state?.pending?.id === change.id ? state.pending : undefined
    return {
      access: describeAccess(language, mode, serviceOf(obstacle ?? 'stopped'), obstacle),
      mode: settings.mode,
      rules: settings.rules,
      revision: revisionOf(settings),
      ...(state && !pending && describeCounts(settings, state)),
      ...(change && pending && { change: describeChange(change, pending.secondsLeft) }),
      ...(last && { last: { ...last, ...(last.reason && { text: firewallUndoText(language, last.reason) }) } })
    }
  }

  /** The state of the service, after taking note of a change that has ended and sending it new ports of the console. */
  async #read(): Promise<{ state?: ServiceState; obstacle?: ServiceObstacle }> {
    if (this.#options.mode === 'view') return {}
    try {
      const state = await this.#options.send({ op: 'state' })
      this.#reconcileChange(state)
      const ports = this.#options.consolePorts()
      const isCurrent = ports.length === 0 || JSON.stringify(ports) === JSON.stringify(state.console)
      return { state: isCurrent ? state : await this.#options.send({ op: 'console', console: ports }) }
    } catch (error) {
      if (error instanceof FirewallServiceError) return { obstacle: error.obstacle }
      throw error
    }
  }

  /** The ports of the console have changed. */
  consoleChanged(): void {
    void this.#read().catch(() => {})
  }

  /** Compares the stored change with the service. */
  #reconcileChange({ pending, confirmed }: ServiceState): void {
    const change = this.#options.store.change()
    if (!change) return
    if (pending?.id === change.id) this.#scheduleCheck(pending.secondsLeft)
    // The service has stored the confirmation, and the hub ended before it did.
    else if (confirmed.id === change.id) this.#finish('kept')
    else this.#finish('undone', machineUptimeMs() < change.deadline - UNDO_TIME ? 'interrupted' : 'not-confirmed')
  }

  #scheduleCheck(secondsLeft: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#read().catch(() => {}), secondsLeft * 1000 + UNDO_TIME)
    this.#timer.unref()
  }

  #finish(outcome: FirewallOutcome['outcome'], reason?: FirewallUndoReason): void {
    const { store, onOutcome, onChange } = this.#options
    const change = store.change()
    if (!change) return
    clearTimeout(this.#timer)
    const { mode, rules, by } = change
    const last: FirewallOutcome = {
      time: Date.now(),
      by,
      outcome,
      ...(reason && { reason }),
      ...(outcome === 'undone' && { request: { mode, rules } })
    }
    store.setOutcome(last, outcome === 'kept' ? change : undefined)
    onOutcome(last)
    onChange()
  }

  /** @throws MachineError 26 with the reason and the next step */
  async #requireService(language: Language): Promise<ServiceState> {
    const { state, obstacle = 'view' } = await this.#read()
    if (state) return state
    throw readOnlyError(language, obstacle, serviceOf(obstacle))
  }

  /**
   * The settings that are in effect now, if they can be replaced.
   * @throws MachineError 26 if the hub cannot change the firewall; 43 while a change waits; 1004
   */
  async requireCurrent(revision: string | undefined, language: Language): Promise<FirewallSettings> {
    const state = await this.#requireService(language)
    if (state.pending || this.#options.store.change()) throw new MachineError(IN_PROGRESS)
    this.#requireRevision(revision)
    return currentOf(state)
  }

  /**
   * Applies settings. Those that block a port are undone by the service unless they are confirmed.
   * @param by name of the user
   * @throws MachineError 26, also if nftables fails; 43; 1004
   */
  async apply({ mode, rules, revision }: SetFirewallRequest, by: string, language: Language): Promise<AppliedChange> {
    const settings = { mode, rules }
    const state = await this.#requireService(language)
    // Nothing is awaited from here until the change is sent, so no other change comes in between.
    this.#requireRevision(revision)
    if (state.isInEffect && isSame(settings, state.confirmed)) return {}
    const keep = !blocksAnyPort(currentOf(state), settings)
    const id = randomBytes(8).toString('hex')
    const ports = { id, mode, ranges: rangesOf(settings), console: this.#options.consolePorts() }
    this.#applying += 1
    try {
      await this.#options.send({ op: 'apply', keep, ...ports })
    } catch (error) {
      if (error instanceof FirewallServiceError && error.code === 'waiting') throw new MachineError(IN_PROGRESS)
      const detail = error instanceof FirewallServiceError ? error.message : ''
      const sentences = obstacleText(language, 'failing', FIREWALL_SERVICE)
      throw new MachineError(READ_ONLY, { message: [...sentences, detail].join('\n') })
    } finally {
      // The call stores the change before the hub reads a response to another call.
      this.#applying -= 1
    }
    this.#appliedAt = performance.now()
    return keep
      ? {}
      : { change: { id, ...settings, by, deadline: machineUptimeMs() + FIREWALL_CONFIRM_SECONDS * 1000 } }
  }

  /** @throws MachineError 43 while another change is being applied; 1004 if the settings have another revision */
  #requireRevision(revision: string | undefined): void {
    if (revision === undefined) return
    if (this.#applying > 0) throw new MachineError(IN_PROGRESS)
    if (revision !== revisionOf(this.#options.store.settings())) throw new MachineError(STATE_CHANGED)
  }

  /** Stores an applied change, in the transaction of the call. */
  storeChange({ mode, rules }: FirewallSettings, { change }: AppliedChange): FirewallChange | undefined {
    if (!change) {
      this.#options.store.setSettings({ mode, rules })
      return undefined
    }
    this.#options.store.setChange(change)
    this.#scheduleCheck(FIREWALL_CONFIRM_SECONDS)
    return describeChange(change, FIREWALL_CONFIRM_SECONDS)
  }

  /**
   * Keeps or undoes the waiting change. The caller then stores the outcome.
   * @param openedAt when the connection of the request was opened, on the clock of `performance.now()`
   * @throws MachineError 16 if none waits; 38 if the connection is older than the change; 26
   */
  async confirm(keep: boolean, openedAt: number, language: Language): Promise<void> {
    const state = await this.#requireService(language)
    const change = this.#options.store.change()
    if (!change || state.pending?.id !== change.id) throw new MachineError(NOT_EXIST)
    if (keep && openedAt < this.#appliedAt)
      throw new MachineError(WRONG_STATE, { message: oldConnectionText(language) })
    await this.#options.send({ op: keep ? 'confirm' : 'cancel', id: change.id }).catch(() => {
      throw new MachineError(NOT_EXIST)
    })
    this.#finish(keep ? 'kept' : 'undone', keep ? undefined : 'cancelled')
  }

  /**
   * Whether a time on the clock of `performance.now()` is before the change that waits for its confirmation took
   * effect.
   */
  isBeforeChange(time: number): boolean {
    return this.#options.mode === 'manage' && time < this.#appliedAt && this.#options.store.change() !== undefined
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

function currentOf({ confirmed, isInEffect }: ServiceState): FirewallSettings {
  return isInEffect ? settingsOf(confirmed) : { mode: FIREWALL_MODE.open, rules: [] }
}

function describeChange({ mode, rules, by }: StoredFirewallChange, secondsLeft: number): FirewallChange {
  return { mode, rules, by, 'seconds-left': secondsLeft }
}

/** Whether the kernel has the settings, and the counters of their rules. */
function describeCounts(
  settings: FirewallSettings,
  { confirmed, isInEffect, counts, refused, since }: ServiceState
): Partial<FirewallState> {
  if (!isInEffect || !isSame(settings, confirmed)) return { 'in-effect': false }
  let next = 0
  return {
    'in-effect': true,
    counts: settings.rules.map(({ enable }) => {
      const count = settings.mode === FIREWALL_MODE.rules && enable ? counts[next++] : undefined
      return count ? countOf(count) : null
    }),
    ...(refused && { refused: countOf(refused) }),
    ...(since !== undefined && { 'counted-since': since })
  }
}
