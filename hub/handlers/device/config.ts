// Handler for the transport of devices' streams to and from the hub.
import { SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import type { DeviceConfig } from '../../../contract/device/config.ts'
import { configureDevices } from '../../../contract/device/device.ts'
import { hasConnectionConfig } from '../../../contract/device/families.ts'
import { RTMP } from '../../../contract/stream/protocols.ts'
import type { HubContext } from '../../context.ts'
import { type Handler, handleChange } from '../../http/handler.ts'
import { modelOf } from '../../store/devices.ts'
import { forEachDevice } from './bulk.ts'

/**
 * Whether the hub supports this transport. Over a device link the hub can only request SRT streams
 * (contract/device/link.ts).
 */
export function isSupportedConfig({ input }: DeviceConfig): boolean {
  return input?.protocol !== RTMP
}

export function deviceConfigHandlers(hub: HubContext): Handler[] {
  const { store } = hub
  return [
    // A device that is not accepted yet can have a configuration, too. It takes effect once the device is accepted.
    handleChange(configureDevices, (context, { sn, config }) =>
      forEachDevice(hub, context, sn, (row) => {
        if (!hasConnectionConfig(modelOf(row)) || !isSupportedConfig(config)) return UNSUPPORTED
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
