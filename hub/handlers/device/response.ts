// Serializes devices for a caller.

import { CHANNEL_VIEW, hasAnyBit, isPermitted } from '../../../contract/access/permissions.ts'
import { addDevice } from '../../../contract/device/address.ts'
import { type Device, REGISTRATION_STATE, setDeviceSecurity } from '../../../contract/device/device.ts'
import type { DeviceActivity, DeviceStatus } from '../../../contract/device/status.ts'
import { listFirmware } from '../../../contract/firmware.ts'
import { DEVICE_UPDATE_STATE } from '../../../contract/rollout.ts'
import { DIR_INPUT } from '../../../contract/stream/protocols.ts'
import type { Gate } from '../../auth/gate.ts'
import { sendsOver } from '../../channels/wanted.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import type { AddressedPictures } from '../../devices/address/pictures.ts'
import { servesStreams } from '../../devices/address/streams/addressed-streams.ts'
import { thirdPartyAdapter } from '../../devices/address/third-party/adapters.ts'
import type { IncomingStreams } from '../../devices/incoming-streams.ts'
import type { Registry } from '../../devices/registry.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import { type Context, requireCaller } from '../../http/handler.ts'
import { type ActivityKind, activityStatus, sessionStatus } from '../../messages/activity.ts'
import { diskStatus } from '../../messages/disks.ts'
import { deviceUpdateStatus } from '../../messages/firmware.ts'
import type { Language } from '../../messages/language.ts'
import { noPictureText } from '../../messages/pictures.ts'
import { reasonText } from '../../messages/reasons.ts'
import { previewOfDevice } from '../../preview/preview-id.ts'
import type { ChannelRow } from '../../store/channels.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { RolloutDeviceRow } from '../../store/rollouts.ts'
import type { Store } from '../../store/store.ts'
import { tagFields } from '../tag-fields.ts'
import { healthOfDevice } from './health.ts'

interface DeviceResponseParts {
  store: Store
  gate: Gate
  registry: Registry
  incomingStreams: IncomingStreams
  addressedDevices: AddressedDevices
  addressedPictures: Pick<AddressedPictures, 'faultOf'>
  firmware: FirmwareServices
}

/** Looks up the channels that use a device. */
interface ChannelLookup {
  byInput(deviceId: number): ChannelRow[]
  byOutput(deviceId: number): ChannelRow | undefined
  /** Whether a channel that the caller may not see uses or plays the device. */
  isUsedByHidden(deviceId: number): boolean
}

function createChannelLookup({ store, gate }: { store: Store; gate: Gate }, context: Context): ChannelLookup {
  const channels = store.channels.all()
  const isVisible = gate.channelsVisibleTo(requireCaller(context))
  const byInput = Map.groupBy(channels, (channel) => channel.input_id)
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const channelIds = new Map(store.channels.allDeviceOutputs().map(({ id, channel_id }) => [id, channel_id]))
  const inputOwners = (deviceId: number) => byInput.get(deviceId) ?? []
  const outputOwner = (deviceId: number) => byId.get(channelIds.get(deviceId) ?? Number.NaN)
  return {
    byInput: (deviceId) => inputOwners(deviceId).filter(({ id }) => isVisible(id)),
    byOutput: (deviceId) => [outputOwner(deviceId)].find((channel) => channel && isVisible(channel.id)),
    isUsedByHidden: (deviceId) =>
      [...inputOwners(deviceId), outputOwner(deviceId)].some((channel) => channel && !isVisible(channel.id))
  }
}

/** For callers without permission to view channels. */
const NO_CHANNELS: ChannelLookup = { byInput: () => [], byOutput: () => undefined, isUsedByHidden: () => false }

/**
 * Serializes devices for the caller of one request. Fields that need a further permission are left out if the caller
 * lacks it.
 */
class DeviceSerializer {
  readonly #parts: DeviceResponseParts
  readonly #language: Language
  readonly #userId: number
  readonly #withSamples: boolean
  readonly #mayAdd: boolean
  readonly #maySetVisibility: boolean
  readonly #seesFirmware: boolean
  readonly #channels: ChannelLookup
  /** These three are loaded with the first device, because a response often has none. */
  #updates: Map<string, RolloutDeviceRow> | undefined
  #streams: ReturnType<IncomingStreams['listByDevice']> | undefined
  #onAir: ReturnType<IncomingStreams['listOnAir']> | undefined

  constructor(parts: DeviceResponseParts, context: Context, withSamples: boolean) {
    const { user } = requireCaller(context)
    this.#parts = parts
    this.#language = context.language
    this.#userId = user.id
    this.#withSamples = withSamples
    this.#mayAdd = isPermitted(addDevice.access, user)
    this.#maySetVisibility = isPermitted(setDeviceSecurity.access, user)
    this.#seesFirmware = isPermitted(listFirmware.access, user)
    this.#channels = isPermitted(CHANNEL_VIEW, user) ? createChannelLookup(parts, context) : NO_CHANNELS
  }

  serialize(row: DeviceRow): Device {
    const { registry, addressedDevices, store } = this.#parts
    const device = registry.toWire(row, this.#channels.byInput(row.id), this.#withSamples)
    Object.assign(device, tagFields(store, 'device', row.id))
    if (device.status) device.status = addSentences(this.#language, device.status, this.#withSamples)
    const channel = this.#channels.byOutput(row.id)
    if (channel) Object.assign(device, { 'owner-o': channel.name, 'owner-o-d': channel.id })
    if (this.#channels.isUsedByHidden(row.id)) device['owner-hidden'] = true
    Object.assign(device, this.#updateFields(row), this.#streamFields(row), this.#orderFields(row))
    Object.assign(device, this.#pictureFields(row))
    const at = addressedDevices.addressInfo(row.sn)
    device.health = healthOfDevice(
      this.#language,
      at ? { ...device, at } : device,
      registry.liveState(row.sn)?.warningSince
    )
    if (at && this.#mayAdd) device.at = at
    const newFirmware = this.#seesFirmware && store.firmware.updateFor(row)
    if (newFirmware) device['firmware-update'] = newFirmware
    const config = store.deviceConfigs.get(row.id)
    if (config) device.config = config
    device['is-favorite'] = hasAnyBit(row.is_favorite, this.#userId) ? this.#userId : 0
    if (this.#maySetVisibility) return device
    const { 'is-inherit': _inherit, 'group-mask': _groups, 'usr-mask': _users, ...visible } = device
    return visible
  }

  /** The fields about a firmware update of the device; none if there is none. */
  #updateFields({ sn }: DeviceRow): Partial<Device> {
    const { store, firmware } = this.#parts
    this.#updates ??= new Map(store.rollouts.currentUpdates().map((update) => [update.sn, update]))
    const update = this.#updates.get(sn)
    if (!update) return {}
    const { state, reason } = update
    const progress = firmware.rollouts.progressOf(update.rollout_id, sn)
    const status = deviceUpdateStatus(this.#language, { state, progress, reason })
    if (state === DEVICE_UPDATE_STATE.failed) return { update: { state, progress: 0, reason, ...status } }
    const sending = state === DEVICE_UPDATE_STATE.updating && { 'is-upload-file': 1, 'upload-file-pos': progress }
    return { update: { state, progress, ...status }, ...sending }
  }

  /** The field about the stream that the hub receives from the device; none if there is none. */
  #streamFields(row: DeviceRow): Pick<Device, 'stream'> {
    this.#streams ??= this.#parts.incomingStreams.listByDevice(this.#withSamples)
    const stream = row.reg_state === REGISTRATION_STATE.accepted ? this.#streams(row.id) : undefined
    if (!stream) return {}
    return { stream: stream.reason ? { ...stream, reason: reasonText(this.#language, stream.reason) } : stream }
  }

  /**
   * The picture of a device at an address that has none of its own is that of the channel where it is on air. Otherwise
   * there is a sentence why it has none; pictures of a camera belong to the inputs that were made of its streams.
   */
  #pictureFields({
    sn,
    id,
    api,
    dir,
    preview,
    reg_state: state
  }: DeviceRow): Pick<Device, 'preview-id' | 'no-picture'> {
    const { addressedDevices, addressedPictures, incomingStreams, registry } = this.#parts
    const isManaged = state === REGISTRATION_STATE.accepted && addressedDevices.has(sn) && !thirdPartyAdapter(api)
    if (!isManaged || !registry.isOnline(sn)) return {}
    if (preview) {
      const fault = addressedPictures.faultOf(sn)
      return fault ? { 'no-picture': noPictureText(this.#language, fault) } : {}
    }
    this.#onAir ??= incomingStreams.listOnAir()
    if (this.#onAir.has(id)) return { 'preview-id': previewOfDevice(sn) }
    return { 'no-picture': noPictureText(this.#language, dir & DIR_INPUT ? 'off-air' : 'unsupported') }
  }

  /** The fields about the streams of a device at an address, which the hub sets up over its documented API. */
  #orderFields(row: DeviceRow): Pick<Device, 'sends-over' | 'serves-streams' | 'plays-before'> {
    const { addressedDevices, store } = this.#parts
    if (!addressedDevices.has(row.sn)) return {}
    const way = sendsOver(store, row)
    const isShown = (row.dir & DIR_INPUT) !== 0 && (way === 'NDI' || !store.deviceConfigs.get(row.id)?.input)
    const before = store.deviceStreams.before(row.id, 'play')
    const serves = servesStreams(row) || thirdPartyAdapter(row.api) !== undefined
    return {
      ...(isShown && { 'sends-over': way }),
      ...(serves && { 'serves-streams': true }),
      ...(before && { 'plays-before': before.name ?? '' })
    }
  }
}

/**
 * Adds the sentences about the disks to a status.
 * @param withActivity also those about recordings and live streams
 */
function addSentences(
  language: Language,
  { recording, live, disks, ...status }: DeviceStatus,
  withActivity: boolean
): DeviceStatus {
  const describe = (kind: ActivityKind, activity: DeviceActivity): DeviceActivity =>
    withActivity
      ? {
          ...activity,
          ...activityStatus(language, kind, activity),
          ...(activity.sessions && {
            sessions: activity.sessions.map((session) => ({ ...session, ...sessionStatus(language, kind, session) }))
          })
        }
      : activity
  return {
    ...status,
    ...(recording && { recording: describe('recording', recording) }),
    ...(live && { live: describe('live', live) }),
    ...(disks && { disks: disks.map((disk) => ({ ...disk, ...diskStatus(language, disk) })) })
  }
}

/**
 * Returns a function that serializes devices for the caller of one request.
 * @param withSamples also includes the samples, which only the page of a single device shows
 */
export function createDeviceSerializer(
  parts: DeviceResponseParts,
  context: Context,
  withSamples = true
): (row: DeviceRow) => Device {
  const serializer = new DeviceSerializer(parts, context, withSamples)
  return (row) => serializer.serialize(row)
}
