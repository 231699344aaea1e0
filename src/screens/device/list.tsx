// The device lists: all, those one likes, those that warn, those of a group, those that wait for approval, those that were rejected; as
// a list or as live pictures.
import { listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import type { Device } from '../../../contract/device.ts'
import type { Action } from '../../parts/actions.tsx'
import { Actions } from '../../parts/actions.tsx'
import {
  ACCEPT,
  AddDevice,
  DEVICE_ACTIONS,
  deviceName,
  FAVORITE,
  MOVE,
  REJECT,
  REMOVE,
  THESE_DEVICES,
  UNFAVORITE
} from '../../parts/device-actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { $catalogs } from '../../state/catalogs.ts'
import { $dragged } from '../../state/dragged.ts'
import { useParams, useQuery } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { useTitle } from '../../state/title.ts'
import { t } from '../../text/language.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Tiles } from '../../ui/tiles.tsx'
import type { ChosenActions, OnDrag } from '../../ui/tools.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ACCEPTED, APPLICANTS, GROUP } from './columns.tsx'
import { type FilterName, isNarrowed, requestOf, setSorting, sortingOf } from './filter.ts'
import { Filters } from './filters.tsx'
import { type None, Nothing } from './nothing.tsx'
import {
  ALL,
  type DeviceList,
  FAVORITE as FAVORITES,
  groupList,
  PENDING,
  REJECTED,
  useDevices,
  WARNING
} from './store.ts'
import { TEXT } from './text.ts'
import { DeviceTile } from './tile.tsx'
import { useView, ViewSwitch } from './view.tsx'

type DeviceActions = readonly Action<Device>[]

interface ScreenProps {
  /** Under which its columns and its view are kept. */
  name: string
  list: DeviceList
  columns: readonly Column<Device>[]
  /** What can be done to a row, and to the chosen ones; `more` in a menu. */
  row: DeviceActions
  bar: DeviceActions
  more?: DeviceActions
  /** What it settles itself. */
  settled?: readonly FilterName[]
  none: None
}

const keyOf = ({ id }: Device) => id

const drag: OnDrag<Device> = (devices, whole) =>
  $dragged.set(devices ? (whole?.take ?? (() => Promise.resolve(devices))) : null)

function DeviceListScreen({ name, list, columns, row, bar, more, settled = [], none }: ScreenProps) {
  const query = useQuery()
  const may = useStore($may)
  const { devices, paged } = useDevices(list, requestOf(query, list.request))
  const pictures = columns === ACCEPTED
  const [view, chooseView] = useView(name, query)
  const instead = useInstead(list.$list, paged.total === 0, <Nothing narrowed={isNarrowed(query)} none={none} />)

  const rowActions = (device: Device) => <Actions actions={row} more={more} rows={[device]} nameOf={deviceName} />
  const actions: ChosenActions<Device> = (chosen, clear, whole) => (
    <Actions
      actions={bar}
      more={more?.filter((one) => !bar.includes(one))}
      rows={chosen}
      whole={whole}
      nameOf={deviceName}
      these={THESE_DEVICES}
      onDone={clear}
    />
  )
  const shared = {
    label: t(TEXT.devices),
    rows: devices,
    paged,
    keyOf,
    nameOf: deviceName,
    tools: (
      <>
        <Filters query={query} settled={pictures ? settled : [...settled, 'state', 'group', 'dir']} />
        {pictures && <ViewSwitch view={view} onChoose={chooseView} />}
        {list === ALL && <AddDevice />}
      </>
    ),
    actions,
    // Where they may be put, in the menu.
    onDrag: pictures && may(setCatalog) ? drag : undefined,
    instead
  }
  if (pictures && view === 'view')
    return <Tiles {...shared}>{(device) => <DeviceTile device={device}>{rowActions(device)}</DeviceTile>}</Tiles>
  return (
    <Table
      {...shared}
      list={name}
      columns={may(listCatalogs) ? columns : columns.filter((column) => column !== GROUP)}
      sorting={sortingOf(query)}
      onSort={setSorting}
      rowActions={rowActions}
    />
  )
}

const MANAGED = {
  columns: ACCEPTED,
  row: [],
  bar: [MOVE, FAVORITE, REMOVE],
  more: DEVICE_ACTIONS
} as const satisfies Partial<ScreenProps>

const SCREENS = {
  all: { ...MANAGED, name: 'devices', list: ALL, none: { title: TEXT.noneYet, next: 'join', count: 'num-all' } },
  favorite: {
    ...MANAGED,
    name: 'favorites',
    list: FAVORITES,
    bar: [MOVE, UNFAVORITE, REMOVE],
    none: { title: TEXT.noneFavorite, icon: 'star', next: TEXT.noneFavoriteText }
  },
  warning: {
    ...MANAGED,
    name: 'warnings',
    list: WARNING,
    // Only what is online warns.
    settled: ['state'],
    none: { title: TEXT.noneWarning, icon: 'check', count: 'num-warn' }
  },
  pending: {
    name: 'pending',
    list: PENDING,
    columns: APPLICANTS,
    row: [ACCEPT, REJECT],
    bar: [ACCEPT, REJECT],
    none: { title: TEXT.nonePending, next: 'join', count: 'num-pending' }
  },
  rejected: {
    name: 'rejected',
    list: REJECTED,
    columns: APPLICANTS,
    row: [ACCEPT, REMOVE],
    bar: [ACCEPT, REMOVE],
    none: { title: TEXT.noneRejected, count: 'num-rejected' }
  }
} as const satisfies Record<string, ScreenProps>

export const AllDevicesScreen = () => <DeviceListScreen {...SCREENS.all} />
export const FavoriteDevicesScreen = () => <DeviceListScreen {...SCREENS.favorite} />
export const WarningDevicesScreen = () => <DeviceListScreen {...SCREENS.warning} />
export const PendingDevicesScreen = () => <DeviceListScreen {...SCREENS.pending} />
export const RejectedDevicesScreen = () => <DeviceListScreen {...SCREENS.rejected} />

/** The devices of a group; of group 0, those in none. */
export function GroupDevicesScreen() {
  const id = Number(useParams().catalog)
  const { items, phase } = useStore($catalogs)
  const name = id === 0 ? t(TEXT.noGroup) : items.find((catalog) => catalog.id === id)?.name
  useTitle(name)
  const gone = phase === 'ready' && name === undefined
  return (
    <DeviceListScreen
      {...MANAGED}
      name="group"
      list={groupList(id)}
      settled={['group']}
      none={
        gone ? { title: TEXT.gone, icon: 'group' } : { title: TEXT.noneGroup, icon: 'group', next: TEXT.noneGroupText }
      }
    />
  )
}
