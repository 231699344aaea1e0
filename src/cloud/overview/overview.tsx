// The first page: the problems of all hubs, and each hub with its health and its channels, worst first.
import { type CloudHub, getInvitation, listCloudChannels } from '../../../contract/cloud/calls.ts'
import { CHANNEL_ORDER } from '../../../contract/cloud/digest.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { Actions } from '../../parts/actions.tsx'
import { type Chip, FilterChips } from '../../parts/filter-chips.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { StaleWarning } from '../../parts/problem/problem-list.tsx'
import * as PROBLEM_TEXT from '../../parts/problem/text.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { $freshness } from '../../state/freshness.ts'
import { navigate } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { CHANNELS, LAST_KNOWN } from '../channel/text.ts'
import { HubState, LAST_SEEN, OPEN } from '../hub/list.tsx'
import { $hubs } from '../hub/store.ts'
import { TEXT as HUB_TEXT, HUBS } from '../hub/text.ts'
import { cloudLink } from '../paths.ts'
import { Cause, OPEN_PROBLEM } from '../problem/cause.tsx'
import { labelOf, nameOf } from '../problem/describe.ts'
import { $worstProblems } from '../problem/store.ts'
import { TEXT as PROBLEM } from '../problem/text.ts'
import { TEXT } from './text.ts'

const sum = (hubs: readonly CloudHub[], countOf: (hub: CloudHub) => number | undefined) =>
  hubs.reduce((total, hub) => total + (countOf(hub) ?? 0), 0)

/** Worst first: hubs that cannot be observed, and then by what is down and degraded. */
function urgencyOf({ summary: { verdict, bad = 0, warn = 0 } = { verdict: 'unknown', confirmed: false } }: CloudHub) {
  const weight = { offline: 0, unknown: 1, warning: 2, online: 3 }[verdict]
  return (bad > 0 ? Math.min(weight, 1) : warn > 0 ? Math.min(weight, 2) : weight) * 1e6 - bad
}

function Channels({ hub }: { hub: CloudHub }) {
  const { verdicts = {}, confirmed } = hub.summary ?? {}
  return (
    <span className="row num">
      {CHANNEL_ORDER.map((verdict) => {
        const count = verdicts[verdict] ?? 0
        const { tone, shape, text } = healthLabel({ verdict })
        return (
          count > 0 && (
            <StatusLabel
              key={verdict}
              tone={confirmed ? tone : 'off'}
              shape={shape}
              text={number(count)}
              tooltip={confirmed ? text : t(TEXT.lastKnown, text)}
            />
          )
        )
      })}
    </span>
  )
}

const COLUMNS: readonly Column<CloudHub>[] = [
  { key: 'name', title: HUB_TEXT.name, text: ({ name }) => name },
  { key: 'state', title: HUB_TEXT.state, cell: (hub) => <HubState hub={hub} />, sort: urgencyOf },
  { key: 'channels', title: CHANNELS, cell: (hub) => <Channels hub={hub} />, hide: 'xs' },
  {
    key: 'devices',
    title: TEXT.devicesOffline,
    text: ({ summary }) => (summary?.devices ? `${summary['devices-offline']} / ${summary.devices}` : ''),
    hide: 'sm'
  },
  LAST_SEEN
]

export function OverviewScreen() {
  const { items } = useStore($hubs)
  const isAllowed = useStore($isAllowed)
  const hubs = items.filter(({ state }) => state === REGISTRATION_STATE.accepted)
  const hasPending = items.some(({ state }) => state === REGISTRATION_STATE.pending)
  return (
    <div className="live">
      <div className="stack">
        {isAllowed(listCloudChannels) && hubs.length > 0 && (
          <div className="row">
            <ChannelChips hubs={hubs} />
          </div>
        )}
        <ResourceList
          store={$hubs}
          rows={hubs}
          settingsKey="cloud-overview"
          title={HUBS}
          columns={COLUMNS}
          keyOf={({ sn }) => sn}
          sorting={{ key: 'state', order: 'ascending' }}
          searchTexts={({ name, sn }) => [name, sn]}
          emptyState={{
            icon: 'hub',
            title: t(HUB_TEXT.none),
            text: t(HUB_TEXT.join),
            children: isAllowed(getInvitation) && (
              <a className="button" href={`#${cloudLink(hasPending ? 'pendingHubs' : 'invitation')}`}>
                {t(hasPending ? HUB_TEXT.pending : HUB_TEXT.invitation)}
              </a>
            )
          }}
          actions={[OPEN]}
        />
      </div>
      {hubs.length > 0 && <ProblemsCard />}
    </div>
  )
}

/** The channels of all hubs by their verdicts, which lead to the list of channels. */
function ChannelChips({ hubs }: { hubs: readonly CloudHub[] }) {
  const countOf = (verdict: (typeof CHANNEL_ORDER)[number], isConfirmed: boolean) =>
    sum(hubs, ({ summary }) => (summary?.confirmed === isConfirmed ? summary.verdicts?.[verdict] : 0))
  const chips: (Chip & { count: number })[] = CHANNEL_ORDER.map((verdict) => {
    const { text, ...label } = healthLabel({ verdict })
    return { value: verdict, label: text, count: countOf(verdict, true), mark: <StatusLabel {...label} text="" /> }
  })
  const unconfirmed = CHANNEL_ORDER.reduce((total, verdict) => total + countOf(verdict, false), 0)
  const all = [...chips, { value: LAST_KNOWN, label: t(PROBLEM.lastKnown), count: unconfirmed }]
  return (
    <FilterChips
      label={t(CHANNELS)}
      chips={all.filter(({ count }) => count > 0)}
      total={all.reduce((total, { count }) => total + count, 0)}
      value=" "
      onChoose={(state) => navigate(cloudLink('channels', { state }))}
    />
  )
}

/** The worst problems. */
function ProblemsCard() {
  const { phase, items, total } = useStore($worstProblems)
  const { stale } = useStore($freshness)
  const placeholder = usePlaceholder(
    $worstProblems,
    items.length === 0,
    <p className="problem-note">
      <StatusLabel tone="good" text={t(PROBLEM_TEXT.none)} /> {t(TEXT.noneText)}
    </p>
  )
  const title = total === 1 ? t(PROBLEM_TEXT.one) : total > 0 ? t(PROBLEM_TEXT.many, total) : t(PROBLEM_TEXT.none)
  const tone = stale ? 'bad' : phase === 'ready' ? (items[0]?.severity ?? 'good') : undefined
  return (
    <section className="card problems" data-tone={tone}>
      <header>
        <h2>{phase === 'ready' && !(stale && total === 0) ? title : t(PROBLEM_TEXT.title)}</h2>
        <a href={`#${cloudLink('problems')}`} className="push">
          {t(TEXT.allProblems)}
        </a>
      </header>
      <StaleWarning />
      {placeholder ?? (
        <ul>
          {items.map((problem) => {
            const label = labelOf(problem)
            return (
              <li key={`${problem.hub}/${problem.id}`} className="problem" data-tone={label.tone}>
                <StatusLabel {...label} />
                <strong className="cut" data-tip="">
                  {nameOf(problem)} {problem.kind !== 'hub' && <small className="muted">{problem['hub-name']}</small>}
                </strong>
                <Cause problem={problem} />
                {problem.since > 0 ? <ElapsedTime since={problem.since} /> : <span />}
                <Actions actions={[OPEN_PROBLEM]} rows={[problem]} nameOf={nameOf} />
              </li>
            )
          })}
        </ul>
      )}
      {total > items.length && <p className="problem-note muted">{t(PROBLEM_TEXT.more, total - items.length)}</p>}
    </section>
  )
}
