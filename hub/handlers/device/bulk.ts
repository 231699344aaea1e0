import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import type { ActionResult } from '../../../contract/device/action.ts'
import type { SerialResults } from '../../../contract/device/device.ts'
import type { Hub } from '../../context.ts'
import { type Context, Refusal, signedIn } from '../../http/handler.ts'
import type { DeviceRow } from '../../store/devices.ts'

/** Characters of a line of the operation log that names devices. */
const DETAIL_MAX = 1000

/** What the operation log says of several devices: their serials, with the results of those that were not done, an Ultra's own as such. */
export function detailOf(details: readonly Omit<ActionResult, 'reason'>[]): string {
  return details
    .map(({ sn, result, api }) =>
      result === SUCCESS ? sn : api === 'usapi' ? `${sn}: usapi ${result}` : `${sn}: ${result}`
    )
    .join(', ')
    .slice(0, DETAIL_MAX)
}

/**
 * Does `work` for each device, and answers a result for each; one that the caller may not see does not exist. Refused as a whole,
 * and nothing changed, when no device could be done: with the first one's reason.
 */
export function eachDevice(
  { store, gate }: Hub,
  context: Context,
  serials: readonly string[],
  work: (row: DeviceRow) => number
): SerialResults {
  const visible = gate.sightOf(signedIn(context))
  const details = [...new Set(serials)].map((sn) => {
    const row = store.devices.bySerial(sn)
    return { sn, result: row && visible(row) ? work(row) : NOT_EXIST }
  })
  context.detail = detailOf(details)
  // The first one's reason is the answer's, and so is who is the reason of it.
  context.objects.push(...details.map(({ sn }) => `device:${sn}`).reverse())
  const [first] = details
  if (first && details.every(({ result }) => result !== SUCCESS)) throw new Refusal(first.result, { details })
  return { details }
}
