// Dashboard: problems, channels, devices, and the machine, in the order in which they matter. All values come from the
// hub.
import { useState } from 'react'
import { CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import { listLog } from '../../../contract/log.ts'
import { UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { HealthTile, sortByTrouble } from '../../parts/channel/health-tile.tsx'
import { VerdictCounts } from '../../parts/channel/verdict-counts.tsx'
import { LoadState, usePlaceholder } from '../../parts/load-state.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import * as PROBLEM_TEXT from '../../parts/problem/text.ts'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { $freshness } from '../../state/freshness.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { HUB_BUSY_BITS, hubStatusText } from '../../text/hub-status.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Bandwidth } from './bandwidth.tsx'
import { DeviceStrip } from './device-strip.tsx'
import { Machine } from './machine.tsx'
import { LOGS } from './store.ts'
import { TEXT } from './text.ts'

/** Shown on every page, and on the upgrade page: a hub that trusts no key for updates works as it should. */
const ELSEWHERE = HUB_BUSY_BITS | UPDATE_STATUS_BITS.unavailable

export function DashboardScreen() {
  const { value } = useStore($system)
  const isAllowed = useStore($isAllowed)
  const placeholder = usePlaceholder($system, !value, null)
  if (!value) return placeholder
  const { system } = value.status
  return (
    <>
      {hubStatusText(system.status['status-code'] & ~ELSEWHERE).map((warning) => (
        <p key={warning} className="banner" role="alert">
          {warning}
        </p>
      ))}
      <ProblemsCard />
      {isAllowed({ access: CHANNEL_VIEW }) && <ChannelsCard />}
      <DeviceStrip device={system.device} />
      <div className="cards">
        <Bandwidth />
        <Machine status={value.status} />
        {isAllowed(listLog) && <LogCard />}
      </div>
    </>
  )
}

/** The newest lines of the system log or of the device log. */
function LogCard() {
  const [kind, setKind] = useState<keyof typeof LOGS>('system')
  const options = [
    { value: 'system' as const, label: t(TEXT.system) },
    { value: 'device' as const, label: t(TEXT.devices) }
  ]
  return (
    <Card
      title={t(TEXT.logs)}
      action={<SegmentedControl label={t(TEXT.logs)} options={options} value={kind} onChange={setKind} />}
    >
      <LogLines store={LOGS[kind]} />
    </Card>
  )
}

/** Tiles shown. The list of channels has all of them. */
const TILES_MAX = 24

/** Started channels as tiles, worst first, and the number of channels with each verdict. */
function ChannelsCard() {
  const { items } = useStore($channels)
  const started = sortByTrouble(items).filter(({ config }) => config.enable)
  return (
    <section className="card">
      <header>
        <h2>{t(TEXT.channels)}</h2>
        <VerdictCounts channels={items} />
        <a href={`#${linkTo('wall')}`} className="push">
          {t(TEXT.wall)}
        </a>
        <a href={`#${linkTo('channels')}`}>{t(TEXT.all)}</a>
      </header>
      <div className="body">
        <LoadState
          store={$channels}
          isEmpty={started.length === 0}
          emptyText={t(items.length > 0 ? TEXT.noneStarted : TEXT.none)}
        >
          <ul className="tiles">
            {started.slice(0, TILES_MAX).map((channel) => (
              <HealthTile key={channel.id} channel={channel} />
            ))}
          </ul>
        </LoadState>
      </div>
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
