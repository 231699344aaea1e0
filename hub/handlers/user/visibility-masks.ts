import type { Visibility } from '../../../contract/access/visibility.ts'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { CallError } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { findUnknownMask } from '../../store/visibility.ts'

/** Masks in the operation log. */
export const describeMasks = (masks: Visibility): string =>
  `group-mask ${masks['group-mask']}, usr-mask ${masks['usr-mask']}`

/**
 * The masks of a request; undefined if it has none.
 * @throws CallError 7 if a bit of a mask is not the id of a group or user
 */
export function validateMasks(
  store: Store,
  { 'group-mask': groups, 'usr-mask': users }: Partial<Visibility>
): Visibility | undefined {
  if (groups === undefined || users === undefined) return undefined
  const masks = { 'group-mask': groups, 'usr-mask': users }
  const unknown = findUnknownMask(store, masks)
  if (unknown) throw new CallError(INVALID_ARG, { field: `security.${unknown}`, fault: 'invalid' })
  return masks
}
