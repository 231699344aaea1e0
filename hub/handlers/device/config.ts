// Handler for the transport of devices' streams to and from the hub.
import { SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { configureDevices } from '../../../contract/device/device.ts'
import { hasConnectionConfig } from '../../../contract/device/families.ts'
import { RTMP } from '../../../contract/stream/protocols.ts'
import type { Gate } from '../../auth/gate.ts'
import { isSrtOnly, sendsOver } from '../../channels/wanted.ts'
import { type Handler, handleChange } from '../../http/handler.ts'
import { modelOf } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { forEachDevice } from './bulk.ts'

interface DeviceConfigParts {
  store: Store
  gate: Gate
  deviceConfigChanged: (id?: number) => void
}

export function deviceConfigHandlers(parts: DeviceConfigParts): Handler[] {
  const { store } = parts
  return [
    // A device that is not accepted yet can have a configuration, too. It takes effect once the device is accepted.
    handleChange(configureDevices, (context, { sn, config }) =>
      forEachDevice(parts, context, sn, (row) => {
        const device = { ...modelOf(row), dir: row.dir, 'sends-over': sendsOver(store, row) }
        const isRefused = config?.input?.protocol === RTMP && isSrtOnly(store, row)
        if (!hasConnectionConfig(device) || isRefused) return UNSUPPORTED
        store.deviceConfigs.set(row.id, config)
        context.afterCommit(() => {
          store.changes.markChanged('device', row.id)
          parts.deviceConfigChanged(row.id)
        })
        return SUCCESS
      })
    )
  ]
}
