// State of NDI on the hub, and the machine name in it for forms whose rules need it.
import { atom } from 'nanostores'
import { getNdiStatus } from '../../../contract/ndi/status.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { $isAllowed } from '../../state/session.ts'
import { useStore } from '../../ui/use-store.ts'

/** Processes that end are not announced, so that the list of those with an earlier configuration is polled. */
export const $ndiStatus = createLiveValue({ call: getNdiStatus, pace: 'slow', topic: 'ndi' })

const $nothing = atom({})

/**
 * Name under which the hub announces its NDI sources, as last received while a component followed the status. Empty if
 * it is not known, or the user may not view NDI; then only the hub checks whether a name is too long.
 */
export const ndiMachineName = (): string => $ndiStatus.get().value?.['machine-name'] ?? ''

/** Follows the status, if the user may view it, so that the form is checked again when `ndiMachineName` changes. */
export function useNdiMachineName(isNeeded = true): void {
  const isAllowed = useStore($isAllowed)
  useStore<object>(isNeeded && isAllowed(getNdiStatus) ? $ndiStatus : $nothing)
}
