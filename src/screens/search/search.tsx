// Search results of every kind that the user may view: channels, inputs, outputs, devices, groups, users and presets.
import { atom } from 'nanostores'
import { type ReactNode, useRef } from 'react'
import { listUsers } from '../../../contract/access/user.ts'
import type { Access } from '../../../contract/call.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { listDevices } from '../../../contract/device/device.ts'
import { displaySerial } from '../../../contract/device/products.ts'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../../contract/stream/channel-health.ts'
import { listPresets } from '../../../contract/stream/preset.ts'
import { OUTPUT_PROTOCOL_NAMES, PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { listInputs, listOutputs } from '../../../contract/stream/source.ts'
import { OnlineState } from '../../parts/device/device-facts.tsx'
import { deviceLink } from '../../parts/device/device-name.tsx'
import { SERVICE_NAMES } from '../../parts/source/service-names.ts'
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
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { useArrowKeys } from './arrow-keys.ts'
import { TEXT } from './text.ts'

const $none = atom({ phase: 'denied' as const })

/** The state of a store; undefined for users who may not make its call, which is then not made. */
function useAllowed<State extends object>(call: { access: Access }, store: LiveStore<State>): State | undefined {
  const isAllowed = useStore($isAllowed)(call)
  const state = useStore((isAllowed ? store : $none) as LiveStore<State>)
  return isAllowed ? state : undefined
}

interface Section {
  title: string
  total: number
  /** Link to the whole list. */
  all: string
  rows: ReactNode[]
}

const linkRow = (key: string | number, path: string, name: string, ...details: ReactNode[]) => (
  <li key={key}>
    <a className="cut" href={`#${path}`}>
      {name}
    </a>
    {details}
  </li>
)

/** The channels, outputs and inputs that match. */
function useStreamSections(key: string, matches: (name: string) => boolean): Section[] {
  const channels = useAllowed(channelDashboard, $channels)?.items.filter(({ name }) => matches(name)) ?? []
  const inputs = useAllowed(listInputs, $inputResults)
  const outputs = useAllowed(listOutputs, $outputResults)
  const channelRows = channels.map((channel) =>
    linkRow(
      channel.id,
      linkTo('channelDetail', { channelId: String(channel.id) }),
      channel.name,
      <StatusLabel key="state" {...healthLabel(channelHealth(channel))} />
    )
  )
  const inputRows = (inputs?.items ?? []).map((input) => {
    const owners = input['owner-i']?.map((name, index) => (
      <a key={name} href={`#${linkTo('channelDetail', { channelId: String(input['owner-i-d']?.[index]) })}`}>
        {name}
      </a>
    ))
    const address = <span className="cut muted">{input['masked-url']}</span>
    return linkRow(
      input.id,
      linkTo('inputs', { key: input.name }),
      input.name,
      address,
      <span>{PROTOCOL_NAMES[input.protocol]}</span>,
      owners
    )
  })
  const outputRows = (outputs?.items ?? []).map((output) => {
    const owner = output['owner-o-d'] !== undefined && (
      <a href={`#${linkTo('channelDetail', { channelId: String(output['owner-o-d']) })}`}>{output['owner-o']}</a>
    )
    const address = <span className="cut muted">{output.addr}</span>
    return linkRow(
      output.id,
      linkTo('outputs', { key: output.name }),
      output.name,
      address,
      <span>{OUTPUT_PROTOCOL_NAMES[output.protocol]}</span>,
      owner
    )
  })
  return [
    { title: t(TEXT.channels), total: channels.length, all: linkTo('channels', { key }), rows: channelRows },
    { title: t(TEXT.inputs), total: inputs?.total ?? 0, all: linkTo('inputs', { key }), rows: inputRows },
    { title: t(TEXT.outputs), total: outputs?.total ?? 0, all: linkTo('outputs', { key }), rows: outputRows }
  ]
}

function useOtherSections(
  key: string,
  matches: (name: string) => boolean,
  highlighted: RouteName | undefined
): Section[] {
  const devices = useAllowed(listDevices, $deviceResults)
  const catalogs = useAllowed(listCatalogs, $catalogs)?.items.filter(({ name }) => matches(name)) ?? []
  const { users = [], groups = [] } = useAllowed(listUsers, $users)?.value ?? {}
  const presets = useAllowed(listPresets, $presets)?.items
  const matchingUsers = users.filter(({ name, nick }) => matches(`${name} ${nick}`))
  const userGroups = groups.filter(({ name }) => matches(name))
  const presetNames = presets ? [...SERVICE_NAMES, ...presets.map(({ name }) => name)].filter(matches) : []
  const deviceRows = (devices?.items ?? []).map((device) =>
    linkRow(
      device.id,
      deviceLink(device, highlighted),
      device.name,
      <span className="cut muted">{displaySerial(device.sn, device.module)}</span>,
      <OnlineState device={device} />
    )
  )
  return [
    { title: t(TEXT.devices), total: devices?.total ?? 0, all: linkTo('allDevices', { key }), rows: deviceRows },
    {
      title: t(TEXT.groups),
      total: catalogs.length,
      all: linkTo('allDevices'),
      rows: catalogs.map(({ id, name }) => linkRow(id, linkTo('groupDevices', { catalog: String(id) }), name))
    },
    {
      title: t(TEXT.users),
      total: matchingUsers.length + userGroups.length,
      all: linkTo('users', { key }),
      rows: [
        ...matchingUsers.map(({ id, name, nick }) =>
          linkRow(
            id,
            linkTo('users', { key: name }),
            name,
            <span key="nick" className="muted">
              {nick}
            </span>
          )
        ),
        ...userGroups.map(({ id, name }) =>
          linkRow(
            `group ${id}`,
            linkTo('userGroup', { groupId: String(id) }),
            name,
            <span key="kind">{t(TEXT.userGroup)}</span>
          )
        )
      ]
    },
    {
      title: t(TEXT.presets),
      total: presetNames.length,
      all: linkTo('outputs'),
      rows: presetNames.map((name) => linkRow(name, linkTo('outputs'), name))
    }
  ]
}

export function SearchScreen() {
  const query = useQuery()
  const key = query.get('for') ?? ''
  const highlighted = (query.get('search-navigation') ?? undefined) as RouteName | undefined
  useSearchResults(key)
  const matches = (name: string) => name.toLowerCase().includes(key.toLowerCase())
  const sections = [...useStreamSections(key, matches), ...useOtherSections(key, matches, highlighted)]
  const found = sections.filter(({ total }) => total > 0)
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
        <Card key={title} title={title} note={String(total)} action={<a href={`#${all}`}>{t(TEXT.all)}</a>}>
          <ul className="lines">{rows}</ul>
        </Card>
      ))}
    </div>
  )
}
