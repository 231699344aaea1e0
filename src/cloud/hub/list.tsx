// The list of hubs. Pending, accepted and rejected ones are filters of it, with routes of their own.
import { useLocation } from 'wouter'
import { acceptHubs, type CloudHub, deleteHubs, getInvitation, rejectHubs } from '../../../contract/cloud/calls.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import type { Action } from '../../parts/actions.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { type ListFilter, ResourceList } from '../../parts/resource-list.tsx'
import { navigate } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { ago } from '../../text/dates.ts'
import { healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { type CloudRoute, cloudLink, matchCloudRoute } from '../paths.ts'
import { $hubs, accept, reject, remove } from './store.ts'
import { HUBS, TEXT } from './text.ts'

const { accepted, pending, rejected } = REGISTRATION_STATE

/** The routes of lists, with the registration state of their hubs. */
const LISTS: Partial<Record<CloudRoute, number>> = {
  pendingHubs: pending,
  acceptedHubs: accepted,
  rejectedHubs: rejected
}

function verdictOf({ state, online }: CloudHub) {
  if (state === accepted) return online ? 'online' : 'offline'
  return state === rejected ? 'rejected' : 'pending'
}

function HubState({ hub }: { hub: CloudHub }) {
  const { text, ...label } = healthLabel({ verdict: verdictOf(hub) })
  const isLost = hub.state === pending && !hub.online
  return <StatusLabel {...label} text={isLost ? t(TEXT.waitingOffline, text) : text} />
}

const COLUMNS: readonly Column<CloudHub>[] = [
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  { key: 'state', title: TEXT.state, cell: (hub) => <HubState hub={hub} />, sort: verdictOf },
  { key: 'sn', title: TEXT.serial, text: ({ sn }) => sn, hide: 'xs' },
  { key: 'address', title: TEXT.address, text: ({ address }) => address, hide: 'sm' },
  { key: 'version', title: TEXT.version, text: ({ version }) => version, hide: 'xs' },
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
  const { route = 'allHubs' } = matchCloudRoute(path) ?? {}
  const { items } = useStore($hubs)
  const mayInvite = useStore($isAllowed)(getInvitation)
  const state = LISTS[route]
  const hubs = state === undefined ? items : items.filter((hub) => hub.state === state)
  const actions = [ACCEPT, REJECT, REMOVE].filter(
    ({ isApplicable }) => !isApplicable || state === undefined || isApplicable({ state } as CloudHub)
  )
  return (
    <>
      <ListChips route={route} hubs={items} />
      <ResourceList
        store={$hubs}
        rows={hubs}
        settingsKey="hubs"
        title={HUBS}
        columns={COLUMNS}
        keyOf={({ sn }) => sn}
        sorting={{ key: 'name', order: 'ascending' }}
        keepsSorting
        searchTexts={({ name, sn, address }) => [name, sn, address]}
        filters={[CONNECTION]}
        emptyState={{
          icon: 'hub',
          title: t(TEXT.none),
          text: t(route === 'pendingHubs' && items.length > 0 ? TEXT.nonePending : TEXT.join),
          children: mayInvite && (
            <a className="button" href={`#${cloudLink('invitation')}`}>
              {t(TEXT.invitation)}
            </a>
          )
        }}
        actions={[ACCEPT]}
        menuActions={[REJECT, REMOVE]}
        bulkActions={actions}
      />
    </>
  )
}

/** The lists as filters, with the number of hubs in each. */
function ListChips({ route, hubs }: { route: CloudRoute; hubs: readonly CloudHub[] }) {
  const mayDecide = useStore($isAllowed)(acceptHubs)
  const countOf = (state: number) => hubs.filter((hub) => hub.state === state).length
  return (
    <div className="tools">
      <FilterChips
        label={t(TEXT.lists)}
        total={hubs.length}
        chips={[
          ...(mayDecide ? [{ value: 'pendingHubs', label: t(TEXT.pending), count: countOf(pending) }] : []),
          { value: 'acceptedHubs', label: t(TEXT.accepted), count: countOf(accepted) },
          ...(mayDecide ? [{ value: 'rejectedHubs', label: t(TEXT.rejected), count: countOf(rejected) }] : [])
        ]}
        value={route === 'allHubs' ? '' : route}
        onChoose={(value) => navigate(cloudLink((value || 'allHubs') as CloudRoute))}
      />
    </div>
  )
}
