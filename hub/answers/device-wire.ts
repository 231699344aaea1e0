// Devices as a caller is told of them, and the order in which they come when none is asked for.
import { type Device, setDeviceSecurity } from '../../contract/device.ts'
import { CHANNEL_VIEW, holds, permits } from '../../contract/permissions.ts'
import type { Registry } from '../devices/registry.ts'
import type { Caller } from '../gate.ts'
import type { Hub } from '../parts.ts'
import type { ChannelRow } from '../store/channels.ts'
import type { DeviceRow } from '../store/devices.ts'
import { byText } from './list.ts'

/** Makes the form of devices that a caller is told: what is other users' or needs another right is left out. */
export function wireFor({ store, registry }: Hub, { user }: Caller, samples = true): (row: DeviceRow) => Device {
  let owners: (id: number) => ChannelRow[] = () => []
  if (permits(CHANNEL_VIEW, user)) {
    const map = Map.groupBy(store.channels.all(), (channel) => channel.input_id)
    owners = (id) => map.get(id) ?? []
  }
  return (row) => {
    const device = registry.wire(row, owners(row.id), samples)
    device['is-favorite'] = holds(row.is_favorite, user.id) ? user.id : 0
    if (permits(setDeviceSecurity.who, user)) return device
    const { 'is-inherit': _inherit, 'group-mask': _groups, 'usr-mask': _users, ...told } = device
    return told
  }
}

/** Online first, newest first, smaller serial first (reference 5.3, list-with-catalog). */
export function usualOrder(registry: Registry): (a: DeviceRow, b: DeviceRow) => number {
  const online = (row: DeviceRow) => (registry.online(row.sn) ? 0 : 1)
  return (a, b) => online(a) - online(b) || b.apply_date - a.apply_date || byText(a.sn, b.sn)
}
