import { atom } from 'nanostores'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { USER_CONTROL } from '../../../contract/access/permissions.ts'
import type { Access } from '../../../contract/call.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { listDevices } from '../../../contract/device/device.ts'
import { displaySerial } from '../../../contract/device/products.ts'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { listPresets } from '../../../contract/stream/preset.ts'
import { listInputs, listOutputs } from '../../../contract/stream/source.ts'
import { channelHealth } from '../../other-hubs.ts'
import { DeviceState } from '../../parts/device/device-facts.tsx'
import { deviceLink } from '../../parts/device/device-link.ts'
import { SERVICES } from '../../parts/source/services.ts'
import { linkTo, type RouteName } from '../../paths.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { $channels } from '../../state/channels.ts'
import type { LiveStore } from '../../state/live-store.ts'
import { useQuery } from '../../state/location.ts'
import { $deviceResults, $inputResults, $outputResults, useSearchResults } from '../../state/search-results.ts'
import { $isAllowed } from '../../state/session.ts'
import { $presets } from '../../state/sources.ts'
import { $users } from '../../state/users.ts'
import { healthLabel } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  channels: ['Channels', '频道'],
  inputs: ['Inputs', '输入'],
  outputs: ['Outputs', '输出'],
  devices: ['Devices', '设备'],
  groups: ['Device groups', '设备组'],
  users: ['Users', '用户'],
  userGroups: ['User groups', '用户组'],
  presets: ['Presets', '预设'],
  all: ['All', '全部'],
  count: ['{0} results', '{0} 个结果'],
  none: ['Nothing found', '未找到'],
  noneText: [
    'Search for names of channels, inputs, outputs, devices, groups, users and presets, and for serial numbers.',
    '可搜索频道、输入、输出、设备、组、用户和预设的名称，以及序列号。'
  ]
} as const

const $none = atom({ phase: 'denied' as const })

/**
 * The state of a store. Users without permission for its call get an empty state, and the console does not send the
 * call.
 */
function useAllowed<State extends object>(call: { access: Access }, store: LiveStore<State>): Partial<State> {
  const isAllowed = useStore($isAllowed)(call)
  return useStore((isAllowed ? store : $none) as LiveStore<State>)
}

/** @param end at the end of the row, such as the state */
const resultRow = (key: string | number, path: string, name: string, note = '', end?: ReactNode) => (
  <li key={key}>
    <span className="cut">
      <a href={`#${path}`}>{name}</a> <small className="muted">{note}</small>
    </span>
    {end}
  </li>
)

/** An input or output, with links to the channels that use it. */
function sourceRow(
  route: 'inputs' | 'outputs',
  { id, name }: { id: number; name: string },
  address: string,
  owners: readonly string[] = [],
  ownerIds: readonly number[] = []
): ReactNode {
  const links = owners.map((owner, index) => (
    <a key={owner} href={`#${linkTo('channelDetail', { channelId: String(ownerIds[index]) })}`}>
      {owner}
    </a>
  ))
  return resultRow(id, linkTo(route, { key: name }), name, address, links)
}

interface Section {
  title: Translation
  /** Link to the whole list. */
  all: string
  rows: readonly ReactNode[]
  /** Given if `rows` are only the first of them. */
  total?: number
}

function useSections(key: string, highlighted: RouteName | undefined): Section[] {
  const { items: channels = [] } = useAllowed(channelDashboard, $channels)
  const inputs = useAllowed(listInputs, $inputResults)
  const outputs = useAllowed(listOutputs, $outputResults)
  const devices = useAllowed(listDevices, $deviceResults)
  const { items: catalogs = [] } = useAllowed(listCatalogs, $catalogs)
  const { users = [], groups = [] } = useAllowed({ access: USER_CONTROL }, $users).value ?? {}
  const { items: presets } = useAllowed(listPresets, $presets)
  const destinations = presets ? [...SERVICES, ...presets] : []
  const matches = (name: string) => name.toLowerCase().includes(key.toLowerCase())
  const hasMatch = ({ name, nick = '' }: { name: string; nick?: string }) => matches(name) || matches(nick)
  return [
    {
      title: TEXT.channels,
      all: linkTo('channels', { key }),
      rows: channels
        .filter(hasMatch)
        .map((channel) =>
          resultRow(
            channel.id,
            linkTo('channelDetail', { channelId: String(channel.id) }),
            channel.name,
            '',
            <StatusLabel {...healthLabel(channelHealth(channel))} />
          )
        )
    },
    {
      title: TEXT.inputs,
      all: linkTo('inputs', { key }),
      total: inputs.total,
      rows: (inputs.items ?? []).map((input) =>
        sourceRow('inputs', input, input['masked-url'], input['owner-i'], input['owner-i-d'])
      )
    },
    {
      title: TEXT.outputs,
      all: linkTo('outputs', { key }),
      total: outputs.total,
      rows: (outputs.items ?? []).map((output) => {
        const { addr, 'owner-o': owner, 'owner-o-d': ownerId } = output
        const owners = owner === undefined ? [] : [owner]
        return sourceRow('outputs', output, addr, owners, [ownerId ?? 0])
      })
    },
    {
      title: TEXT.devices,
      all: linkTo('allDevices', { key }),
      total: devices.total,
      rows: (devices.items ?? []).map((device) =>
        resultRow(
          device.id,
          deviceLink(device, highlighted),
          device.name,
          displaySerial(device.sn, device.module),
          <DeviceState device={device} />
        )
      )
    },
    {
      title: TEXT.groups,
      all: linkTo('allDevices'),
      rows: catalogs
        .filter(hasMatch)
        .map(({ id, name }) => resultRow(id, linkTo('groupDevices', { catalog: String(id) }), name))
    },
    {
      title: TEXT.users,
      all: linkTo('users', { key }),
      rows: users
        .filter(hasMatch)
        .map(({ id, name, nick }) => resultRow(id, linkTo('user', { userId: String(id) }), name, nick))
    },
    {
      title: TEXT.userGroups,
      all: linkTo('users', { tab: 'groups' }),
      rows: groups
        .filter(hasMatch)
        .map(({ id, name }) => resultRow(id, linkTo('userGroup', { groupId: String(id) }), name))
    },
    {
      title: TEXT.presets,
      all: linkTo('outputs'),
      rows: destinations
        .filter(hasMatch)
        .map(({ id, name }) => resultRow(id, linkTo('outputs', { preset: String(id) }), name))
    }
  ]
}

export function SearchScreen() {
  const query = useQuery()
  const key = query.get('for') ?? ''
  useSearchResults(key)
  const sections = useSections(key, (query.get('search-navigation') ?? undefined) as RouteName | undefined)
  const found = sections
    .map(({ total, ...section }) => ({ ...section, total: total ?? section.rows.length }))
    .filter(({ total }) => total > 0)
  const results = useRef<HTMLDivElement>(null)
  useArrowKeys(results)
  const count = found.reduce((sum, { total }) => sum + total, 0)
  return (
    <div ref={results} className="stack">
      <p role="status" className="muted">
        {count > 0 && t(TEXT.count, count)}
      </p>
      {found.length === 0 && <EmptyState icon="search" title={t(TEXT.none)} text={t(TEXT.noneText)} />}
      {found.map(({ title, total, all, rows }) => (
        <Card key={t(title)} title={t(title)} note={String(total)} action={<a href={`#${all}`}>{t(TEXT.all)}</a>}>
          <ul className="lines">{rows}</ul>
        </Card>
      ))}
    </div>
  )
}

/**
 * Moves the focus through the links of the results with the arrow keys, from the search box into the results and back.
 */
function useArrowKeys(results: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const box = document.querySelector<HTMLElement>('header input[type=search]')
      const links = [...(results.current?.querySelectorAll<HTMLElement>('li .cut > a') ?? [])]
      const current = document.activeElement as HTMLElement | null
      const index = current ? links.indexOf(current) : -1
      if (!step || (index < 0 && (current !== box || step < 0))) return
      event.preventDefault()
      ;(links[index + step] ?? (index === 0 ? box : undefined))?.focus()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
}
