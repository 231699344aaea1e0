// Stores whose call the user may not be allowed to make.
import { atom } from 'nanostores'
import type { Access } from '../../contract/call.ts'
import { useStore } from '../ui/use-store.ts'
import type { LiveStore } from './live-store.ts'
import { $isAllowed } from './session.ts'

const $none = atom({ phase: 'denied' as const })

/** The state of a store; empty for users without the permission for its call, which is not sent then. */
export function useAllowed<State extends object>(
  call: { access: Access },
  store: LiveStore<State>,
  isActive = true
): Partial<State> {
  const isAllowed = useStore($isAllowed)(call)
  return useStore((isActive && isAllowed ? store : $none) as LiveStore<State>)
}
