import { INVALID_ARG } from '../../../contract/codes.ts'
import type { Visibility } from '../../../contract/device/device.ts'
import { Refusal } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { unknownBits } from '../../store/visibility.ts'

/** The masks of a request; undefined where it has none. Refused when a bit in them is nobody's. */
export function masksOf(
  store: Store,
  { 'group-mask': groups, 'usr-mask': users }: Partial<Visibility>
): Visibility | undefined {
  if (groups === undefined || users === undefined) return undefined
  const masks = { 'group-mask': groups, 'usr-mask': users }
  const unknown = unknownBits(store, masks)
  if (unknown) throw new Refusal(INVALID_ARG, { field: `security.${unknown}`, fault: 'invalid' })
  return masks
}
