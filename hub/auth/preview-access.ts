// Decides which previews a session may see.

import { CHANNEL_VIEW, DEVICE_VIEW, isPermitted } from '../../contract/access/permissions.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { channelOfPreview, deviceOfPreview } from '../preview/preview-id.ts'
import type { Store } from '../store/store.ts'
import type { Gate } from './gate.ts'

/** For a session key: which preview IDs it may see now. */
type PreviewAccess = (session: string) => (id: string) => boolean

/**
 * A device's preview needs the permission to view devices, and an accepted device that the user may see. A channel's preview needs the
 * permission to view channels, and that the user may see the channel and all devices among its inputs.
 */
export function createPreviewAccess(
  { devices, channels }: Pick<Store, 'devices' | 'channels'>,
  gate: Gate
): PreviewAccess {
  return (session) => {
    const caller = gate.callerOfSession(session)
    if (!caller || !isPermitted(DEVICE_VIEW | CHANNEL_VIEW, caller.user)) return () => false
    const isVisible = gate.devicesVisibleTo(caller)
    const isChannelVisible = gate.channelsVisibleTo(caller)
    const isInputVisible = (input: number) => {
      const device = devices.byId(input)
      return !device || isVisible(device)
    }
    return (id) => {
      const channel = channelOfPreview(id)
      if (channel !== undefined)
        return (
          isPermitted(CHANNEL_VIEW, caller.user) &&
          isChannelVisible(channel) &&
          channels.inputIds(channel).every(isInputVisible)
        )
      const sn = deviceOfPreview(id)
      const row = sn === undefined ? undefined : devices.bySerial(sn)
      return row?.reg_state === REGISTRATION_STATE.accepted && isVisible(row)
    }
  }
}
