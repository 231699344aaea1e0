// The device lists: all, those one likes, those that warn, those of a group, those that wait for approval, those that were rejected; as
// a list or as live pictures.
import { listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import type { Device, DeviceListRequest } from '../../../contract/device/device.ts'
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
} from '../../parts/device/device-actions.tsx'
import { ACCEPTED, APPLICANTS, GROUP } from '../../parts/device/device-columns.tsx'
import { useInstead } from '../../parts/load-state.tsx'
import { usePictures } from '../../parts/view-toggle.tsx'
import { $catalogs } from '../../state/catalogs.ts'
import { $dragged } from '../../state/drag.ts'
import { useParams, useQuery } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { useTitle } from '../../state/title.ts'
import { type Pair, t } from '../../text/language.ts'
import type { ChosenActions, OnDrag } from '../../ui/list-toolbar.tsx'
import { Table } from '../../ui/table/table.tsx'
import { Tiles } from '../../ui/table/tiles.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Nothing } from './empty.tsx'
import { isNarrowed, requestOf, setSorting, sortingOf, WARNS } from './filter.ts'
import { Filters } from './filters.tsx'
import { useDevices } from './store.ts'
import { TEXT } from './text.ts'
import { DeviceTile } from './tile.tsx'

interface ScreenProps {
  /** Under which its columns and its view are kept. */
  name: string
  /** What makes the list, whatever the user looks for in it. */
  list: DeviceListRequest
  /** What can be done to the chosen ones; to an accepted one, more in a menu. */
  bar?: readonly Action<Device>[]
  /** What to do where it is empty. */
  next?: Pair
}

const keyOf = ({ id }: Device) => id

const drag: OnDrag<Device> = (devices, whole) =>
  $dragged.set(devices ? (whole?.take ?? (() => Promise.resolve(devices))) : null)

function DeviceListScreen({ name, list, bar = [MOVE, FAVORITE, REMOVE], next }: ScreenProps) {
  const query = useQuery()
  const may = useStore($may)
  const accepted = !list['reg-state']
  const columns = accepted ? ACCEPTED : APPLICANTS
  const sorting = sortingOf(query, columns)
  const { $list, devices, paged } = useDevices(list, requestOf(query, sorting, list))
  const instead = useInstead($list, paged.total === 0, <Nothing narrowed={isNarrowed(query)} next={next} />)

  const [chosen, turn] = usePictures(name)
  const pictures = accepted && chosen
  const more = accepted ? DEVICE_ACTIONS : undefined
  const rowActions = (device: Device) => (
    <Actions actions={accepted ? [] : bar} more={more} rows={[device]} nameOf={deviceName} />
  )
  const actions: ChosenActions<Device> = (some, clear, whole) => (
    <Actions
      actions={bar}
      more={more?.filter((one) => !bar.includes(one))}
      rows={some}
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
        <Filters query={query} list={list} />
        {accepted && turn}
        {name === 'devices' && <AddDevice />}
      </>
    ),
    actions,
    // Where they may be put, in the menu.
    onDrag: accepted && may(setCatalog) ? drag : undefined,
    instead
  }
  if (pictures)
    return <Tiles {...shared}>{(device) => <DeviceTile device={device}>{rowActions(device)}</DeviceTile>}</Tiles>
  return (
    <Table
      {...shared}
      list={name}
      columns={may(listCatalogs) ? columns : columns.filter((column) => column !== GROUP)}
      sorting={sorting}
      onSort={setSorting}
      rowActions={rowActions}
    />
  )
}

export const AllDevicesScreen = () => <DeviceListScreen name="devices" list={{}} next={TEXT.join} />
export const FavoriteDevicesScreen = () => (
  <DeviceListScreen
    name="favorites"
    list={{ 'is-favorite': 1 }}
    bar={[MOVE, UNFAVORITE, REMOVE]}
    next={TEXT.noneFavorite}
  />
)
export const WarningDevicesScreen = () => <DeviceListScreen name="warnings" list={{ status: WARNS }} />
export const PendingDevicesScreen = () => (
  <DeviceListScreen name="pending" list={{ 'reg-state': 'waiting' }} bar={[ACCEPT, REJECT]} next={TEXT.join} />
)
export const RejectedDevicesScreen = () => (
  <DeviceListScreen name="rejected" list={{ 'reg-state': 'rejected' }} bar={[ACCEPT, REMOVE]} />
)

/** The devices of a group; of group 0, those in none. */
export function GroupDevicesScreen() {
  const catalog = Number(useParams().catalog)
  const { items, phase } = useStore($catalogs)
  const may = useStore($may)
  const name = catalog === 0 ? t(TEXT.noGroup) : items.find(({ id }) => id === catalog)?.name
  useTitle(name)
  const gone = phase === 'ready' && name === undefined
  return (
    <DeviceListScreen
      name="group"
      list={{ catalog }}
      next={gone ? TEXT.gone : may(setCatalog) ? TEXT.noneGroup : undefined}
    />
  )
}
