// What a restart, a shutdown or a reset of the hub would interrupt, and what forbids it.
import { DATA_LOSS, DEVICE_BUSY } from '../../../contract/codes.ts'
import type { PowerState } from '../../../contract/machine/power.ts'
import { SYSTEM_STATUS_BITS } from '../../../contract/system.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { Machine } from '../../machine/machine.ts'
import type { SystemOperation } from '../../machine/system-operation.ts'
import { type BusyReason, busyText, rebootBusyText } from '../../messages/power.ts'
import type { Store } from '../../store/store.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'

export interface BusyReasonParts {
  store: Store
  consoleUpdater: ConsoleUpdater
  machine: Machine
  operation: SystemOperation
}

export interface InterruptedParts {
  store: Store
  gate: Gate
  firmware: FirmwareServices
}

type Interrupted = Pick<PowerState, 'channels' | 'has-other-channels' | 'uploads'>

/** Why the hub must not be restarted now. */
export function busyReason({ operation, consoleUpdater, machine, store }: BusyReasonParts): BusyReason | undefined {
  if (operation.current) return operation.current
  if (consoleUpdater.statusBits() & SYSTEM_STATUS_BITS.updating) return 'update'
  if (machine.hardware.isRunning) return 'hardware'
  return store.rollouts.isUpdating() ? 'firmware' : undefined
}

/** The running channels that the caller may see, and incomplete uploads. */
export function listInterrupted({ store, gate, firmware }: InterruptedParts, caller: Caller): Interrupted {
  const running = store.channels.all().filter(({ enable }) => enable === 1)
  const isVisible = gate.channelsVisibleTo(caller)
  const visible = running.filter(({ id }) => isVisible(id))
  return {
    channels: visible.map(({ name }) => name),
    ...(visible.length < running.length && { 'has-other-channels': true }),
    uploads: firmware.folder
      .listUploads()
      .filter(({ note }) => !note.checked)
      .map(({ note }) => note.name)
  }
}

/** @throws CallError 11 with the sentence if the hub must not be restarted now */
export function requireNotBusy(parts: BusyReasonParts, { language }: Context): void {
  const reason = busyReason(parts)
  if (reason) throw new CallError(DEVICE_BUSY, { message: rebootBusyText(language, busyText(language, reason)) })
}

/** @throws CallError 1009 with what would be interrupted, unless the caller accepts that */
export function requireConsent(parts: InterruptedParts, context: Context, force = false): void {
  if (force) return
  const { channels, uploads, 'has-other-channels': hasOthers } = listInterrupted(parts, requireCaller(context))
  if (channels.length + uploads.length === 0 && !hasOthers) return
  throw new CallError(DATA_LOSS, { 'owner-i': [...channels, ...uploads], ...(hasOthers && { 'owner-hidden': true }) })
}
