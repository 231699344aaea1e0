// Who may see which device (reference 3.12, 5.3, 7).
import { SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import {
  getGlobalDevice,
  setDeviceSecurity,
  setGlobalDevice,
  type Visibility
} from '../../../contract/device/device.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, change, Refusal } from '../../http/handler.ts'
import { eachDevice } from '../device/bulk.ts'
import { isCarried } from '../device/config.ts'
import { masksOf } from './visibility-masks.ts'

export function visibilityAnswers(hub: Hub): Answer[] {
  const { store } = hub

  const said = (masks: Visibility) => `group-mask ${masks['group-mask']}, usr-mask ${masks['usr-mask']}`

  return [
    change(setDeviceSecurity, (context, { sn, security }) => {
      const inherit = Boolean(security['is-inherit'])
      // Masks beside `is-inherit` are kept for when it no longer inherits; where there are none its own stay.
      const masks = masksOf(store, security)
      const reply = eachDevice(hub, context, [sn].flat(), (row) => {
        store.devices.setSecurity(row.id, inherit, masks)
        return SUCCESS
      })
      context.detail += inherit || !masks ? ': is-inherit' : `: ${said(masks)}`
      context.after(hub.rightsChanged)
      return reply
    }),
    answer(getGlobalDevice, () => ({
      security: store.settings.get('device-security'),
      config: store.settings.get('device-config')
    })),
    change(setGlobalDevice, (context, { security, config }) => {
      const { changes, settings } = store
      context.detail = [security && said(security), config && 'config'].filter(Boolean).join(', ')
      if (security) {
        settings.set('device-security', masksOf(store, security) ?? security)
        context.after(hub.rightsChanged)
      }
      if (config) {
        if (!isCarried(config)) throw new Refusal(UNSUPPORTED, { field: 'config.input.protocol' })
        settings.set('device-config', config)
        context.after(() => {
          changes.reset('device')
          hub.devicesConfigured()
        })
      }
      return {}
    })
  ]
}
