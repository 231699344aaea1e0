// What devices are told to do, one or many of them. The telling is slow and comes first; what became of it is then one line of the log.
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
import { REGISTRATION, type Serials } from '../../../contract/device/device.ts'
import { isInteractive, type Kind, nameRule, recordsAndStreams } from '../../../contract/device/families.ts'
import type { Hub } from '../../context.ts'
import type { Outcome } from '../../devices/actions.ts'
import type { Action } from '../../devices/adapters/adapter.ts'
import { sideBySide } from '../../devices/concurrent-map.ts'
import { type Answer, type Context, changeAfter, Refusal, signedIn } from '../../http/handler.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { detailOf } from './bulk.ts'

/**
 * A thousand devices that all stand still for 5 s each: those that were not begun after 10 s are left alone, so that the console has its
 * answer within its 20 s.
 */
const SPREAD = { atOnce: 100, begin: 10_000 }

const kindOf = (row: DeviceRow): Kind => ({ module: row.module, 'product-id': row.product_id })

export function deviceActionAnswers(hub: Hub): Answer[] {
  const { store, gate, actions } = hub

  /** Why a device is told nothing; 0 where it is. */
  function obstacle(row: DeviceRow, action: Action | 'rename'): number {
    if (row.reg_state !== REGISTRATION.accepted) return WRONG_STATE
    const records = action !== 'reboot' && action !== 'rename'
    if (!isInteractive(row) || (records && !recordsAndStreams(kindOf(row)))) return UNSUPPORTED
    // A restart in the middle of an update can leave a device without firmware.
    return action === 'reboot' && store.rollouts.busy(row.sn) ? DEVICE_BUSY : SUCCESS
  }

  async function tell(
    context: Context,
    serials: readonly string[],
    action: Action | 'rename',
    how: (row: DeviceRow) => Promise<Outcome>
  ): Promise<ActionResult[]> {
    const visible = gate.sightOf(signedIn(context))
    const all = [...new Set(serials)]
    // The first one's reason is the answer's, and so is who is the reason of it.
    context.objects.push(...all.map((sn) => `device:${sn}`).reverse())
    const told = async (sn: string): Promise<ActionResult> => {
      const row = store.devices.bySerial(sn)
      if (!row || !visible(row)) return { sn, result: NOT_EXIST }
      const no = obstacle(row, action)
      if (no !== SUCCESS) return { sn, result: no }
      try {
        return { sn, ...(await how(row)) }
      } catch (error) {
        if (error instanceof Refusal) throw error
        console.error(`${action} of ${sn}:`, error)
        return { sn, result: UNKNOWN_ERROR }
      }
    }
    const details = await sideBySide(all, SPREAD, told, (sn) => ({ sn, result: TRY_AGAIN }))
    context.detail = detailOf(details)
    return details
  }

  /** What the call answers; refused when no device did it, with the first one's reason. */
  function replyOf(details: ActionResult[]): ActionResults {
    const [first] = details
    if (!first || details.some(({ result }) => result === SUCCESS)) return { details }
    const { result, api, reason } = first
    throw new Refusal(result, { details, ...(api && { api }), ...(reason && { reason }) })
  }

  function each(call: Call<Serials, ActionResults>, action: Action): Answer {
    return changeAfter(
      call,
      (context, { sn }) => tell(context, sn, action, (row) => actions.act(row.sn, action)),
      (_, __, details) => replyOf(details)
    )
  }

  return [
    each(rebootDevices, 'reboot'),
    each(startRecording, 'startRecording'),
    each(stopRecording, 'stopRecording'),
    each(startLive, 'startLive'),
    each(stopLive, 'stopLive'),
    changeAfter(
      renameDevice,
      async (context, { sn, name }) => {
        const details = await tell(context, [sn], 'rename', async (row) => {
          const fault = nameRule(row)(name, undefined)
          if (fault) {
            const { name: said, ...numbers } = fault
            throw new Refusal(INVALID_ARG, { field: 'name', fault: said, ...numbers })
          }
          return actions.rename(sn, name)
        })
        context.detail += ` → ${name}`
        return details
      },
      (_, __, details) => replyOf(details)
    )
  ]
}
