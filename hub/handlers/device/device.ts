// Handlers that list devices, and accept, reject, delete or mark them as favorites.
import { isPermitted } from '../../../contract/access/permissions.ts'
import { NOT_EXIST, NOT_PERMITTED, STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import {
  acceptDevices,
  deleteDevices,
  type GlobalConfigRequest,
  type GlobalConfigResponse,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  REGISTRATION_STATE,
  rejectDevices,
  setFavorite
} from '../../../contract/device/device.ts'
import { listFirmware } from '../../../contract/firmware.ts'
import { LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import type { Gate } from '../../auth/gate.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import type { AddressedPictures } from '../../devices/address/pictures.ts'
import type { IncomingStreams } from '../../devices/incoming-streams.ts'
import type { DeviceLinks } from '../../devices/link/links.ts'
import type { Registry } from '../../devices/registry.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import {
  CallError,
  type Context,
  callerTag,
  type Handler,
  handle,
  handleChange,
  requireCaller
} from '../../http/handler.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { paginateSince } from '../list.ts'
import { forEachDevice } from './bulk.ts'
import { refusePlace } from './device-limit.ts'
import { createDeviceListCache } from './list-cache.ts'
import { createDeviceSerializer } from './response.ts'

interface RegistrationChangeParts {
  store: Store
  gate: Gate
  links: DeviceLinks
  deviceStateChanged: (sn: string) => void
}

interface DeleteDeviceParts {
  store: Store
  links: DeviceLinks
  deviceStateChanged: (sn: string) => void
  applyChannel: (id: number) => Promise<void>
}

interface DeviceParts {
  store: Store
  gate: Gate
  registry: Registry
  links: DeviceLinks
  incomingStreams: IncomingStreams
  addressedDevices: AddressedDevices
  addressedPictures: AddressedPictures
  firmware: FirmwareServices
  deviceStateChanged: (sn: string) => void
  markDeviceViewed: (sn: string) => void
  applyChannel: (id: number) => Promise<void>
}

/** @throws CallError 16 if the device does not exist or the caller may not see it */
function requireVisibleDevice({ store, gate }: { store: Store; gate: Gate }, context: Context, sn: string): DeviceRow {
  context.objects.push(`device:${sn}`)
  const row = store.devices.bySerial(sn)
  if (!row || !gate.canSeeDevice(requireCaller(context), row)) throw new CallError(NOT_EXIST)
  return row
}

/** The global defaults, if the request asks for them. */
function globalConfig({ store }: { store: Store }, request: GlobalConfigRequest): GlobalConfigResponse {
  return request['global-config'] ? { 'global-config': { device: store.settings.get('device-config') } } : {}
}

/**
 * After the commit, reports a new registration state to the consoles and to the device, and disconnects a device not
 * accepted.
 */
function announceState(
  { store, links }: { store: Store; links: DeviceLinks },
  context: Context,
  row: DeviceRow,
  state: number
): void {
  context.afterCommit(() => {
    if (state === REGISTRATION_STATE.deleted) store.changes.markRemoved('device', row.id)
    else store.changes.markChanged('device', row.id)
    store.changes.markChanged('status')
    // Best effort: a device that does not get the message learns its state when it connects again.
    links
      .sendRegistrationState(row.sn, state)
      .catch(() => {})
      .finally(() => {
        if (state !== REGISTRATION_STATE.accepted) links.disconnect(row.sn, 'refused by the hub')
      })
  })
}

/**
 * Returns a change that accepts or rejects devices.
 * @param from states from which this is possible; a device in another state gets result 1004
 */
function registrationChange(
  parts: RegistrationChangeParts,
  state: number,
  event: 'device-accepted' | 'device-rejected',
  from: readonly number[]
) {
  const { store } = parts
  return (context: Context, request: { sn: string[] }) => {
    const reply = forEachDevice(parts, context, request.sn, (row) => {
      if (!from.includes(row.reg_state)) return STATE_CHANGED
      // Devices over the limit of the licence wait; none that is accepted already is turned away.
      const refusal = state === REGISTRATION_STATE.accepted ? refusePlace(store) : undefined
      if (refusal) return refusal
      store.devices.setRegistrationState(row.sn, state)
      store.logEvent({ event, detail: `${row.name}: ${callerTag(context)}`, sn: row.sn })
      announceState(parts, context, row, state)
      return SUCCESS
    })
    context.afterCommit(() => {
      for (const { sn } of reply.details) parts.deviceStateChanged(sn)
    })
    return reply
  }
}

/** Stops all channels' use of a device, and deletes it. */
function deleteDevice(parts: DeleteDeviceParts, context: Context, row: DeviceRow): void {
  const { channels, devices } = parts.store
  for (const channel of channels.byInput(row.id)) {
    channels.setInput(channel.id, null)
    context.afterCommit(() => parts.applyChannel(channel.id))
  }
  const channelId = channels.deviceOutputOf(row.id)?.channel_id
  if (channelId !== undefined) context.afterCommit(() => parts.applyChannel(channelId))
  devices.remove(row.id)
  parts.store.logEvent({
    event: 'device-deleted',
    detail: `${row.name}: ${callerTag(context)}`,
    sn: row.sn
  })
  announceState(parts, context, row, REGISTRATION_STATE.deleted)
  context.afterCommit(() => parts.deviceStateChanged(row.sn))
}

function handleListDevices(parts: DeviceParts): Handler {
  const { store, gate, registry } = parts
  const list = createDeviceListCache(store, registry)
  return handle(listDevices, (context, request) => {
    const caller = requireCaller(context)
    if (request.update && !isPermitted(listFirmware.access, caller.user)) throw new CallError(NOT_PERMITTED)
    const rows = list(request, caller.user.id).filter(gate.devicesVisibleTo(caller))
    const page = paginateSince(store.changes, 'device', request, rows, createDeviceSerializer(parts, context, false))
    return { ...page, ...globalConfig(parts, request) }
  })
}

function handleListDevicesBySerial(parts: DeviceParts): Handler {
  const { store, gate } = parts
  return handle(listDevicesBySerial, (context, request) => {
    const rows = [...new Set(request.sn)].map((sn) => store.devices.bySerial(sn)).filter((row) => row !== undefined)
    const visible = rows.filter(gate.devicesVisibleTo(requireCaller(context)))
    return {
      list: visible.map(createDeviceSerializer(parts, context)),
      ...globalConfig(parts, { 'global-config': 1 })
    }
  })
}

function handleQueryDevice(parts: DeviceParts): Handler {
  return handle(queryDevice, (context, request) => {
    const row = requireVisibleDevice(parts, context, request.sn)
    parts.markDeviceViewed(row.sn)
    return { dev: createDeviceSerializer(parts, context)(row), ...globalConfig(parts, request) }
  })
}

function handleSetFavorite(parts: { store: Store; gate: Gate }): Handler {
  const { store } = parts
  return handleChange(setFavorite, (context, request) => {
    const { id } = requireCaller(context).user
    const reply = forEachDevice(parts, context, request.sn, (row) => {
      store.devices.setFavorite(row.id, id, request.favorite)
      context.afterCommit(() => store.changes.markChanged('device', row.id))
      return SUCCESS
    })
    context.afterCommit(() => store.changes.markChanged('status'))
    context.detail += ` ${request.favorite ? LOG_ON : LOG_OFF}`
    return reply
  })
}

export function deviceHandlers(parts: DeviceParts): Handler[] {
  const { accepted, rejected, pending } = REGISTRATION_STATE
  return [
    handleListDevices(parts),
    handleListDevicesBySerial(parts),
    handleQueryDevice(parts),
    handleSetFavorite(parts),
    // A rejected device can be accepted later, without waiting until it connects again.
    handleChange(acceptDevices, registrationChange(parts, accepted, 'device-accepted', [pending, rejected])),
    handleChange(rejectDevices, registrationChange(parts, rejected, 'device-rejected', [pending])),
    handleChange(deleteDevices, (context, request) =>
      forEachDevice(parts, context, request.sn, (row) => {
        deleteDevice(parts, context, row)
        return SUCCESS
      })
    )
  ]
}
