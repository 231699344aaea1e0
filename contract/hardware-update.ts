// Updates of components of the machine: front panel, capture cards. A program of the image makes them
// (docs/architecture/hardware-update.md); a hub without such a program has none.

import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import { INSTALLATION_STATE } from './installation-state.ts'

export type { HardwareComponent, HardwareUpdateFault, HardwareUpdateStatus } from './hardware-update.schema.ts'

const { failed, init, updating, download } = INSTALLATION_STATE

/** Why a hardware update, or a question for its state, failed. Sentences: `hub/messages/hardware-update.ts`. */
export const HARDWARE_UPDATE_FAULTS = [
  /** The program cannot be started. */
  'not-started',
  /** The program did not answer in time, or reported no progress for too long. */
  'timeout',
  /** The program printed something else than the protocol says, or too much. */
  'output',
  /** The program ended without a result. */
  'exit',
  /** The program reports a failure. */
  'failed',
  /** The program knows nothing of an update that was running when the hub was stopped. */
  'interrupted'
] as const

/** Whether an update is running. */
export const isHardwareUpdating = (state: number): boolean => state === init || state === updating || state === download

/** Whether `cancel` is possible: of an update before a component is written, and of the report of a failure. */
export const canCancelHardwareUpdate = (state: number): boolean =>
  state === init || state === download || state === failed

export const hardwareUpdateStatus = declareCall('GET /hardware-update/status', SYSTEM_CONFIG_VIEW)

export const startHardwareUpdate = declareCall('POST /hardware-update/start', 'admin', {
  reauthenticate: true,
  interrupts: true
})

export const cancelHardwareUpdate = declareCall('POST /hardware-update/cancel', 'admin')
