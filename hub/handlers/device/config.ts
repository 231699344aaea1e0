// Handler for the transport of devices' streams to and from the hub.
import { SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { configureDevices } from '../../../contract/device/device.ts'
import { hasConnectionConfig } from '../../../contract/device/families.ts'
import type { HubContext } from '../../context.ts'
import { type Handler, handleChange } from '../../http/handler.ts'
import { modelOf } from '../../store/devices.ts'
import { forEachDevice } from './bulk.ts'

export function deviceConfigHandlers(hub: HubContext): Handler[] {
  const { store } = hub
  return [
    // A device that is not accepted yet can have a configuration, too. It takes effect once the device is accepted.
    handleChange(configureDevices, (context, { sn, config }) =>
      forEachDevice(hub, context, sn, (row) => {
        if (!hasConnectionConfig(modelOf(row))) return UNSUPPORTED
        store.deviceConfigs.set(row.id, config)
        context.afterCommit(() => {
          store.changes.markChanged('device', row.id)
          hub.deviceConfigChanged(row.id)
        })
        return SUCCESS
      })
    )
  ]
}
