// Visibility masks of requests to the hub.
import { describeAccess as describe, type Named, validateMasks as validate } from '../../../accounts/visibility.ts'
import type { ObjectSecurity, Visibility } from '../../../contract/access/visibility.ts'
import type { Store } from '../../store/store.ts'

const namedBy = ({ users }: Store): Named => ({ users: users.all(), groups: users.groups() })

/** `describeAccess` with the users and groups of the hub. */
export const describeAccess = (store: Store, objects: string, masks: Visibility | undefined): string =>
  describe(namedBy(store), objects, masks)

/** `validateMasks` with the users and groups of the hub. @throws CallError 7 */
export const validateMasks = (store: Store, security: ObjectSecurity | Visibility): Visibility | undefined =>
  validate(namedBy(store), security)
