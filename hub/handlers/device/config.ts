// How the streams of devices are carried (reference 4.6).
import { SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import type { DeviceConfig } from '../../../contract/device/config.ts'
import { configureDevices } from '../../../contract/device/device.ts'
import { hasConnection } from '../../../contract/device/families.ts'
import { RTMP } from '../../../contract/stream/protocols.ts'
import type { Hub } from '../../context.ts'
import { type Answer, change } from '../../http/handler.ts'
import { eachDevice } from './bulk.ts'

/** Whether a stream can come that way: over a link the hub orders SRT and nothing else (contract/device/link.ts). */
export function isCarried({ input }: DeviceConfig): boolean {
  return input?.protocol !== RTMP
}

export function deviceConfigAnswers(hub: Hub): Answer[] {
  const { store } = hub
  return [
    // A device that waits for its acceptance may have one: it counts from then on.
    change(configureDevices, (context, { sn, config }) =>
      eachDevice(hub, context, sn, (row) => {
        if (!hasConnection(row) || !isCarried(config)) return UNSUPPORTED
        store.deviceConfigs.set(row.id, config)
        context.after(() => {
          store.changes.bump('device', row.id)
          hub.devicesConfigured(row.id)
        })
        return SUCCESS
      })
    )
  ]
}
