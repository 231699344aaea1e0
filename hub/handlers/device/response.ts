// Devices as a caller is told of them.

import { addDevice } from '../../../contract/device/address.ts'
import {
  type Device,
  type DeviceActivity,
  type DeviceStatus,
  REGISTRATION,
  setDeviceSecurity
} from '../../../contract/device/device.ts'
import { UPDATE } from '../../../contract/firmware.ts'
import { CHANNEL_VIEW, holds, permits } from '../../../contract/permissions.ts'
import type { Hub } from '../../context.ts'
import { type Context, signedIn } from '../../http/handler.ts'
import { activityStanding, sessionStanding } from '../../messages/activity.ts'
import { diskStanding } from '../../messages/disks.ts'
import { updateStanding } from '../../messages/firmware.ts'
import type { Language } from '../../messages/language.ts'
import { reasonText } from '../../messages/reasons.ts'
import type { ChannelRow } from '../../store/channels.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { RolloutDeviceRow } from '../../store/rollouts.ts'

/** Makes the form of devices that a caller is told: what is other users' or needs another right is left out. */
export function wireFor(
  { store, registry, firmware, arriving, addressed }: Hub,
  context: Context,
  samples = true
): (row: DeviceRow) => Device {
  const { language } = context
  const { user } = signedIn(context)
  let owners: (id: number) => ChannelRow[] = () => []
  const players = new Map<number, ChannelRow>()
  if (permits(CHANNEL_VIEW, user)) {
    const channels = store.channels.all()
    const map = Map.groupBy(channels, (channel) => channel.input_id)
    owners = (id) => map.get(id) ?? []
    const byId = new Map(channels.map((channel) => [channel.id, channel]))
    for (const { id, channel_id } of store.channels.players()) {
      const channel = byId.get(channel_id)
      if (channel) players.set(id, channel)
    }
  }
  const mayAdd = permits(addDevice.who, user)
  let streams: ReturnType<Hub['arriving']['all']> | undefined
  // Looked up with the first device that is told of: often none is.
  let updates: Map<string, RolloutDeviceRow> | undefined
  return (row) => {
    const device = registry.wire(row, owners(row.id), samples)
    if (device.status) device.status = withWords(language, device.status, samples)
    const player = players.get(row.id)
    if (player) Object.assign(device, { 'owner-o': player.name, 'owner-o-d': player.id })
    updates ??= new Map(store.rollouts.current().map((one) => [one.sn, one]))
    const update = updates.get(row.sn)
    if (update) Object.assign(device, updateOf(language, update, firmware.rollouts.percent(update.rollout_id, row.sn)))
    streams ??= arriving.all(samples)
    const stream = row.reg_state === REGISTRATION.accepted ? streams(row.id) : undefined
    if (stream) device.stream = stream.reason ? { ...stream, reason: reasonText(language, stream.reason) } : stream
    const at = mayAdd && addressed.told(row.sn)
    if (at) device.at = at
    const config = store.deviceConfigs.of(row.id)
    if (config) device.config = config
    device['is-favorite'] = holds(row.is_favorite, user.id) ? user.id : 0
    if (permits(setDeviceSecurity.who, user)) return device
    const { 'is-inherit': _inherit, 'group-mask': _groups, 'usr-mask': _users, ...told } = device
    return told
  }
}

/** What a device says of its disks in words, and where `whole` of its recordings and streams. */
function withWords(
  language: Language,
  { recording, live, disks, ...status }: DeviceStatus,
  whole: boolean
): DeviceStatus {
  const said = (activity: DeviceActivity): DeviceActivity =>
    whole
      ? {
          ...activity,
          ...activityStanding(language, activity),
          ...(activity.sessions && {
            sessions: activity.sessions.map((session) => ({ ...session, ...sessionStanding(language, session) }))
          })
        }
      : activity
  return {
    ...status,
    ...(recording && { recording: said(recording) }),
    ...(live && { live: said(live) }),
    ...(disks && { disks: disks.map((disk) => ({ ...disk, ...diskStanding(language, disk) })) })
  }
}

/** The fields that tell of an update. */
function updateOf(language: Language, { state, reason }: RolloutDeviceRow, progress: number): Partial<Device> {
  const standing = updateStanding(language, { state, progress, reason })
  if (state === UPDATE.failed) return { update: { state, progress: 0, reason, ...standing } }
  const sending = state === UPDATE.updating && { 'is-upload-file': 1, 'upload-file-pos': progress }
  return { update: { state, progress, ...standing }, ...sending }
}
