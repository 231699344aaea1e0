// The device lists: all, those that warn, those that wait for approval, those that were rejected; as a list or as live pictures.
import { acceptDevices, type Device, deleteDevices, rejectDevices } from '../../../contract/device.ts'
import { FAMILY_NAMES, shownSerial } from '../../../contract/products.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { ago } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Segments } from '../../ui/choice.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { type Action, ChosenActions, RowActions } from './actions.tsx'
import { Instead } from './condition.tsx'
import { activityOf, directionOf, Presence, Warnings } from './facts.tsx'
import { Pictures } from './pictures.tsx'
import { ALL, type DeviceList, PENDING, REJECTED, WARNING } from './store.ts'
import { TEXT } from './text.ts'

const NAME: Column<Device> = {
  key: 'name',
  title: TEXT.name,
  cell: (device) => device.name,
  sort: (device) => device.name
}
const SERIAL: Column<Device> = {
  key: 'sn',
  title: TEXT.sn,
  cell: (device) => shownSerial(device.sn, device.module),
  sort: (device) => device.sn
}
const MODEL: Column<Device> = {
  key: 'model',
  title: TEXT.model,
  cell: (device) => device['module-name'],
  sort: (device) => device['module-name']
}
const FAMILY: Column<Device> = {
  key: 'family',
  title: TEXT.family,
  cell: (device) => FAMILY_NAMES[device.module] ?? '',
  sort: (device) => FAMILY_NAMES[device.module] ?? '',
  hide: true
}
const IP: Column<Device> = {
  key: 'ip',
  title: TEXT.ip,
  cell: (device) => device.status?.eth ?? '',
  sort: (device) => device.status?.eth ?? '',
  hide: 'sm'
}
const LINK_IP: Column<Device> = {
  key: 'link-ip',
  title: TEXT.linkIp,
  cell: (device) => device['connect-ip'] ?? '',
  sort: (device) => device['connect-ip'] ?? '',
  hide: 'xs'
}
const FIRMWARE: Column<Device> = {
  key: 'firmware',
  title: TEXT.firmware,
  cell: (device) => device['firmware-ver'],
  sort: (device) => device['firmware-ver'],
  hide: 'sm'
}
const HARDWARE: Column<Device> = {
  key: 'hardware',
  title: TEXT.hardware,
  cell: (device) => device['hardware-ver'],
  sort: (device) => device['hardware-ver'],
  hide: true
}
const SUBMITTED: Column<Device> = {
  key: 'submitted',
  title: TEXT.applied,
  cell: (device) => <Since at={device['apply-date']} say={ago} />,
  sort: (device) => device['apply-date']
}
const STATE: Column<Device> = {
  key: 'state',
  title: TEXT.state,
  cell: (device) => <Presence device={device} />,
  sort: (device) => (device['online-date'] > 0 ? 0 : 1)
}

/** Columns of devices that wait for a decision, or were refused. */
const APPLICANTS: readonly Column<Device>[] = [
  NAME,
  SERIAL,
  MODEL,
  FAMILY,
  LINK_IP,
  FIRMWARE,
  HARDWARE,
  STATE,
  SUBMITTED
]

/** Columns of accepted devices. */
const ACCEPTED: readonly Column<Device>[] = [
  NAME,
  STATE,
  { ...SERIAL, hide: 'xs' },
  MODEL,
  FAMILY,
  {
    key: 'input',
    title: TEXT.signal,
    cell: (device) => device['pro-feature']?.input ?? '',
    sort: (device) => device['pro-feature']?.input ?? '',
    hide: 'sm'
  },
  {
    key: 'warnings',
    title: TEXT.warnings,
    cell: (device) => <Warnings device={device} />,
    sort: (device) => -device['dev-warns']
  },
  {
    key: 'activity',
    title: TEXT.running,
    cell: activityOf,
    sort: activityOf,
    hide: true
  },
  {
    key: 'channels',
    title: TEXT.channels,
    cell: (device) => device['owner-i']?.join(', ') ?? '',
    sort: (device) => device['owner-i']?.join() ?? '',
    hide: 'md'
  },
  { key: 'direction', title: TEXT.direction, cell: directionOf, sort: directionOf, hide: true },
  IP,
  { ...LINK_IP, hide: true },
  FIRMWARE,
  HARDWARE,
  { ...SUBMITTED, hide: true }
]

interface ScreenProps {
  /** Under which its column settings are kept. */
  name: string
  list: DeviceList
  columns: readonly Column<Device>[]
  actions: readonly Action[]
  /** Live pictures are an alternative. */
  pictures?: boolean
  /** What is said where there is no device at all. */
  none: 'noneYet' | 'nonePending' | 'noneRejected' | 'noneWarning'
}

function DeviceListScreen({ name, list, columns, actions, pictures, none }: ScreenProps) {
  const state = useStore(list.$list)
  const query = useQuery()
  const key = query.get('key') ?? ''
  const family = query.get('family') ?? ''
  const presence = query.get('state') ?? ''
  const view = pictures && query.get('view') === 'view' ? 'view' : 'list'
  const narrowed = key !== '' || family !== '' || presence !== ''
  const rows = state.items.filter((device) => fits(device, key, family, presence))
  const showAll = () => setQuery({ key: '', family: '', state: '' })

  const tools = (
    <>
      <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
      <select
        aria-label={t(TEXT.family)}
        value={family}
        onChange={(event) => setQuery({ family: event.currentTarget.value })}
      >
        <option value="">{t(TEXT.everyFamily)}</option>
        {familiesOf(state.items).map((module) => (
          <option key={module} value={module}>
            {FAMILY_NAMES[module] ?? module}
          </option>
        ))}
      </select>
      {pictures && (
        <>
          <select
            aria-label={t(TEXT.state)}
            value={presence}
            onChange={(event) => setQuery({ state: event.currentTarget.value })}
          >
            <option value="">{t(TEXT.everyState)}</option>
            <option value="online">{t(TEXT.online)}</option>
            <option value="offline">{t(TEXT.offline)}</option>
          </select>
          <Segments
            bare
            label={t(TEXT.view)}
            value={view}
            options={[
              { value: 'list', label: t(TEXT.list), icon: 'list' },
              { value: 'view', label: t(TEXT.pictures), icon: 'grid' }
            ]}
            onChange={(chosen) => setQuery({ view: chosen === 'list' ? '' : chosen })}
          />
        </>
      )}
    </>
  )
  const instead =
    rows.length === 0 ? (
      <Instead state={state} retry={list.$list.refresh} narrowed={narrowed} onShowAll={showAll} none={none} />
    ) : undefined

  if (view === 'view')
    return (
      <>
        <div className="tools">{tools}</div>
        {instead ?? <Pictures devices={rows} actions={actions} list={list} />}
      </>
    )
  return (
    <Table
      list={name}
      label={t(TEXT[none === 'noneYet' ? 'all' : 'devices'])}
      columns={columns}
      rows={rows}
      keyOf={(device) => device.id}
      nameOf={(device) => device.name}
      sorting={{ key: 'name', order: 'ascending' }}
      tools={tools}
      actions={(chosen, clear) => <ChosenActions actions={actions} devices={chosen} list={list} onDone={clear} />}
      rowActions={(device) => <RowActions actions={actions} device={device} list={list} />}
      instead={instead}
    />
  )
}

function fits(device: Device, key: string, family: string, presence: string): boolean {
  if (family && String(device.module) !== family) return false
  if (presence && (device['online-date'] > 0 ? 'online' : 'offline') !== presence) return false
  return !key || `${device.name}\n${device.sn}`.toLowerCase().includes(key.toLowerCase())
}

/** The families there are, in the specification's order. */
function familiesOf(devices: readonly Device[]): number[] {
  return [...new Set(devices.map((device) => device.module))].sort((a, b) => a - b)
}

const ACCEPT: Action = { call: acceptDevices, icon: 'check', one: TEXT.accept, many: TEXT.acceptMany, kind: 'main' }
const REJECT: Action = {
  call: rejectDevices,
  icon: 'rejected',
  one: TEXT.reject,
  many: TEXT.rejectMany,
  ask: { title: TEXT.rejectTitle, text: TEXT.rejectText }
}
const REMOVE: Action = {
  call: deleteDevices,
  icon: 'delete',
  one: TEXT.remove,
  many: TEXT.removeMany,
  kind: 'danger',
  ask: { title: TEXT.removeTitle, text: TEXT.removeText }
}

export function AllDevicesScreen() {
  return <DeviceListScreen name="devices" list={ALL} columns={ACCEPTED} actions={[REMOVE]} pictures none="noneYet" />
}

export function WarningDevicesScreen() {
  return (
    <DeviceListScreen
      name="warnings"
      list={WARNING}
      columns={ACCEPTED}
      actions={[REMOVE]}
      pictures
      none="noneWarning"
    />
  )
}

export function PendingDevicesScreen() {
  return (
    <DeviceListScreen
      name="pending"
      list={PENDING}
      columns={APPLICANTS}
      actions={[ACCEPT, REJECT]}
      none="nonePending"
    />
  )
}

export function RejectedDevicesScreen() {
  return (
    <DeviceListScreen
      name="rejected"
      list={REJECTED}
      columns={APPLICANTS}
      actions={[ACCEPT, REMOVE]}
      none="noneRejected"
    />
  )
}
