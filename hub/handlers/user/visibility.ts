// Handlers for the visibility of devices, and for the global defaults of devices.
import { NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { getGlobalDevice, setDeviceSecurity, setGlobalDevice } from '../../../contract/device/device.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { forEachDevice } from '../device/bulk.ts'
import { describeAccess, validateMasks } from './visibility-masks.ts'

interface VisibilityParts {
  store: Store
  gate: Gate
  permissionsChanged: () => void
  deviceConfigChanged: (id?: number) => void
}

export function visibilityHandlers(parts: VisibilityParts): Handler[] {
  const { store } = parts

  return [
    handleChange(setDeviceSecurity, (context, { sn, security }) => {
      const inherits = Boolean(security['is-inherit'])
      // Masks that come with `is-inherit` are stored, and apply when the device no longer inherits. Without masks the
      // stored ones stay.
      const masks = validateMasks(store, security)
      const reply = forEachDevice(parts, context, [sn].flat(), (row) => {
        store.devices.setVisibility(row.id, inherits, masks)
        return SUCCESS
      })
      context.detail = describeAccess(store, context.detail, inherits ? undefined : masks)
      context.afterCommit(() => parts.permissionsChanged())
      return reply
    }),
    handle(getGlobalDevice, () => ({
      security: store.settings.get('device-security'),
      config: store.settings.get('device-config')
    })),
    handleChange(setGlobalDevice, (context, { security, config }) => {
      const { changes, settings } = store
      context.detail = [security && describeAccess(store, '', security), config && 'config'].filter(Boolean).join(', ')
      if (security) {
        // Otherwise a user could widen the visibility that an administrator has narrowed.
        if (!parts.gate.isAdmin(requireCaller(context))) throw new CallError(NOT_PERMITTED)
        settings.set('device-security', validateMasks(store, security) ?? security)
        context.afterCommit(() => parts.permissionsChanged())
      }
      if (config) {
        settings.set('device-config', config)
        context.afterCommit(() => {
          changes.resetTopic('device')
          parts.deviceConfigChanged()
        })
      }
      return {}
    })
  ]
}
