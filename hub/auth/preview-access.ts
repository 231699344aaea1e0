// Decides which previews a session may see.

import {
  CHANNEL_VIEW,
  DEVICE_VIEW,
  INPUT_OUTPUT_VIEW,
  isPermitted,
  NDI_VIEW
} from '../../contract/access/permissions.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { ndiSourceOfPreview } from '../../contract/ndi/preview-id.ts'
import { isNdiUrl } from '../../contract/ndi/url.ts'
import { channelOfPreview, deviceOfPreview, inputOfPreview } from '../preview/preview-id.ts'
import type { Store } from '../store/store.ts'
import type { Gate } from './gate.ts'

/** For a session key: which preview IDs it may see now. */
export type PreviewAccess = (session: string) => (id: string) => boolean

/**
 * A device's preview needs the permission to view devices, and an accepted device that the user may see. A channel's
 * preview needs the permission to view channels, and that the user may see the channel and all devices among its
 * inputs; a guest, who was given the channel itself, does not need the devices. That of an NDI source needs a
 * permission to view inputs or NDI, and that of an NDI URL an input with this URL that the user may see. That of the
 * camera of an input needs the permission to view inputs, and that the user may see the input and the camera.
 * @param camerasOf serial numbers of the cameras at the address of an input
 */
export function createPreviewAccess(
  { devices, channels, sources }: Pick<Store, 'devices' | 'channels' | 'sources'>,
  gate: Gate,
  camerasOf: (url: string) => readonly string[]
): PreviewAccess {
  return (session) => {
    const caller = gate.callerOfSession(session)
    if (!caller) return () => false
    const maySeeNdi = isPermitted(INPUT_OUTPUT_VIEW | NDI_VIEW, caller.user)
    const { isGuest } = caller
    const maySeeDevices = isPermitted(DEVICE_VIEW | CHANNEL_VIEW, caller.user)
    const isVisible = gate.devicesVisibleTo(caller)
    const isDeviceVisible = (sn: string) => {
      const device = devices.bySerial(sn)
      return device?.reg_state === REGISTRATION_STATE.accepted && isVisible(device)
    }
    const isChannelVisible = gate.channelsVisibleTo(caller)
    const isInputVisible = (input: number) => {
      const device = devices.byId(input)
      return !device || isVisible(device)
    }
    const hasVisibleInput = (ndi: string) => {
      const ids = sources.inputs().flatMap(({ id, url }) => (url === ndi ? [id] : []))
      return ids.length > 0 && ids.some(gate.sourcesVisibleTo(caller))
    }
    return (id) => {
      const ndi = ndiSourceOfPreview(id)
      // The hub connects to no other address than those of stored inputs.
      if (ndi !== undefined) return maySeeNdi && (isNdiUrl(ndi) ? hasVisibleInput(ndi) : !isGuest)
      const input = inputOfPreview(id)
      if (input !== undefined) {
        const source = sources.input(input)
        return (
          source !== undefined &&
          isPermitted(INPUT_OUTPUT_VIEW, caller.user) &&
          gate.sourcesVisibleTo(caller)(input) &&
          camerasOf(source.url).every(isDeviceVisible)
        )
      }
      if (!maySeeDevices) return false
      const channel = channelOfPreview(id)
      if (channel !== undefined)
        return (
          isPermitted(CHANNEL_VIEW, caller.user) &&
          isChannelVisible(channel) &&
          (isGuest || channels.inputIds(channel).every(isInputVisible))
        )
      const sn = deviceOfPreview(id)
      return sn !== undefined && isDeviceVisible(sn)
    }
  }
}
