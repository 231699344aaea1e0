// Restores a channel from the trash.
import { isPermitted } from '../../../contract/access/permissions.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { NAME_MAX } from '../../../contract/limits.ts'
import { ndiName } from '../../../contract/rules/ndi-names.ts'
import { enableChannel } from '../../../contract/stream/channel.ts'
import { DIR_INPUT, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import { requireCaller } from '../../http/handler.ts'
import { ndiMachineNameOf } from '../../ndi/machine-name.ts'
import { channelSetting, newChannelKeys } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'
import type { TrashedChannel, TrashedNode } from '../../store/trash.ts'
import { applyAfterCommit, markDevicesChanged, markSourcesChanged } from '../channel/changes.ts'
import { changeWithinLicense, enforceLicense } from '../license-limits.ts'
import { channelInputHosts, channelOutputHosts, requireOtherHosts } from '../stream/same-host.ts'
import { isKeyTaken, isLongerThan, type Restoration, type RestoreParts, visibleName } from './restoration.ts'

/** Whether a device is accepted and can be an input or an output. @param dir bit of the direction */
function isDevice({ devices }: Pick<Store, 'devices'>, id: number, dir: number): boolean {
  const device = devices.byId(id)
  return device?.reg_state === REGISTRATION_STATE.accepted && (device.dir & dir) !== 0
}

/** The keys of a channel, each replaced by a new one if it is in use. */
function freeKeys({ store }: RestoreParts, restoration: Restoration, { row }: TrashedChannel) {
  const generated = newChannelKeys()
  const keyOf = (name: keyof typeof generated, key: string) => {
    if (!isKeyTaken(store, key)) return key
    restoration.leaveOut(name)
    return generated[name]
  }
  return { play_key: keyOf('play-key', row.play_key), push_key: keyOf('push-key', row.push_key) }
}

function restoreInputs(parts: RestoreParts, restoration: Restoration, { row, input, backups }: TrashedChannel): void {
  const { channels, sources } = parts.store
  const isUsable = ({ id }: TrashedNode) => sources.input(id) !== undefined || isDevice(parts.store, id, DIR_INPUT)
  const nameOf = (node: TrashedNode) => visibleName(parts, restoration.context, node)
  if (input && isUsable(input)) channels.setInput(row.id, input.id)
  else if (input) restoration.leaveOut('input', nameOf(input))
  const usable = backups.filter(isUsable)
  channels.setBackups(
    row.id,
    usable.map(({ id }) => id)
  )
  for (const backup of backups) if (!usable.includes(backup)) restoration.leaveOut('backup', nameOf(backup))
}

function restoreOutputs(
  parts: RestoreParts,
  restoration: Restoration,
  { row, outputs, devices }: TrashedChannel
): void {
  const { channels, sources } = parts.store
  const nameOf = (node: TrashedNode) => visibleName(parts, restoration.context, node)
  for (const output of outputs)
    if (sources.output(output.id)?.channel_id === null) channels.addOutput(row.id, output.id)
    else restoration.leaveOut('output', nameOf(output))
  for (const device of devices)
    if (isDevice(parts.store, device.id, DIR_OUTPUT) && !channels.deviceOutputOf(device.id))
      channels.addDeviceOutput(row.id, device.id)
    else restoration.leaveOut('device', nameOf(device))
  for (const { id, enable } of [...outputs, ...devices]) if (enable === 0) channels.setOutputEnable(row.id, id, false)
}

/** Switches the NDI output of the channel off if NDI would not announce a new name. */
function checkNdiName(parts: RestoreParts, restoration: Restoration, id: number, name: string): void {
  const { channels } = parts.store
  const row = channels.byId(id)
  const ndi = row && channelSetting(row, 'ndi')
  if (!ndi?.enable || !ndiName(ndiMachineNameOf(parts))(name)) return
  channels.setSettings(id, { ndi: { ...ndi, enable: false } })
  restoration.leaveOut('output', 'NDI')
}

function restart({ store }: RestoreParts, restoration: Restoration, id: number): void {
  const { channels } = store
  const mayStart = restoration.starts && isPermitted(enableChannel.access, requireCaller(restoration.context).user)
  const start = () =>
    changeWithinLicense(
      store,
      () => channels.setEnable(id, true),
      () => channels.setEnable(id, false)
    )
  if (!mayStart || !start()) restoration.leaveOut('start')
}

/**
 * @returns the name of the channel
 * @throws CallError 1005 if an input has the host of an output, unless forced; 1006 if the licence permits no further
 * channel
 */
export function restoreChannel(parts: RestoreParts, restoration: Restoration, trashed: TrashedChannel): string {
  const { store, scheduler } = parts
  const { channels } = store
  const { row } = trashed
  const name = restoration.freeName(row.name, isLongerThan(NAME_MAX), (taken) => channels.byName(taken) !== undefined)
  const keys = freeKeys(parts, restoration, trashed)
  enforceLicense(store, () =>
    store.trash.insertRow('channel', { ...row, ...keys, name, enable: 0, hold: '', input_id: null })
  )
  restoreInputs(parts, restoration, trashed)
  restoreOutputs(parts, restoration, trashed)
  requireOtherHosts(channelInputHosts(parts, row.id), channelOutputHosts(parts, row.id), 'id', restoration.force)
  checkNdiName(parts, restoration, row.id, name)
  if (row.enable) restart(parts, restoration, row.id)
  const { context } = restoration
  applyAfterCommit(parts, context, row.id)
  markSourcesChanged(parts, context)
  markDevicesChanged(
    parts,
    context,
    trashed.devices.map(({ id }) => id)
  )
  context.afterCommit(() => scheduler.scheduleChanged(row.id))
  return name
}
