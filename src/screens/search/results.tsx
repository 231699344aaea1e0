// What a search finds, by kind: for the search screen and the palette.
import type { ReactNode } from 'react'
import { USER_CONTROL } from '../../../contract/access/permissions.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { displaySerial } from '../../../contract/device/products.ts'
import { type Channel, channelDashboard } from '../../../contract/stream/channel.ts'
import { listNdiSources, type NdiSource } from '../../../contract/stream/ndi.ts'
import { listPresets } from '../../../contract/stream/preset.ts'
import { type InputSource, listInputs, listOutputs, type Output } from '../../../contract/stream/source.ts'
import { createNameMatcher } from '../../../contract/text/name-match.ts'
import { channelHealth } from '../../other-hubs.ts'
import { DeviceState } from '../../parts/device/device-facts.tsx'
import { deviceLink } from '../../parts/device/device-link.ts'
import { SERVICES } from '../../parts/source/services.ts'
import { channelLink, linkTo, type RouteName } from '../../paths.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { $channels } from '../../state/channels.ts'
import { $deviceResults, $inputResults, $outputResults, useSearchResults } from '../../state/search-results.ts'
import { $ndiSources, $presets } from '../../state/sources.ts'
import { useAllowed } from '../../state/use-allowed.ts'
import { $users } from '../../state/users.ts'
import { healthLabel } from '../../text/health.ts'
import type { Translation } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'

const TEXT = {
  channels: ['Channels', '频道'],
  inputs: ['Inputs', '输入'],
  outputs: ['Outputs', '输出'],
  devices: ['Devices', '设备'],
  groups: ['Device groups', '设备组'],
  users: ['Users', '用户'],
  userGroups: ['User groups', '用户组'],
  presets: ['Presets', '预设'],
  ndiSources: ['NDI sources', 'NDI 源']
} as const

export interface FoundObject {
  id: number | string
  name: string
  /** Link to it. */
  path: string
  /** An address or a serial number. */
  note?: string
  /** At the end of a row: its state, or the channels that use it. */
  end?: ReactNode
}

export interface FoundKind {
  title: Translation
  icon: IconName
  /** Link to the whole list. */
  all: string
  items: readonly FoundObject[]
  /** Number of all that are found, of which `items` may be the first. */
  total: number
}

/** The channels that use an input or output, as links. */
const channelLinks = (names: readonly string[] = [], ids: readonly number[] = []): ReactNode =>
  names.map((name, index) => (
    <a key={name} href={`#${channelLink(ids[index])}`}>
      {name}
    </a>
  ))

const foundChannel = (channel: Channel): FoundObject => ({
  id: channel.id,
  name: channel.name,
  path: channelLink(channel.id),
  end: <StatusLabel {...healthLabel(channelHealth(channel))} />
})

const foundInput = ({ id, name, ...input }: InputSource): FoundObject => ({
  id,
  name,
  path: linkTo('inputs', { key: name }),
  note: input['masked-url'],
  end: channelLinks(input['owner-i'], input['owner-i-d'])
})

const foundOutput = ({ id, name, addr, 'owner-o': owner, 'owner-o-d': ownerId }: Output): FoundObject => ({
  id,
  name,
  path: linkTo('outputs', { key: name }),
  note: addr,
  end: owner !== undefined && channelLinks([owner], [ownerId ?? 0])
})

/** @param highlighted the menu entry that stays highlighted on the page of the device */
const foundDevice = (device: Device, highlighted: RouteName | undefined): FoundObject => ({
  id: device.id,
  name: device.name,
  path: deviceLink(device, highlighted),
  note: displaySerial(device.sn, device.module),
  end: <DeviceState device={device} />
})

const foundNdiSource = ({ name, addr }: NdiSource): FoundObject => ({
  id: name,
  name,
  path: linkTo('ndiSources', { key: name }),
  note: addr
})

/** Named objects without further facts. @param linkOf the link to the object with an id */
const foundNames = (
  objects: readonly { id: number | string; name: string; nick?: string }[],
  linkOf: (id: string) => string
): FoundObject[] => objects.map(({ id, name, nick }) => ({ id, name, path: linkOf(String(id)), note: nick ?? '' }))

const kind = (
  title: Translation,
  icon: IconName,
  all: string,
  items: readonly FoundObject[],
  total = items.length
): FoundKind => ({ title, icon, all, items, total })

/**
 * The objects that a search finds and the user may see, by kind. Kinds without any are left out.
 * @param isActive whether the hub is asked at all
 * @param highlighted the menu entry that stays highlighted on the page of a device
 */
export function useFoundKinds(key: string, isActive: boolean, highlighted?: RouteName): FoundKind[] {
  useSearchResults(key)
  const { items: channels = [] } = useAllowed(channelDashboard, $channels, isActive)
  const inputs = useAllowed(listInputs, $inputResults, isActive)
  const outputs = useAllowed(listOutputs, $outputResults, isActive)
  const devices = useAllowed(listDevices, $deviceResults, isActive)
  const { items: catalogs = [] } = useAllowed(listCatalogs, $catalogs, isActive)
  const { users = [], groups = [] } = useAllowed({ access: USER_CONTROL }, $users, isActive).value ?? {}
  const { items: presets } = useAllowed(listPresets, $presets, isActive)
  const { items: ndiSources = [] } = useAllowed(listNdiSources, $ndiSources, isActive)
  const destinations = presets ? [...SERVICES, ...presets] : []
  const matches = createNameMatcher(key)
  const hasMatch = ({ name, nick = '' }: { name: string; nick?: string }) => matches(name) || matches(nick)

  // The hub searches the lists that can be long.
  return [
    kind(TEXT.channels, 'channels', linkTo('channels', { key }), channels.filter(hasMatch).map(foundChannel)),
    kind(TEXT.inputs, 'input', linkTo('inputs', { key }), (inputs.items ?? []).map(foundInput), inputs.total),
    kind(TEXT.outputs, 'output', linkTo('outputs', { key }), (outputs.items ?? []).map(foundOutput), outputs.total),
    kind(
      TEXT.devices,
      'devices',
      linkTo('allDevices', { key }),
      (devices.items ?? []).map((device) => foundDevice(device, highlighted)),
      devices.total
    ),
    kind(
      TEXT.groups,
      'group',
      linkTo('allDevices'),
      foundNames(catalogs.filter(hasMatch), (catalog) => linkTo('groupDevices', { catalog }))
    ),
    kind(
      TEXT.users,
      'user',
      linkTo('users', { key }),
      foundNames(users.filter(hasMatch), (userId) => linkTo('user', { userId }))
    ),
    kind(
      TEXT.userGroups,
      'profile',
      linkTo('users', { tab: 'groups' }),
      foundNames(groups.filter(hasMatch), (groupId) => linkTo('userGroup', { groupId }))
    ),
    kind(
      TEXT.presets,
      'star',
      linkTo('destinations', { key }),
      foundNames(destinations.filter(hasMatch), (preset) => linkTo('outputs', { preset }))
    ),
    kind(TEXT.ndiSources, 'camera', linkTo('ndiSources', { key }), ndiSources.filter(hasMatch).map(foundNdiSource))
  ].filter(({ total }) => total > 0)
}
