// The device lists: all, those that warn, those that wait for approval, those that were rejected; as a list or as live pictures.
import { acceptDevices, type Device, deleteDevices, rejectDevices } from '../../../contract/device.ts'
import { FAMILY_NAMES, shownSerial } from '../../../contract/products.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { activityOf, directionOf, Presence, signalOf, Warnings } from '../../parts/device-facts.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { ago } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { Segments } from '../../ui/choice.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Nothing } from './nothing.tsx'
import { Pictures } from './pictures.tsx'
import { ALL, type DeviceCall, type DeviceList, onDevices, PENDING, REJECTED, WARNING } from './store.ts'
import { TEXT } from './text.ts'

const NAME: Column<Device> = {
  key: 'name',
  title: TEXT.name,
  text: (device) => device.name
}
const SERIAL: Column<Device> = {
  key: 'sn',
  title: TEXT.sn,
  text: (device) => shownSerial(device.sn, device.module)
}
const MODEL: Column<Device> = {
  key: 'model',
  title: TEXT.model,
  text: (device) => device['module-name']
}
const FAMILY: Column<Device> = {
  key: 'family',
  title: TEXT.family,
  text: (device) => FAMILY_NAMES[device.module] ?? '',
  hide: true
}
const IP: Column<Device> = {
  key: 'ip',
  title: TEXT.ip,
  text: (device) => device.status?.eth ?? '',
  hide: 'sm'
}
const LINK_IP: Column<Device> = {
  key: 'link-ip',
  title: TEXT.linkIp,
  text: (device) => device['connect-ip'] ?? '',
  hide: 'xs'
}
const FIRMWARE: Column<Device> = {
  key: 'firmware',
  title: TEXT.firmware,
  text: (device) => device['firmware-ver'],
  hide: 'sm'
}
const HARDWARE: Column<Device> = {
  key: 'hardware',
  title: TEXT.hardware,
  text: (device) => device['hardware-ver'],
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
    text: signalOf,
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
    text: activityOf,
    hide: true
  },
  {
    key: 'channels',
    title: TEXT.channels,
    text: (device) => device['owner-i']?.join(', ') ?? '',
    hide: 'md'
  },
  { key: 'direction', title: TEXT.direction, text: directionOf, hide: true },
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
  actions: readonly Action<Device>[]
  /** Live pictures are an alternative. */
  pictures?: boolean
  /** What is said where there is no device at all. */
  none: Pair
}

function DeviceListScreen({ name, list, columns, actions, pictures, none }: ScreenProps) {
  const state = useStore(list.$list)
  const query = useQuery()
  const key = query.get('key') ?? ''
  const family = query.get('family') ?? ''
  const presence = query.get('state') ?? ''
  const view = pictures && query.get('view') === 'view' ? 'view' : 'list'
  const rows = state.items.filter((device) => fits(device, key, family, presence))

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
  const nothing = <Nothing narrowed={state.items.length > 0} none={none} />
  const instead = useInstead(list.$list, rows.length === 0, nothing)

  if (view === 'view')
    return (
      <>
        <div className="tools">{tools}</div>
        {instead ?? <Pictures devices={rows} actions={actions} />}
      </>
    )
  return (
    <Table
      list={name}
      label={t(TEXT.devices)}
      columns={columns}
      rows={rows}
      keyOf={(device) => device.id}
      nameOf={nameOf}
      sorting={{ key: 'name', order: 'ascending' }}
      tools={tools}
      actions={(chosen, clear) => (
        <Actions actions={actions} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
      )}
      rowActions={(device) => <Actions actions={actions} rows={[device]} nameOf={nameOf} />}
      instead={instead}
    />
  )
}

const nameOf = (device: Device) => device.name

function fits(device: Device, key: string, family: string, presence: string): boolean {
  if (family && String(device.module) !== family) return false
  if (presence && (device['online-date'] > 0 ? 'online' : 'offline') !== presence) return false
  return !key || `${device.name}\n${device.sn}`.toLowerCase().includes(key.toLowerCase())
}

/** The families there are, in the specification's order. */
function familiesOf(devices: readonly Device[]): number[] {
  return [...new Set(devices.map((device) => device.module))].sort((a, b) => a - b)
}

function action(list: DeviceList, call: DeviceCall, rest: Omit<Action<Device>, 'call' | 'run'>): Action<Device> {
  return { call, run: (devices) => onDevices(call, devices, list, t(rest.one)), ...rest }
}

const accept = (list: DeviceList) =>
  action(list, acceptDevices, { icon: 'check', one: TEXT.accept, many: TEXT.acceptMany, kind: 'main' })
const reject = (list: DeviceList) =>
  action(list, rejectDevices, {
    icon: 'rejected',
    one: TEXT.reject,
    many: TEXT.rejectMany,
    ask: { title: TEXT.rejectTitle, text: TEXT.rejectText }
  })
const remove = (list: DeviceList) =>
  action(list, deleteDevices, {
    icon: 'delete',
    one: TEXT.remove,
    many: TEXT.removeMany,
    kind: 'danger',
    ask: { title: TEXT.removeTitle, text: TEXT.removeText }
  })

const SCREENS = {
  all: { name: 'devices', list: ALL, columns: ACCEPTED, actions: [remove(ALL)], pictures: true, none: TEXT.noneYet },
  warning: {
    name: 'warnings',
    list: WARNING,
    columns: ACCEPTED,
    actions: [remove(WARNING)],
    pictures: true,
    none: TEXT.noneWarning
  },
  pending: {
    name: 'pending',
    list: PENDING,
    columns: APPLICANTS,
    actions: [accept(PENDING), reject(PENDING)],
    none: TEXT.nonePending
  },
  rejected: {
    name: 'rejected',
    list: REJECTED,
    columns: APPLICANTS,
    actions: [accept(REJECTED), remove(REJECTED)],
    none: TEXT.noneRejected
  }
} as const satisfies Record<string, ScreenProps>

export const AllDevicesScreen = () => <DeviceListScreen {...SCREENS.all} />
export const WarningDevicesScreen = () => <DeviceListScreen {...SCREENS.warning} />
export const PendingDevicesScreen = () => <DeviceListScreen {...SCREENS.pending} />
export const RejectedDevicesScreen = () => <DeviceListScreen {...SCREENS.rejected} />
