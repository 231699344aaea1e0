// Buttons above the list of devices: one adds a device by its address, the other looks for devices.
import { addDevice } from '../../../contract/device/address.ts'
import { startDiscovery } from '../../../contract/device/discovery.ts'
import { type Translation, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { $limitReasons } from '../license-limits.ts'

const AddressDialog = lazyDialog(() => import('./address-dialog.tsx').then((module) => module.AddressDialog))
const DiscoverDialog = lazyDialog(() => import('./discover-dialog.tsx').then((module) => module.DiscoverDialog))

const TEXT = {
  add: ['Add device', '添加设备'],
  find: ['Find devices', '查找设备']
} as const satisfies Record<string, Translation>

export function AddDevice() {
  return (
    <>
      <CallButton
        call={addDevice}
        icon="plus"
        label={t(TEXT.add)}
        disabledReason={useStore($limitReasons)('max-dev-count')}
        onClick={() => openDialog(AddressDialog)}
      />
      <CallButton call={startDiscovery} icon="search" label={t(TEXT.find)} onClick={() => openDialog(DiscoverDialog)} />
    </>
  )
}
