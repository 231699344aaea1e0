// Changes of several devices in one call.
import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import type { ActionResult } from '../../../contract/device/action.ts'
import type { SerialResult, SerialResults } from '../../../contract/device/device.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'

/** Characters of a log detail that lists devices. */
const DETAIL_MAX = 1000

/**
 * Lists devices for the operation log: serial numbers, with the result code where it is not success. Codes of usapi are
 * marked as such.
 */
export function formatResults(details: readonly Omit<ActionResult, 'reason'>[]): string {
  return details
    .map(({ sn, result, api }) =>
      result === SUCCESS ? sn : api === 'usapi' ? `${sn}: usapi ${result}` : `${sn}: ${result}`
    )
    .join(', ')
    .slice(0, DETAIL_MAX)
}

/**
 * Runs `change` for each device and returns a result for each. A device that the caller may not see gets result 16,
 * like one that does not exist.
 * @param change returns a result code, or a result with fields for its message
 * @throws CallError with the first device's result if no device succeeded; the transaction is then rolled back
 */
export function forEachDevice(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  serials: readonly string[],
  change: (row: DeviceRow) => number | Omit<SerialResult, 'sn'>
): SerialResults {
  const isVisible = gate.devicesVisibleTo(requireCaller(context))
  const details = [...new Set(serials)].map((sn) => {
    const row = store.devices.bySerial(sn)
    const outcome = row && isVisible(row) ? change(row) : NOT_EXIST
    return typeof outcome === 'number' ? { sn, result: outcome } : { sn, ...outcome }
  })
  context.detail = formatResults(details)
  // The first device comes last, because the result code of a failed call, and the user named in it, are those of the
  // first device.
  context.objects.push(...details.map(({ sn }) => `device:${sn}`).reverse())
  const [first] = details
  if (first && details.every(({ result }) => result !== SUCCESS)) throw new CallError(first.result, { details })
  return { details }
}

/** The devices that the caller may see. */
export function visibleSerials(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  serials: readonly string[]
): string[] {
  const isVisible = gate.devicesVisibleTo(requireCaller(context))
  return serials.filter((sn) => {
    const row = store.devices.bySerial(sn)
    return row !== undefined && isVisible(row)
  })
}
