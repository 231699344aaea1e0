// How the streams of devices are carried (reference 4.6).
import { SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { configureDevices } from '../../contract/device.ts'
import { hasConnection } from '../../contract/family-rules.ts'
import { type Answer, change } from '../answer.ts'
import type { Hub } from '../parts.ts'
import { eachDevice } from './each-device.ts'

export function deviceConfigAnswers(hub: Hub): Answer[] {
  const { store } = hub
  return [
    // A device that waits for its acceptance may have one: it counts from then on.
    change(configureDevices, (context, { sn, config }) =>
      eachDevice(hub, context, sn, (row) => {
        if (!hasConnection(row)) return UNSUPPORTED
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
