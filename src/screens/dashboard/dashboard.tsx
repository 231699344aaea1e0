// Live: the channels by their trouble, beside them the problems, and below them machine, network and devices in one
// line that opens. All values come from the hub.
import { CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { DENSITIES, type Density, HealthTile, sortByTrouble } from '../../parts/channel/health-tile.tsx'
import { stateFilter } from '../../parts/channel/state-filter.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { FirstStep } from '../../parts/first-step.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import * as PROBLEM_TEXT from '../../parts/problem/text.ts'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { $freshness } from '../../state/freshness.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { useRememberedChoice } from '../../state/remembered-choice.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { type Translation, t } from '../../text/language.ts'
import { EmptyState } from '../../ui/placeholder.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Summary } from './summary.tsx'
import * as TEXT from './text.ts'

const DENSITY_NAMES: Readonly<Record<Density, Translation>> = {
  tiles: ['Tiles', '大图'],
  small: ['Small', '小图'],
  rows: ['Rows', '列表']
}

export function DashboardScreen() {
  const { value } = useStore($system)
  const isAllowed = useStore($isAllowed)
  const placeholder = usePlaceholder($system, !value, null)
  if (!value) return placeholder
  return (
    <>
      <div className="live">
        {isAllowed({ access: CHANNEL_VIEW }) && <Channels />}
        <ProblemsCard />
      </div>
      <Summary status={value.status} />
    </>
  )
}

/** The largest numbers of channels for which each density is the default. */
const TILES_MAX = 12
const SMALL_MAX = 60

/** All channels, worst first, as tiles or lines. */
function Channels() {
  const { items } = useStore($channels)
  const count = items.length
  const [density, setDensity] = useRememberedChoice(
    'density',
    DENSITIES,
    count <= TILES_MAX ? 'tiles' : count <= SMALL_MAX ? 'small' : 'rows'
  )
  const { name, label, chips, matches } = stateFilter()
  const state = useQuery().get(name) ?? ''
  const inState = (value: string) => items.filter((channel) => !value || matches(channel, value))
  const shown = sortByTrouble(inState(state))
  const placeholder = usePlaceholder(
    $channels,
    shown.length === 0,
    count > 0 ? (
      <EmptyState icon="channels" title={t(TEXT.noneInState)} />
    ) : (
      <EmptyState icon="channels" title={t(TEXT.none)} text={t(TEXT.noneText)}>
        <FirstStep call={addChannel}>
          <a className="button main" href={`#${linkTo('channels', { add: 'channel' })}`}>
            {t(TEXT.add)}
          </a>
        </FirstStep>
      </EmptyState>
    )
  )
  return (
    <section className="stack" aria-label={t(TEXT.channels)}>
      <div className="row">
        <FilterChips
          label={t(label)}
          chips={chips.map((chip) => ({ ...chip, count: inState(chip.value).length }))}
          total={count}
          value={state}
          onChoose={(value) => setQuery({ [name]: value })}
        />
        <span className="push">
          <SegmentedControl
            label={t(TEXT.density)}
            value={density}
            options={DENSITIES.map((value) => ({ value, label: t(DENSITY_NAMES[value]) }))}
            onChange={setDensity}
          />
        </span>
      </div>
      {placeholder ?? (
        <ul className="tiles" data-density={density}>
          {shown.map((channel) => (
            <HealthTile key={channel.id} channel={channel} density={density} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Problems shown. The page of problems has all of them. */
const LINES_MAX = 8

/** Everything that is wrong now, worst first. Acknowledged problems are a count. */
function ProblemsCard() {
  const problems = useProblems()
  const { stale } = useStore($freshness)
  const { phase, items } = problems
  const open = items.filter(({ ack }) => !ack)
  const acknowledged = items.length - open.length
  const tone = stale ? 'bad' : phase === 'ready' ? (open[0]?.severity ?? 'good') : undefined
  const title =
    open.length === 1 ? t(PROBLEM_TEXT.one) : open.length > 0 ? t(PROBLEM_TEXT.many, open.length) : t(PROBLEM_TEXT.none)
  return (
    <section className="card problems" data-tone={tone}>
      <header>
        <h2>{phase === 'ready' && !(stale && open.length === 0) ? title : t(PROBLEM_TEXT.title)}</h2>
        {acknowledged > 0 && <span className="muted">{t(PROBLEM_TEXT.acknowledged, acknowledged)}</span>}
        <a href={`#${linkTo('problems')}`} className="push">
          {t(PROBLEM_TEXT.all)}
        </a>
      </header>
      <StaleWarning />
      <ProblemList problems={problems} shown={open} max={LINES_MAX} />
    </section>
  )
}
