// How the streams of devices are carried (reference 4.6).
import { SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { configureDevices } from '../../contract/device.ts'
import type { DeviceConfig } from '../../contract/device-config.ts'
import { hasConnection } from '../../contract/families.ts'
import { RTMP } from '../../contract/protocols.ts'
import { type Answer, change } from '../answer.ts'
import type { Hub } from '../parts.ts'
import { eachDevice } from './each-device.ts'

/** Whether a stream can come that way: over a link the hub orders SRT and nothing else (contract/link.ts). */
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
