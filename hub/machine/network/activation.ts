// Waits until NetworkManager has activated a connection, and says why it could not.
import { setTimeout as sleep } from 'node:timers/promises'
import type { UndoReason } from '../../../contract/machine/network.ts'
import type { SystemBus } from '../system-bus.ts'
import { DEVICE_STATE, type NetworkManager, STATE_REASON } from './network-manager.ts'

/** Milliseconds for an activation, DHCP and Wi-Fi included: well within the time of the checkpoint. */
const ACTIVATION_TIMEOUT = 30_000
const POLL_INTERVAL = 100

/** Values of `State` of an active connection. */
const ACTIVATED = 2
const DEACTIVATED = 4

export class ActivationError extends Error {
  readonly reason: UndoReason
  constructor(reason: UndoReason, message = '') {
    super(message)
    this.reason = reason
  }
}

/** The reason for a state reason of a device. */
export function undoReasonOf(stateReason: number): UndoReason {
  const isOneOf = (reasons: readonly number[]) => reasons.includes(stateReason)
  if (isOneOf(STATE_REASON.duplicateAddress)) return 'address-in-use'
  if (isOneOf(STATE_REASON.noAddress)) return 'no-address'
  if (isOneOf(STATE_REASON.noSecrets)) return 'wifi-password'
  if (isOneOf(STATE_REASON.ssidMissing)) return 'wifi-missing'
  return 'failed'
}

/** The reasons for which devices failed. */
export interface Failures {
  /** State reason of the last device that failed; 0 if none did. */
  lastReason(): number
  stop(): void
}

/** Observes the devices that fail from now on: the state is too short-lived to be found by polling. */
export async function watchFailures(bus: SystemBus): Promise<Failures> {
  let last = 0
  const signal = { interface: 'org.freedesktop.NetworkManager.Device', member: 'StateChanged' }
  const stop = await bus.watchSignal(signal, ([state, , reason]) => {
    if (state === DEVICE_STATE.failed) last = Number(reason)
  })
  return { lastReason: () => last, stop }
}

/**
 * @param active path of the active connection
 * @param timeoutReason why an activation does not end in time
 * @throws ActivationError
 */
export async function waitUntilActive(
  manager: NetworkManager,
  active: string,
  failures: Failures,
  timeoutReason: UndoReason
): Promise<void> {
  const deadline = performance.now() + ACTIVATION_TIMEOUT
  while (performance.now() < deadline) {
    const objects = await manager.objects()
    const state = objects.get(active, 'Connection.Active')?.State
    if (state === ACTIVATED) return
    if (state === undefined || state === DEACTIVATED) {
      const reason = failures.lastReason()
      throw new ActivationError(undoReasonOf(reason), `State reason ${reason}`)
    }
    await sleep(POLL_INTERVAL)
  }
  throw new ActivationError(timeoutReason, 'The activation did not end in time')
}
