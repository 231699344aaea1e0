// Device lists: all, favorites, devices with warnings, devices of a group, pending and rejected devices; as a table or
// as tiles.
import type { ReactNode } from 'react'
import { listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import type { Device, DeviceListRequest } from '../../../contract/device/device.ts'
import { LINK_PORT } from '../../../contract/limits.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import { type Action, Actions, CallButton } from '../../parts/actions.tsx'
import { DeletedState, useWasSeen } from '../../parts/deleted-state.tsx'
import {
  ACCEPT,
  AddDevice,
  DEVICE_ACTIONS,
  DEVICE_COUNT,
  deviceName,
  FAVORITE,
  MOVE,
  REJECT,
  REMOVE,
  UNFAVORITE,
  UPGRADE
} from '../../parts/device/device-actions.tsx'
import { ACCEPTED_COLUMNS, GROUP_COLUMN, REGISTRATION_COLUMNS } from '../../parts/device/device-columns.tsx'
import {
  activityOf,
  DeviceName,
  DeviceState,
  DeviceWarnings,
  FamilyPicture,
  LivePreview,
  signalOf
} from '../../parts/device/device-facts.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { useTileView } from '../../parts/view-toggle.tsx'
import { linkTo } from '../../paths.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { $draggedDevices } from '../../state/drag.ts'
import { useParams, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { usePageTitle } from '../../state/title.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import type { BulkActions, OnDrag } from '../../ui/list-frame.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { Table } from '../../ui/table/table.tsx'
import { Tiles } from '../../ui/table/tiles.tsx'
import { useStore } from '../../ui/use-store.ts'
import { isFiltered, removeFilter, requestOf, setSorting, sortingOf, WARNING_STATUS } from './filter.ts'
import { Filters } from './filters.tsx'
import { useDeviceList } from './store.ts'
import { TEXT } from './text.ts'

interface ScreenProps {
  /** Key of the list's settings: columns and view. */
  name: string
  /** The request without the user's filters. */
  list: DeviceListRequest
  /** Actions on the selected devices. Accepted devices have further actions in a menu. */
  bulkActions?: readonly Action<Device>[]
  /** Further controls above the list. */
  toolbar?: ReactNode
  /** What to do if the list is empty. */
  nextStep?: Translation
}

const keyOf = ({ id }: Device) => id

const handleDrag: OnDrag<Device> = (devices, remoteSelection) =>
  $draggedDevices.set(devices ? (remoteSelection?.fetchRows ?? (() => Promise.resolve(devices))) : null)

function DeviceListScreen({ name, list, bulkActions = [MOVE, FAVORITE, REMOVE], toolbar, nextStep }: ScreenProps) {
  const query = useQuery()
  const isAllowed = useStore($isAllowed)
  const isAccepted = !list['reg-state']
  const columns = isAccepted ? ACCEPTED_COLUMNS : REGISTRATION_COLUMNS
  const sorting = sortingOf(query, columns)
  const { $list, devices, paged } = useDeviceList(list, requestOf(query, sorting, list))
  const placeholder = usePlaceholder(
    $list,
    paged.total === 0,
    <EmptyDeviceList isFiltered={isFiltered(query)} nextStep={nextStep} />
  )

  const [isTileView, viewToggle] = useTileView(name)
  const showTiles = isAccepted && isTileView
  const menuActions = isAccepted ? DEVICE_ACTIONS : undefined
  // Who came from a firmware file wants to install it.
  const firstActions = query.has('firmware') ? [UPGRADE] : bulkActions
  const rowActions = (device: Device) => (
    <Actions actions={isAccepted ? [] : bulkActions} menuActions={menuActions} rows={[device]} nameOf={deviceName} />
  )
  const actions: BulkActions<Device> = (selected, clear, remoteSelection) => (
    <Actions
      actions={firstActions}
      menuActions={menuActions?.filter((action) => !firstActions.includes(action))}
      rows={selected}
      remoteSelection={remoteSelection}
      nameOf={deviceName}
      countText={DEVICE_COUNT}
      onDone={clear}
    />
  )
  const shared = {
    label: t(TEXT.devices),
    rows: devices,
    paged,
    keyOf,
    nameOf: deviceName,
    toolbar: (
      <>
        <Filters query={query} list={list} />
        {isAccepted && viewToggle}
        {name === 'devices' && <AddDevice />}
        {toolbar}
      </>
    ),
    actions,
    // Devices are dropped on a group in the menu.
    onDrag: isAccepted && isAllowed(setCatalog) ? handleDrag : undefined,
    placeholder
  }
  if (showTiles)
    return <Tiles {...shared}>{(device) => <DeviceTile device={device}>{rowActions(device)}</DeviceTile>}</Tiles>
  return (
    <Table
      {...shared}
      settingsKey={name}
      columns={isAllowed(listCatalogs) ? columns : columns.filter((column) => column !== GROUP_COLUMN)}
      sorting={sorting}
      onSort={setSorting}
      rowActions={rowActions}
    />
  )
}

export const AllDevicesScreen = () => <DeviceListScreen name="devices" list={{}} nextStep={TEXT.join} />
export const FavoriteDevicesScreen = () => (
  <DeviceListScreen
    name="favorites"
    list={{ 'is-favorite': 1 }}
    bulkActions={[MOVE, UNFAVORITE, REMOVE]}
    nextStep={TEXT.noneFavorite}
  />
)
export const WarningDevicesScreen = () => <DeviceListScreen name="warnings" list={{ status: WARNING_STATUS }} />
export const PendingDevicesScreen = () => (
  <DeviceListScreen
    name="pending"
    list={{ 'reg-state': 'waiting' }}
    bulkActions={[ACCEPT, REJECT]}
    nextStep={TEXT.join}
  />
)
export const RejectedDevicesScreen = () => (
  <DeviceListScreen name="rejected" list={{ 'reg-state': 'rejected' }} bulkActions={[ACCEPT, REMOVE]} />
)

/** The devices of a group. Group 0 stands for devices without a group. */
export function GroupDevicesScreen() {
  const catalog = Number(useParams().catalog)
  const { items, phase } = useStore($catalogs)
  const isAllowed = useStore($isAllowed)
  const group = items.find(({ id }) => id === catalog)
  const name = catalog === 0 ? t(TEXT.noGroup) : group?.name
  usePageTitle(name)
  const isMissing = phase === 'ready' && name === undefined
  if (useWasSeen(name !== undefined) && isMissing) return <DeletedState icon="group" list={linkTo('allDevices')} />
  return (
    <DeviceListScreen
      name="group"
      list={{ catalog }}
      toolbar={
        group && (
          <CallButton
            call={setCatalog}
            icon="key"
            label={t(ACCESS_TEXT.access)}
            onClick={() => openAccess({ of: 'catalog', objects: [group] })}
          />
        )
      }
      nextStep={isMissing ? TEXT.gone : isAllowed(setCatalog) ? TEXT.noneGroup : undefined}
    />
  )
}

interface EmptyDeviceListProps {
  /** A search or a filter is active. */
  isFiltered: boolean
  /** What to do next if the list is empty without a filter. */
  nextStep?: Translation
}

/** Empty state of a device list: the reason, and the next step. */
function EmptyDeviceList({ isFiltered, nextStep }: EmptyDeviceListProps) {
  const { info, device } = useStore($system).value?.status.system ?? {}
  if (isFiltered)
    return (
      <EmptyState icon="search" title={t(TEXT.noneFound)}>
        <Button label={t(TEXT.clearSearch)} onClick={removeFilter} />
      </EmptyState>
    )
  return (
    <EmptyState icon="devices" title={t(TEXT.none)} text={nextStep && t(nextStep, info?.['link-port'] ?? LINK_PORT)}>
      {nextStep === TEXT.join && !!device?.['num-pending'] && (
        <a className="button main" href={`#${linkTo('pendingDevices')}`}>
          {t(TEXT.pending)}
        </a>
      )}
    </EmptyState>
  )
}

/** The tile of a device, with its live preview. The preview is requested from the hub only while it is on screen. */
function DeviceTile({ device, children }: { device: Device; children: ReactNode }) {
  return (
    <>
      <LivePreview device={device} />
      <DeviceState device={device} pill />
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            <DeviceName device={device} />
          </strong>
          <small className="cut muted">
            <FamilyPicture module={device.module} /> {activityOf(device) || signalOf(device) || device['module-name']}
          </small>
        </span>
        <DeviceWarnings device={device} />
        {children}
      </footer>
    </>
  )
}
