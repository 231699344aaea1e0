// Names that devices do not have yet: a device that was offline when it got another place (docs/architecture,
// "Swapping two devices") gets the name of the place when it is back.
import { SUCCESS } from '../../contract/codes.ts'
import type { Emitter } from '../emitter.ts'
import type { Store } from '../store/store.ts'
import type { DeviceActions } from './actions.ts'

interface PendingNamesOptions {
  store: Store
  actions: Pick<DeviceActions, 'rename'>
  isOnline(sn: string): boolean
  stateChanged: Emitter<[sn: string]>
}

/** @param stateChanged devices that came online or went offline */
export function setPendingNames({ store, actions, isOnline, stateChanged }: PendingNamesOptions): void {
  stateChanged.on(async (sn) => {
    if (!isOnline(sn)) return
    const row = store.devices.bySerial(sn)
    if (!row?.previous_name) return
    const { result } = await actions.rename(sn, row.name)
    // A device that refuses the name keeps its own. One that has gone meanwhile gets it the next time.
    if (result !== SUCCESS && !isOnline(sn)) return
    store.database.runBatched(() => store.devices.setPreviousName(sn, ''))
  })
}
