// The page of problems: everything wrong now, worst first, and the latest events of the hub.
import { atom } from 'nanostores'
import { useState } from 'react'
import { type LogEntry, listLog } from '../../../contract/log.ts'
import { acknowledgeProblems, PROBLEM_KINDS, type Problem, type ProblemKind } from '../../../contract/problem.ts'
import { LogLines } from '../../parts/log-lines.tsx'
import { AcknowledgeButton, openAcknowledgeDialog } from '../../parts/problem/acknowledge-button.tsx'
import { problemName } from '../../parts/problem/describe-problem.ts'
import { ProblemLine } from '../../parts/problem/problem-line.tsx'
import { refreshProblems, useProblems } from '../../parts/problem/problems.ts'
import { StaleWarning } from '../../parts/problem/stale-warning.tsx'
import { linkTo } from '../../paths.ts'
import { createLiveList } from '../../state/live-list.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/placeholder.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Lines of the system log below the problems. */
const HISTORY_LINES = 20

const $history = createLiveList({
  call: listLog,
  request: atom({ type: 'system' as const, count: HISTORY_LINES }),
  pace: 'slowest',
  topic: 'log',
  keyOf: (line: LogEntry) => line.id
})

const KIND_TEXTS: Readonly<Record<ProblemKind, Translation>> = {
  channel: TEXT.channels,
  output: TEXT.outputs,
  device: TEXT.devices,
  port: TEXT.ports,
  disk: TEXT.storage,
  engine: TEXT.engine
}

const SHOW = ['', 'open', 'acknowledged'] as const
const SHOW_TEXTS = { '': TEXT.all, open: TEXT.open, acknowledged: TEXT.acknowledged }
type Show = (typeof SHOW)[number]

/** The filters of the page, which are in its URL. */
function useFilters(): { show: Show; kind: string; matches: (problem: Problem) => boolean } {
  const query = useQuery()
  const show = SHOW.find((value) => value === query.get('show')) ?? ''
  const kind = query.get('kind') ?? ''
  const matches = (problem: Problem) =>
    (kind === '' || problem.kind === kind) && (show === '' || (show === 'acknowledged') === Boolean(problem.ack))
  return { show, kind, matches }
}

export function ProblemListScreen() {
  const isAllowed = useStore($isAllowed)
  const { phase, code, items, canAcknowledge } = useProblems()
  const { matches } = useFilters()
  return (
    <>
      <section className="card problems">
        <Filters items={items} />
        <StaleWarning />
        {phase === 'failed' || phase === 'denied' ? (
          <ErrorState text={codeText(code)} onRetry={() => void refreshProblems()} />
        ) : phase === 'loading' ? (
          <Skeleton />
        ) : (
          <ProblemLines
            items={items.filter(matches)}
            isFiltered={items.length > 0}
            canAcknowledge={canAcknowledge && isAllowed(acknowledgeProblems)}
          />
        )}
      </section>
      {isAllowed(listLog) && (
        <Card title={t(TEXT.history)} action={<a href={`#${linkTo('logs', { tab: 'system' })}`}>{t(TEXT.allLogs)}</a>}>
          <LogLines store={$history} />
        </Card>
      )}
    </>
  )
}

function Filters({ items }: { items: readonly Problem[] }) {
  const { show, kind } = useFilters()
  const kinds = PROBLEM_KINDS.filter((each) => each === kind || items.some((problem) => problem.kind === each))
  return (
    <header>
      <SegmentedControl
        label={t(TEXT.show)}
        value={show}
        options={SHOW.map((value) => ({ value, label: t(SHOW_TEXTS[value]) }))}
        onChange={(value) => setQuery({ show: value })}
      />
      <select
        className="push"
        aria-label={t(TEXT.kind)}
        value={kind}
        onChange={({ currentTarget }) => setQuery({ kind: currentTarget.value })}
      >
        <option value="">{t(TEXT.everything)}</option>
        {kinds.map((each) => (
          <option key={each} value={each}>
            {t(KIND_TEXTS[each])}
          </option>
        ))}
      </select>
    </header>
  )
}

interface ProblemLinesProps {
  items: readonly Problem[]
  /** There are problems that the filters hide. */
  isFiltered: boolean
  canAcknowledge: boolean
}

function ProblemLines({ items, isFiltered, canAcknowledge }: ProblemLinesProps) {
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const open = items.filter(({ ack }) => !ack)
  const chosen = open.filter(({ id }) => chosenIds.has(id))
  if (items.length === 0)
    return isFiltered ? (
      <EmptyState icon="search" title={t(TEXT.noMatch)} />
    ) : (
      <EmptyState icon="check" title={t(TEXT.none)} text={t(TEXT.noneText)} />
    )
  const toggle = (id: string) => {
    const next = new Set(chosenIds)
    if (!next.delete(id)) next.add(id)
    setChosenIds(next)
  }
  const toggleAll = () => setChosenIds(new Set(chosen.length < open.length ? open.map(({ id }) => id) : []))
  const acknowledgeChosen = async () => {
    if (await openAcknowledgeDialog(chosen)) setChosenIds(new Set())
  }
  return (
    <>
      {canAcknowledge && open.length > 1 && (
        <div className="row problem-note">
          <Button label={t(chosen.length < open.length ? TEXT.selectAll : TEXT.selectNone)} onClick={toggleAll} />
          <Button
            kind="main"
            label={t(TEXT.acknowledgeSelected, chosen.length)}
            disabled={chosen.length === 0}
            onClick={() => void acknowledgeChosen()}
          />
        </div>
      )}
      <ul>
        {items.map((problem) => (
          <ProblemLine
            key={problem.id}
            problem={problem}
            selector={
              canAcknowledge &&
              !problem.ack &&
              open.length > 1 && (
                <input
                  type="checkbox"
                  aria-label={t(TEXT.select, problemName(problem))}
                  checked={chosenIds.has(problem.id)}
                  onClick={() => toggle(problem.id)}
                />
              )
            }
          >
            {canAcknowledge && <AcknowledgeButton problem={problem} />}
          </ProblemLine>
        ))}
      </ul>
    </>
  )
}
