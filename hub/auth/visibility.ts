// Decides which devices, device groups, channels, inputs and outputs a user may see (docs/wire.md, Visibility).

import {
  isRowVisible,
  matchesMasks,
  type Viewer,
  catalogsVisibleTo as visibleCatalogs
} from '../../accounts/visibility.ts'
import { GROUP_ADMIN, hasAnyBit } from '../../contract/access/permissions.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { VisibleChannels } from '../store/channel-visibility.ts'
import type { DeviceRow } from '../store/devices.ts'
import { NO_CHANNEL, type VisibleSources } from '../store/source-access.ts'
import type { Store } from '../store/store.ts'

/** IDs of the channels or devices that the user sees because of their tags, whatever their masks are. */
const openedByTag = ({ tags }: Pick<Store, 'tags'>, kind: 'channel' | 'device', viewer: Viewer): ReadonlySet<number> =>
  tags.objectsOpenedTo(kind, (masks) => matchesMasks(viewer, masks))

/** @returns a function which tells whether the user may see a device group; ID 0 stands for devices without a group */
export function catalogsVisibleTo(
  { settings, catalogs }: Pick<Store, 'settings' | 'catalogs'>,
  viewer: Viewer
): (id: number) => boolean {
  return visibleCatalogs(catalogs.all(), settings.get('device-security'), viewer)
}

/**
 * @returns a function which tells whether the user may see a device; it remembers the groups, for many devices at once
 */
export function devicesVisibleTo(
  store: Pick<Store, 'settings' | 'catalogs' | 'tags'>,
  viewer: Viewer
): (device: DeviceRow) => boolean {
  if (viewer.user.type === GROUP_ADMIN) return () => true
  const byTag = openedByTag(store, 'device', viewer)
  const isCatalogVisible = catalogsVisibleTo(store, viewer)
  const visibleCatalogs = new Map<number, boolean>()
  const isVisibleInCatalog = (id: number) => {
    const isVisible = visibleCatalogs.get(id) ?? isCatalogVisible(id)
    visibleCatalogs.set(id, isVisible)
    return isVisible
  }
  // The group, the masks and the tags of a pending or rejected device apply from its acceptance on.
  return (device) =>
    device.reg_state === REGISTRATION_STATE.accepted
      ? isRowVisible(viewer, device, isVisibleInCatalog(device.catalog_id)) || byTag.has(device.id)
      : isVisibleInCatalog(0)
}

type ChannelStore = Pick<Store, 'settings' | 'channelVisibility' | 'tags'>

/** @returns undefined for the Admin group, which sees every channel */
export function visibleChannels(store: ChannelStore, viewer: Viewer): VisibleChannels | undefined {
  if (viewer.user.type === GROUP_ADMIN) return undefined
  const byDefault = matchesMasks(viewer, store.settings.get('channel-security'))
  const byTag = openedByTag(store, 'channel', viewer)
  const rows = store.channelVisibility.all().filter((row) => isRowVisible(viewer, row, byDefault) !== byDefault)
  const exceptions = new Set(rows.map((row) => row.channel_id))
  for (const id of byTag)
    if (byDefault) exceptions.delete(id)
    else exceptions.add(id)
  return { byDefault, exceptions: [...exceptions] }
}

/** @returns a function which tells whether the user may see a channel, by ID */
export function channelsVisibleTo(store: ChannelStore, viewer: Viewer): (id: number) => boolean {
  const visible = visibleChannels(store, viewer)
  if (!visible) return () => true
  const exceptions = new Set(visible.exceptions)
  return (id) => visible.byDefault !== exceptions.has(id)
}

type SourceStore = ChannelStore & Pick<Store, 'sourceAccess'>

/**
 * @returns a function which tells whether the user may see an input or output, by node ID: whoever sees one of the
 * channels that use it. One that no channel uses keeps the access of the channel that used it last. One that no channel
 * has used yet is visible to the user who created it, and to those who see channels by the global default.
 */
export function sourcesVisibleTo(store: SourceStore, viewer: Viewer): (id: number) => boolean {
  const channels = visibleChannels(store, viewer)
  if (!channels) return () => true
  const isChannelVisible = channelsVisibleTo(store, viewer)
  const users = Map.groupBy(store.sourceAccess.uses(), (use) => use.source_id)
  const rows = new Map(store.sourceAccess.all().map((row) => [row.source_id, row]))
  return (id) => {
    const using = users.get(id)
    if (using) return using.some((use) => isChannelVisible(use.channel_id))
    const row = rows.get(id)
    if (!row) return channels.byDefault
    if (row.channel_id === NO_CHANNEL) return channels.byDefault || hasAnyBit(row.usr_mask, viewer.user.id)
    const seesAll = channels.byDefault && channels.exceptions.length === 0
    return row.channel_id > 0 ? isChannelVisible(row.channel_id) : seesAll
  }
}

/**
 * The same as a condition for SQL; undefined = all, for the Admin group. Devices are left to `devicesVisibleTo`.
 */
export function visibleSources(
  store: SourceStore & Pick<Store, 'devices'>,
  viewer: Viewer
): VisibleSources | undefined {
  const channels = visibleChannels(store, viewer)
  if (!channels) return undefined
  const { byDefault } = channels
  const isVisible = sourcesVisibleTo(store, viewer)
  const devices = new Set(store.devices.all().map(({ id }) => id))
  const { sourceAccess } = store
  const known = new Set([...sourceAccess.uses(), ...sourceAccess.all()].map((row) => row.source_id))
  const exceptions = [...known].filter((id) => !devices.has(id) && isVisible(id) !== byDefault)
  return { byDefault, exceptions: byDefault ? exceptions : [...exceptions, ...devices] }
}
