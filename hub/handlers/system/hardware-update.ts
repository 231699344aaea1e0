// Handlers for updates of components of the machine (contract/hardware-update.ts).
import { cancelHardwareUpdate, hardwareUpdateStatus, startHardwareUpdate } from '../../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import type { Interruption } from '../../channels/off-air.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handlePreparedChange,
  interrupting
} from '../../http/handler.ts'
import { HardwareUpdateRefused } from '../../machine/hardware-update/hardware-updater.ts'
import type { ReportedComponent } from '../../machine/hardware-update/report.ts'
import type { Machine } from '../../machine/machine.ts'
import { hardwareComponentInfo, hardwareFailureText, hardwareStateInfo } from '../../messages/hardware-update.ts'

interface HardwareUpdateParts {
  machine: Machine
}

/** What an update of these components takes off air, as the program says. */
function interruptionBy(components: readonly ReportedComponent[]): Interruption {
  if (components.some(({ interrupts }) => interrupts === 'all')) return { kind: 'all', effect: 'restarts' }
  return { kind: 'devices', serials: components.flatMap(({ interrupts }) => interrupts ?? []) }
}

/** Throws a CallError for a refused step, and any other error as it is. */
function rethrow({ language }: Context, error: unknown): never {
  if (!(error instanceof HardwareUpdateRefused)) throw error
  const { code, failure } = error
  throw new CallError(code, failure && { message: hardwareFailureText(language, failure.fault, failure.words) })
}

function attempt<T>(context: Context, step: () => T): T {
  try {
    return step()
  } catch (error) {
    return rethrow(context, error)
  }
}

function handleStatus({ machine: { hardware } }: HardwareUpdateParts): Handler {
  return handle(hardwareUpdateStatus, ({ language }) => {
    const { isAvailable, state, progress, current, components, failure } = hardware.view()
    return {
      available: isAvailable,
      state,
      progress,
      ...hardwareStateInfo(language, { state, progress, name: current?.name }),
      components: components.map((reported) => {
        const { component: id, interrupts: _, ...fields } = reported
        const isWriting = state === INSTALLATION_STATE.updating && reported === current
        return { id, ...fields, ...hardwareComponentInfo(language, { id, ...fields }, isWriting) }
      }),
      ...(failure && {
        'hardware-fault': failure.fault,
        cause: hardwareFailureText(language, failure.fault, failure.words)
      })
    }
  })
}

function handleStart({ machine: { hardware } }: HardwareUpdateParts): Handler {
  const handler = handlePreparedChange(
    startHardwareUpdate,
    async (context) => attempt(context, () => hardware.requireStartable()),
    (context) => {
      const names = attempt(context, () => hardware.prepare())
      context.detail = names
      context.afterCommit(() => hardware.begin(names))
      return {}
    }
  )
  return interrupting(startHardwareUpdate, handler, { find: () => interruptionBy(hardware.offered()) })
}

export function hardwareUpdateHandlers(parts: HardwareUpdateParts): Handler[] {
  return [
    handleStatus(parts),
    handleStart(parts),
    handlePreparedChange(
      cancelHardwareUpdate,
      (context) => parts.machine.hardware.cancel().catch((error) => rethrow(context, error)),
      () => ({})
    )
  ]
}
