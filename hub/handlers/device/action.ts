// Handlers that send commands to one or more devices: reboot, rename, start and stop recording and live streams. The
// commands are sent before the transaction, because devices can be slow. The result is then one line in the operation
// log.

import type { Call } from '../../../contract/call.ts'
import {
  DEVICE_BUSY,
  INVALID_ARG,
  NOT_EXIST,
  SUCCESS,
  TRY_AGAIN,
  UNKNOWN_ERROR,
  UNSUPPORTED,
  WRONG_STATE
} from '../../../contract/codes.ts'
import {
  type ActionResult,
  type ActionResults,
  rebootDevices,
  renameDevice,
  startLive,
  startRecording,
  stopLive,
  stopRecording
} from '../../../contract/device/action.ts'
import type { Action } from '../../../contract/device/action-codes.ts'
import { REGISTRATION_STATE, type SerialsRequest } from '../../../contract/device/device.ts'
import { canRecordAndStream, deviceNameRule, isInteractive } from '../../../contract/device/families.ts'
import { logger } from '../../../process-log/logger.ts'
import type { Gate } from '../../auth/gate.ts'
import type { ActionOutcome, DeviceActions } from '../../devices/actions.ts'
import { concurrentMap } from '../../devices/concurrent-map.ts'
import {
  CallError,
  type Context,
  type Handler,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import { type DeviceRow, modelOf } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { formatResults, visibleSerials } from './bulk.ts'

interface DeviceActionParts {
  store: Store
  gate: Gate
  actions: DeviceActions
}

/**
 * Limits for a bulk action. If a thousand devices each need the whole timeout of 5 s, the devices not started within 10
 * s are skipped, so that the console gets the response within its timeout of 20 s.
 */
const CONCURRENCY = { limit: 100, startWithin: 10_000 }

/** Result code that tells why a device gets no command, or SUCCESS. */
function checkAction({ store }: { store: Store }, row: DeviceRow, action: Action | 'rename'): number {
  if (row.reg_state !== REGISTRATION_STATE.accepted) return WRONG_STATE
  const needsRecorder = action !== 'reboot' && action !== 'rename'
  const model = modelOf(row)
  if (!isInteractive(model) || (needsRecorder && !canRecordAndStream(model))) return UNSUPPORTED
  // A reboot during an update can leave a device without firmware.
  return action === 'reboot' && store.rollouts.isDeviceBusy(row.sn) ? DEVICE_BUSY : SUCCESS
}

/**
 * Runs an action on several devices at a time. A device that the caller may not see gets result 16, like one that does
 * not exist.
 */
async function runAction(
  parts: { store: Store; gate: Gate },
  context: Context,
  serials: readonly string[],
  action: Action | 'rename',
  perform: (row: DeviceRow) => Promise<ActionOutcome>
): Promise<ActionResult[]> {
  const { store, gate } = parts
  const isVisible = gate.devicesVisibleTo(requireCaller(context))
  const unique = [...new Set(serials)]
  // The first device comes last, because the result code of a failed call, and the user named in it, are those of the
  // first device.
  context.objects.push(...unique.map((sn) => `device:${sn}`).reverse())
  const runOne = async (sn: string): Promise<ActionResult> => {
    const row = store.devices.bySerial(sn)
    if (!row || !isVisible(row)) return { sn, result: NOT_EXIST }
    const code = checkAction(parts, row, action)
    if (code !== SUCCESS) return { sn, result: code }
    try {
      return { sn, ...(await perform(row)) }
    } catch (error) {
      if (error instanceof CallError) throw error
      logger.error('Device action failed', error, { action, sn })
      return { sn, result: UNKNOWN_ERROR }
    }
  }
  const details = await concurrentMap(unique, CONCURRENCY, runOne, (sn) => ({ sn, result: TRY_AGAIN }))
  context.detail = formatResults(details)
  return details
}

/** The reply of an action. @throws CallError with the first device's result if no device succeeded */
function actionReply(details: ActionResult[]): ActionResults {
  const [first] = details
  if (!first || details.some(({ result }) => result === SUCCESS)) return { details }
  const { result, api, reason } = first
  throw new CallError(result, { details, ...(api && { api }), ...(reason && { reason }) })
}

function handleAction(parts: DeviceActionParts, call: Call<SerialsRequest, ActionResults>, action: Action): Handler {
  return handlePreparedChange(
    call,
    (context, { sn }) => runAction(parts, context, sn, action, (row) => parts.actions.performAction(row.sn, action)),
    (_, __, details) => actionReply(details)
  )
}

function handleRename(parts: DeviceActionParts): Handler {
  return handlePreparedChange(
    renameDevice,
    async (context, { sn, name }) => {
      const details = await runAction(parts, context, [sn], 'rename', async (row) => {
        const fault = deviceNameRule(row)(name, undefined)
        if (fault) {
          const { name: faultName, ...numbers } = fault
          throw new CallError(INVALID_ARG, { field: 'name', fault: faultName, ...numbers })
        }
        return parts.actions.rename(sn, name)
      })
      context.detail += ` → ${name}`
      return details
    },
    (_, __, details) => actionReply(details)
  )
}

export function deviceActionHandlers(parts: DeviceActionParts): Handler[] {
  return [
    interrupting(rebootDevices, handleAction(parts, rebootDevices, 'reboot'), {
      find: (context, { sn }) => ({ kind: 'devices', serials: visibleSerials(parts, context, sn) }),
      isAlone: () => true
    }),
    handleAction(parts, startRecording, 'startRecording'),
    handleAction(parts, stopRecording, 'stopRecording'),
    handleAction(parts, startLive, 'startLive'),
    interrupting(stopLive, handleAction(parts, stopLive, 'stopLive'), {
      find: (context, { sn }) => ({ kind: 'feeds', serials: visibleSerials(parts, context, sn) }),
      isAlone: () => true
    }),
    handleRename(parts)
  ]
}
