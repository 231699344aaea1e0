// Handlers for restart and shutdown of the machine (contract/machine/power.ts).
import type { Call } from '../../../contract/call.ts'
import {
  getPower,
  type PowerRequest,
  rebootHub,
  rebootSystem,
  shutDownSystem
} from '../../../contract/machine/power.ts'
import type { HostAllowList } from '../../../web-server/host-allow-list.ts'
import type { Gate } from '../../auth/gate.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import { type Handler, handle, handlePreparedChange, interrupting, requireCaller } from '../../http/handler.ts'
import type { PowerAction } from '../../machine/logind.ts'
import type { Machine } from '../../machine/machine.ts'
import type { StartTime } from '../../machine/start-time.ts'
import type { SystemOperation } from '../../machine/system-operation.ts'
import { busyText, powerFailureText } from '../../messages/power.ts'
import type { Store } from '../../store/store.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'
import { busyReason, listInterrupted, requireConsent, requireNotBusy } from './busy.ts'
import { hubName } from './name.ts'
import { refuseWith } from './refusal.ts'

interface PowerParts {
  store: Store
  gate: Gate
  firmware: FirmwareServices
  consoleUpdater: ConsoleUpdater
  machine: Machine
  hosts: HostAllowList
  startTime: StartTime
  operation: SystemOperation
}

function handlePower(parts: PowerParts, call: Call<PowerRequest>, action: PowerAction): Handler {
  const { power } = parts.machine
  const handler = handlePreparedChange(
    call,
    async (context, { force }) => {
      await refuseWith(context.language, power.requirePossible(action, context.language))
      requireNotBusy(parts, context)
      requireConsent(parts, context, force)
    },
    (context) => {
      requireNotBusy(parts, context)
      context.afterCommit(() => power.begin(action))
      return {}
    }
  )
  return interrupting(call, handler, { find: () => ({ kind: 'all', effect: 'stops' }) })
}

export function powerHandlers(parts: PowerParts): Handler[] {
  const { power } = parts.machine
  return [
    handle(getPower, async (context) => {
      const { language } = context
      const { access, inhibitors } = await power.describe(language)
      const busy = busyReason(parts)
      const { failure } = power
      return {
        access,
        name: hubName(parts),
        'start-time': parts.startTime.at,
        ...listInterrupted(parts, requireCaller(context)),
        ...(busy && { busy: busyText(language, busy) }),
        ...(inhibitors.length > 0 && { inhibitors }),
        ...(failure && { failure: powerFailureText(language, failure.action, failure.reason) })
      }
    }),
    handlePower(parts, rebootSystem, 'reboot'),
    handlePower(parts, rebootHub, 'reboot'),
    handlePower(parts, shutDownSystem, 'shutdown')
  ]
}
