// The list of devices. Pending, rejected and favorite devices, those with warnings and those of a group are filters of
// it, with routes of their own. A table or tiles.
import { type ReactNode, useEffect } from 'react'
import type { ViewList } from '../../../contract/access/saved-view.ts'
import { listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import { acceptDevices, type Device, type DeviceListRequest } from '../../../contract/device/device.ts'
import { LINK_PORT } from '../../../contract/limits.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import { type Action, Actions, CallButton } from '../../parts/actions.tsx'
import { DeletedState, useWasSeen } from '../../parts/deleted-state.tsx'
import { AddDevice } from '../../parts/device/add-device.tsx'
import {
  ACCEPT,
  CONNECTION,
  DEVICE_ACTIONS,
  DEVICE_COUNT,
  deviceName,
  MOVE,
  REBOOT,
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
import { type Chip, FilterChips } from '../../parts/filter-chips.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { TAG_COLUMN, tagChip } from '../../parts/tag/tags.tsx'
import * as TAG_TEXT from '../../parts/tag/text.ts'
import { useListView } from '../../parts/view-toggle.tsx'
import { linkTo, matchRoute, type RouteName } from '../../paths.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { $draggedDevices } from '../../state/drag.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate, useHashLocation, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { $tags } from '../../state/tags.ts'
import { usePageTitle } from '../../state/title.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import type { BulkActions, OnDrag } from '../../ui/list-frame.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { isAtMost, useScreenSize } from '../../ui/screen-size.ts'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Tiles } from '../../ui/table/tiles.tsx'
import { useStore } from '../../ui/use-store.ts'
import {
  isFiltered,
  type ListRoute,
  listLink,
  removeFilter,
  requestOf,
  restoreFilters,
  setFilters,
  setSorting,
  sortingOf,
  WARNING_STATUS
} from './filter.ts'
import { Filters } from './filters.tsx'
import { useDeviceList } from './store.ts'
import { TEXT } from './text.ts'

interface DeviceList {
  /** The request without the user's filters. */
  list: DeviceListRequest
  /** Actions on the selected devices, the most used first. Accepted devices have further actions in a menu. */
  bulkActions?: readonly Action<Device>[]
  /** The list in saved views. Without it there are none. */
  savedViews?: ViewList
  /** What to do if the list is empty. */
  nextStep?: Translation
}

const BULK_ACTIONS: readonly Action<Device>[] = [MOVE, CONNECTION, UPGRADE, REBOOT, REMOVE]
/** For devices that are listed for their firmware. */
const FIRMWARE_ACTIONS: readonly Action<Device>[] = [UPGRADE, MOVE, CONNECTION, REBOOT, REMOVE]
/** Buttons on a phone; the others are in the menu. */
const PHONE_BUTTONS = 2

const LISTS: Readonly<Record<Exclude<ListRoute, 'groupDevices'>, DeviceList>> = {
  allDevices: { list: {}, savedViews: 'devices', nextStep: TEXT.join },
  pendingDevices: { list: { 'reg-state': 'waiting' }, bulkActions: [ACCEPT, REJECT], nextStep: TEXT.join },
  rejectedDevices: { list: { 'reg-state': 'rejected' }, bulkActions: [ACCEPT, REMOVE] },
  warningDevices: { list: { status: WARNING_STATUS }, savedViews: 'device-warnings' },
  favoriteDevices: {
    list: { 'is-favorite': 1 },
    savedViews: 'device-favorites',
    bulkActions: [MOVE, CONNECTION, UPGRADE, REBOOT, UNFAVORITE, REMOVE],
    nextStep: TEXT.noneFavorite
  }
}

const isListRoute = (route: RouteName): route is keyof typeof LISTS => Object.hasOwn(LISTS, route)

const TAGGED_COLUMNS = [...ACCEPTED_COLUMNS, TAG_COLUMN as Column<Device>]

const keyOf = ({ id }: Device) => id

const handleDrag: OnDrag<Device> = (devices, remoteSelection) =>
  $draggedDevices.set(devices ? (remoteSelection?.fetchRows ?? (() => Promise.resolve(devices))) : null)

/** The list of a route. */
export function DeviceListScreen() {
  const [path] = useHashLocation()
  const { routeName = 'allDevices', params } = matchRoute(path)
  useEffect(() => {
    if (routeName === 'allDevices') restoreFilters()
  }, [])
  if (routeName === 'groupDevices') return <GroupDevices key={path} catalog={Number(params?.catalog)} />
  // When the path leads elsewhere, the screen may be rendered once more before it is removed.
  return isListRoute(routeName) ? <DeviceListView route={routeName} {...LISTS[routeName]} /> : null
}

interface DeviceListViewProps extends DeviceList {
  route: ListRoute
  /** Name of the group, if the list is that of a group. */
  groupName?: string
  /** Further controls above the list. */
  toolbar?: ReactNode
}

function DeviceListView({
  route,
  list,
  bulkActions = BULK_ACTIONS,
  toolbar,
  savedViews,
  nextStep,
  groupName
}: DeviceListViewProps) {
  const query = useQuery()
  const isAllowed = useStore($isAllowed)
  const isPhone = isAtMost('xs', useScreenSize())
  const isAccepted = !list['reg-state']
  const hasTags = useStore($tags).items.some(({ devices }) => devices > 0)
  const columns = isAccepted ? (hasTags ? TAGGED_COLUMNS : ACCEPTED_COLUMNS) : REGISTRATION_COLUMNS
  const sorting = sortingOf(query, columns)
  const { $list, devices, paged } = useDeviceList(list, requestOf(query, sorting, list))
  const filtered = isFiltered(query)
  const placeholder = usePlaceholder(
    $list,
    paged.total === 0,
    <EmptyDeviceList isFiltered={filtered} nextStep={nextStep} canAdd={route === 'allDevices'} />
  )

  // The lists of accepted devices share their columns and their view.
  const name = isAccepted ? 'devices' : 'pending'
  const [view, viewButtons] = useListView(name)
  const showTiles = isAccepted && view === 'view'
  const menuActions = isAccepted ? DEVICE_ACTIONS : undefined
  const isAboutFirmware = query.has('firmware') || query.has('update')
  const rowActions = (device: Device) => (
    <Actions actions={isAccepted ? [] : bulkActions} menuActions={menuActions} rows={[device]} nameOf={deviceName} />
  )
  const actions: BulkActions<Device> = (selected, clear, remoteSelection) => {
    const possible = (isAboutFirmware ? FIRMWARE_ACTIONS : bulkActions).filter(
      ({ isApplicable }) => !isApplicable || remoteSelection || selected.some(isApplicable)
    )
    const buttons = isAccepted && isPhone ? possible.slice(0, PHONE_BUTTONS) : possible
    return (
      <Actions
        actions={buttons}
        menuActions={menuActions?.filter((action) => !buttons.includes(action))}
        rows={selected}
        remoteSelection={remoteSelection}
        nameOf={deviceName}
        countText={DEVICE_COUNT}
        onDone={clear}
      />
    )
  }
  const shared = {
    label: t(TEXT.devices),
    rows: devices,
    paged,
    keyOf,
    nameOf: deviceName,
    toolbar: (
      <>
        <Filters query={query} list={list}>
          {isAccepted && viewButtons}
          {savedViews && <SavedViews list={savedViews} display={view} />}
        </Filters>
        {filtered && paged.total > 0 && <Button icon="close" label={t(TEXT.clearSearch)} onClick={removeFilter} />}
        {route === 'allDevices' && (filtered || paged.total > 0) && <AddDevice />}
        {toolbar}
      </>
    ),
    actions,
    // Devices are dropped on a group in the menu.
    onDrag: isAccepted && isAllowed(setCatalog) ? handleDrag : undefined,
    placeholder
  }
  return (
    <>
      <div className="tools">
        <ListChips route={route} list={list} query={query} groupName={groupName} />
        {isAccepted && <TagFilter query={query} />}
        {isAboutFirmware && <FirmwareHint id={query.get('firmware')} />}
      </div>
      {showTiles ? (
        <Tiles {...shared}>{(device) => <DeviceTile device={device}>{rowActions(device)}</DeviceTile>}</Tiles>
      ) : (
        <Table
          {...shared}
          key={name}
          settingsKey={name}
          isCompact={view === 'compact'}
          columns={isAllowed(listCatalogs) ? columns : columns.filter((column) => column !== GROUP_COLUMN)}
          sorting={sorting}
          onSort={setSorting}
          rowActions={rowActions}
        />
      )}
    </>
  )
}

interface ListChipsProps extends Pick<DeviceListViewProps, 'route' | 'list' | 'groupName'> {
  query: URLSearchParams
}

/** Value of the chip for devices with a firmware update, which are no list of their own. */
const UPDATES = 'updates'

/** The lists as filters, with the number of devices in each. */
function ListChips({ route, list, query, groupName }: ListChipsProps) {
  const mayApprove = useStore($isAllowed)(acceptDevices)
  const counts = useStore($system).value?.status.system.device
  const updates = counts?.['num-update']
  const chips: (Chip | false)[] = [
    mayApprove && { value: 'pendingDevices', label: t(TEXT.pending), count: counts?.['num-pending'] },
    { value: 'warningDevices', label: t(TEXT.warning), count: counts?.['num-warn'] },
    updates !== undefined && { value: UPDATES, label: t(TEXT.updates), count: updates },
    { value: 'favoriteDevices', label: t(TEXT.favorites), count: counts?.['num-favorite'] },
    mayApprove && { value: 'rejectedDevices', label: t(TEXT.rejected), count: counts?.['num-rejected'] },
    groupName !== undefined && { value: 'groupDevices', label: groupName }
  ]
  function choose(value: string): void {
    const current = new URLSearchParams(query)
    // The list of a group becomes a filter by the group.
    if (list.catalog !== undefined && value) current.set('group', String(list.catalog))
    const isList = value && value !== UPDATES
    navigate(listLink(isList ? (value as ListRoute) : 'allDevices', current, value === UPDATES ? '1' : undefined))
  }
  return (
    <FilterChips
      label={t(TEXT.lists)}
      chips={chips.filter((chip) => chip !== false)}
      total={counts?.['num-all']}
      value={query.has('update') ? UPDATES : route === 'allDevices' ? '' : route}
      onChoose={choose}
    />
  )
}

/** The tags of devices as a filter, with the number of devices that have each. */
function TagFilter({ query }: { query: URLSearchParams }) {
  const chosen = query.get('tag') ?? ''
  const tags = useStore($tags).items.filter(({ id, devices }) => devices > 0 || String(id) === chosen)
  return (
    tags.length > 0 && (
      <FilterChips
        label={t(TAG_TEXT.tags)}
        chips={tags.map((tag) => ({ ...tagChip(tag), count: tag.devices }))}
        value={chosen}
        onChoose={(tag) => setFilters({ tag })}
      />
    )
  )
}

/**
 * Says what the devices are listed for and what to do next, with a link to the firmware files.
 * @param id of the firmware file that they are listed for
 */
function FirmwareHint({ id }: { id: string | null }) {
  const file = useStore($firmware).items.find((item) => String(item.id) === id)
  if (id && !file) return null
  return (
    <p className="muted">
      {file ? t(TEXT.forFirmware, firmwareName(file)) : t(TEXT.hasUpdate)}{' '}
      <a href={`#${linkTo('firmware')}`}>{t(TEXT.firmware)}</a>
    </p>
  )
}

/** The devices of a group. @param catalog id of the group; 0 = devices without a group */
function GroupDevices({ catalog }: { catalog: number }) {
  const { items, phase } = useStore($catalogs)
  const isAllowed = useStore($isAllowed)
  const group = items.find(({ id }) => id === catalog)
  const name = catalog === 0 ? t(TEXT.noGroup) : group?.name
  usePageTitle(name)
  const isMissing = phase === 'ready' && name === undefined
  if (useWasSeen(name !== undefined) && isMissing) return <DeletedState icon="group" list={linkTo('allDevices')} />
  return (
    <DeviceListView
      route="groupDevices"
      groupName={name}
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
  /** It has the button that adds a device. */
  canAdd: boolean
}

/** Empty state of a device list: the reason, and the next step. */
function EmptyDeviceList({ isFiltered, nextStep, canAdd }: EmptyDeviceListProps) {
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
      {canAdd && <AddDevice />}
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
