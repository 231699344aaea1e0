// The list of hubs. Pending, accepted and rejected ones are filters of it, with routes of their own.
import { useLocation } from 'wouter'
import { listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import {
  acceptHubs,
  type CloudHub,
  deleteHubs,
  getInvitation,
  openHub,
  rejectHubs,
  renameHub,
  startRollout
} from '../../../contract/cloud/calls.ts'
import { REGISTRATION_STATE, setFavorite } from '../../../contract/device/device.ts'
import { labelName } from '../../../contract/rules/label.ts'
import { type Action, verbText } from '../../parts/actions.tsx'
import { MoveDialog, openNameDialog } from '../../parts/device/device-dialogs.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { type ListFilter, ResourceList } from '../../parts/resource-list.tsx'
import { $catalogs } from '../../state/catalogs.ts'
import { navigate } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { ago } from '../../text/dates.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { type CloudRoute, cloudLink, matchCloudRoute } from '../paths.ts'
import { $hubs, accept, moveHubs, open, reject, remove, rename, setFavorites } from './store.ts'
import { HUBS, TEXT } from './text.ts'

const StartDialog = lazyDialog(() => import('../update/start-dialog.tsx').then((module) => module.StartDialog))

const { accepted, pending, rejected } = REGISTRATION_STATE

interface HubList {
  /** The registration state of its hubs. */
  state?: number
  matches: (hub: CloudHub) => boolean
  /** What an empty list says. */
  empty?: Translation
}

const byState = (state: number, empty?: Translation): HubList => ({
  state,
  matches: (hub) => hub.state === state,
  ...(empty && { empty })
})

/** Lists with routes of their own. */
const LISTS: Partial<Record<CloudRoute, HubList>> = {
  pendingHubs: byState(pending, TEXT.nonePending),
  acceptedHubs: byState(accepted),
  rejectedHubs: byState(rejected),
  warningHubs: { matches: ({ warnings }) => warnings.length > 0, empty: TEXT.noneWarning },
  favoriteHubs: { matches: ({ favorite }) => favorite, empty: TEXT.noneFavorite }
}

function verdictOf({ state, online, warnings, summary }: CloudHub) {
  if (state !== accepted) return state === rejected ? 'rejected' : 'pending'
  if (!online) return 'offline'
  return warnings.length > 0 || summary?.verdict === 'warning' ? 'warning' : 'online'
}

/** The state of a hub, and why it is so. */
export function HubState({ hub }: { hub: CloudHub }) {
  const isSilent = hub.online && hub.summary?.verdict === 'unknown'
  const { text, ...label } = isSilent
    ? { ...healthLabel({ verdict: 'warning' }), text: t(TEXT.noData) }
    : healthLabel({ verdict: verdictOf(hub) })
  const isLost = hub.state === pending && !hub.online
  const copies = hub.copies.map(({ name, address }) => `${name} (${address})`).join(', ')
  const { summary } = hub
  const { why, todo } = summary?.reason ? healthSentence({ reason: summary.reason }) : { why: '', todo: '' }
  const notes = [
    why,
    todo,
    isSilent && t(TEXT.silent),
    hub.warnings.includes('older') && t(TEXT.older),
    copies && t(TEXT.copies, copies)
  ]
  const tooltip = notes.filter(Boolean).join('\n')
  return <StatusLabel {...label} text={isLost ? t(TEXT.waitingOffline, text) : text} tooltip={tooltip} />
}

function GroupName({ id }: { id: number }) {
  const { items } = useStore($catalogs)
  return <>{items.find((catalog) => catalog.id === id)?.name}</>
}

/** The column with the group of each hub. Only users with the permission to view groups get it. */
const GROUP: Column<CloudHub> = {
  key: 'group',
  title: TEXT.group,
  cell: (hub) => <GroupName id={hub['catalog-id']} />,
  hide: 'sm'
}

/** When a hub was connected last. */
export const LAST_SEEN: Column<CloudHub> = {
  key: 'seen',
  title: TEXT.offlineSince,
  cell: ({ 'offline-since': since }) => since !== undefined && <ElapsedTime since={since} format={ago} />,
  sort: ({ 'offline-since': since = 0 }) => since,
  hide: 'xs'
}

const COLUMNS: readonly Column<CloudHub>[] = [
  {
    key: 'name',
    title: TEXT.name,
    cell: ({ name, 'own-name': own }) => (
      <span className="cut" data-tip={own ? t(TEXT.ownName, own) : ''}>
        {name}
      </span>
    ),
    sort: ({ name }) => name
  },
  { key: 'state', title: TEXT.state, cell: (hub) => <HubState hub={hub} />, sort: verdictOf },
  { key: 'sn', title: TEXT.serial, text: ({ sn }) => sn, hide: 'xs' },
  GROUP,
  { key: 'address', title: TEXT.address, text: ({ address }) => address, hide: 'sm' },
  { key: 'version', title: TEXT.version, text: ({ version }) => version, hide: 'xs' },
  LAST_SEEN,
  {
    key: 'registered',
    title: TEXT.registered,
    cell: ({ registered }) => <ElapsedTime since={registered} format={ago} />,
    sort: ({ registered }) => registered,
    hide: 'xs'
  }
]

const ACCEPT: Action<CloudHub> = {
  call: acceptHubs,
  icon: 'check',
  verb: TEXT.accept,
  kind: 'main',
  isApplicable: ({ state }) => state !== accepted,
  run: accept
}
const REJECT: Action<CloudHub> = {
  call: rejectHubs,
  icon: 'close',
  verb: TEXT.reject,
  confirmText: () => t(TEXT.rejectText),
  isApplicable: ({ state }) => state !== rejected,
  run: reject
}
const REMOVE: Action<CloudHub> = {
  call: deleteHubs,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  confirmText: () => t(TEXT.removeText),
  run: remove
}

export const OPEN: Action<CloudHub> = {
  call: openHub,
  icon: 'forward',
  verb: TEXT.open,
  kind: 'main',
  single: true,
  isApplicable: ({ state, online }) => state === accepted && online,
  run: async ([hub]) => hub !== undefined && open(hub.sn)
}
const RENAME: Action<CloudHub> = {
  call: renameHub,
  icon: 'edit',
  verb: TEXT.rename,
  single: true,
  run: async ([hub]) =>
    hub !== undefined &&
    openNameDialog({
      title: verbText(TEXT.rename, hub.name),
      name: hub.name,
      rule: labelName,
      save: (name, options) => rename(hub.sn, name, options)
    })
}
const MOVE: Action<CloudHub> = {
  call: setCatalog,
  icon: 'group',
  verb: TEXT.move,
  run: (hubs) => openDialog(MoveDialog, { devices: hubs, move: (catalog) => moveHubs(hubs, catalog) })
}
const UPDATE: Action<CloudHub> = {
  call: startRollout,
  icon: 'upgrade',
  verb: TEXT.update,
  isApplicable: ({ state }) => state === accepted,
  run: (hubs) => openDialog(StartDialog, { hubs })
}
const FAVORITE: Action<CloudHub> = {
  call: setFavorite,
  icon: 'star',
  verb: TEXT.favorite,
  isApplicable: ({ favorite }) => !favorite,
  run: (hubs) => setFavorites(hubs, true)
}
const UNFAVORITE: Action<CloudHub> = {
  call: setFavorite,
  icon: 'star',
  verb: TEXT.unfavorite,
  isApplicable: ({ favorite }) => favorite,
  run: (hubs) => setFavorites(hubs, false)
}

/** In the menu of a hub. */
const MENU_ACTIONS = [UPDATE, RENAME, FAVORITE, UNFAVORITE, MOVE, REJECT, REMOVE]

const CONNECTION: ListFilter<CloudHub> = {
  name: 'connection',
  label: TEXT.connection,
  get chips() {
    return [
      { value: 'online', label: t(TEXT.online) },
      { value: 'offline', label: t(TEXT.offline) }
    ]
  },
  matches: ({ online }, value) => online === (value === 'online')
}

export function HubListScreen() {
  const [path] = useLocation()
  const { route = 'allHubs', params } = matchCloudRoute(path) ?? {}
  const { items } = useStore($hubs)
  const isAllowed = useStore($isAllowed)
  const list = route === 'groupHubs' ? groupList(Number(params?.catalog)) : LISTS[route]
  const hubs = list ? items.filter(list.matches) : items
  const decisions = [ACCEPT, REJECT].filter(
    ({ isApplicable }) => list?.state === undefined || isApplicable?.({ state: list.state } as CloudHub)
  )
  return (
    <>
      <ListChips route={route} hubs={items} />
      <ResourceList
        store={$hubs}
        rows={hubs}
        settingsKey="hubs"
        title={HUBS}
        columns={isAllowed(listCatalogs) ? COLUMNS : COLUMNS.filter((column) => column !== GROUP)}
        keyOf={({ sn }) => sn}
        sorting={{ key: 'name', order: 'ascending' }}
        keepsSorting
        searchTexts={({ name, sn, address }) => [name, sn, address]}
        filters={[CONNECTION]}
        emptyState={{
          icon: 'hub',
          title: t(TEXT.none),
          text: t((items.length > 0 && list?.empty) || TEXT.join),
          children: isAllowed(getInvitation) && (
            <a className="button" href={`#${cloudLink('invitation')}`}>
              {t(TEXT.invitation)}
            </a>
          )
        }}
        actions={[ACCEPT, OPEN]}
        menuActions={MENU_ACTIONS}
        bulkActions={[...decisions, UPDATE, MOVE, REMOVE]}
      />
    </>
  )
}

/** The list of the hubs of a group. */
const groupList = (catalog: number): HubList => ({
  matches: (hub) => hub['catalog-id'] === catalog,
  empty: TEXT.noneGroup
})

/** The lists as filters, with the number of hubs in each. */
function ListChips({ route, hubs }: { route: CloudRoute; hubs: readonly CloudHub[] }) {
  const mayDecide = useStore($isAllowed)(acceptHubs)
  const chip = (value: CloudRoute, label: Translation) => ({
    value,
    label: t(label),
    count: hubs.filter((hub) => LISTS[value]?.matches(hub)).length
  })
  return (
    <div className="tools">
      <FilterChips
        label={t(TEXT.lists)}
        total={hubs.length}
        chips={[
          ...(mayDecide ? [chip('pendingHubs', TEXT.pending)] : []),
          chip('acceptedHubs', TEXT.accepted),
          chip('warningHubs', TEXT.warnings),
          chip('favoriteHubs', TEXT.favorites),
          ...(mayDecide ? [chip('rejectedHubs', TEXT.rejected)] : [])
        ]}
        value={route === 'allHubs' ? '' : route}
        onChoose={(value) => navigate(cloudLink((value || 'allHubs') as CloudRoute))}
      />
    </div>
  )
}
