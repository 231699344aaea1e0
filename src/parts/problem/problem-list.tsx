// Problems, one line each, as the dashboard, the page of problems and the wall display show them.
import type { ReactNode } from 'react'
import type { Problem } from '../../../contract/problem.ts'
import { $freshness } from '../../state/freshness.ts'
import { refreshLiveStores } from '../../state/live-store.ts'
import { $display, $isAllowed } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { ago, duration } from '../../text/dates.ts'
import { healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { $now } from '../../ui/clock.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { ErrorState, Skeleton } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AcknowledgeButton } from './acknowledge-button.tsx'
import { AcknowledgedBy } from './acknowledged-by.tsx'
import { mendLink, problemLabel, problemName } from './describe-problem.ts'
import type { Problems } from './problems.ts'
import * as TEXT from './text.ts'

interface ProblemListProps {
  problems: Problems
  /** Those of them that are listed. */
  shown: readonly Problem[]
  /** Maximum number of lines. The number of the other problems stands below them. */
  max?: number
}

/** A list of problems, or why there is none. */
export function ProblemList({ problems, shown, max = Number.POSITIVE_INFINITY }: ProblemListProps) {
  const { phase, code, items, canAcknowledge } = problems
  if (phase === 'loading') return <Skeleton />
  if (phase !== 'ready') return <ErrorState text={codeText(code)} onRetry={refreshLiveStores} />
  const hidden = shown.length - max
  return (
    <>
      {items.length === 0 ? (
        <NoProblems checkedAt={problems.updatedAt} />
      ) : (
        shown.length === 0 && <p className="problem-note muted">{t(TEXT.noMatch)}</p>
      )}
      <ul>
        {shown.slice(0, max).map((problem) => (
          <ProblemLine key={problem.id} problem={problem}>
            {canAcknowledge && <AcknowledgeButton problem={problem} />}
          </ProblemLine>
        ))}
      </ul>
      {hidden > 0 && <p className="problem-note muted">{t(TEXT.more, hidden)}</p>}
    </>
  )
}

/** Warns that nothing on the page is current. Without it a list of no problems would look healthy. */
export function StaleWarning() {
  const { stale, since } = useStore($freshness)
  const now = useStore($now)
  if (!stale) return null
  return (
    <p className="problem-note" role="alert">
      <StatusLabel tone="bad" text={t(TEXT.staleTitle)} /> {t(TEXT.staleText, duration((now - since) / 1000))}
    </p>
  )
}

function NoProblems({ checkedAt }: { checkedAt: number }) {
  const now = useStore($now)
  if (useStore($freshness).stale) return null
  return (
    <p className="problem-note">
      <StatusLabel tone="good" text={t(TEXT.none)} /> {t(TEXT.noneText)}{' '}
      <span className="muted num">{t(TEXT.checked, ago((now - checkedAt) / 1000))}</span>
    </p>
  )
}

/** A problem: what, why, since when, what to do, the link to the place where it is mended, and who acknowledged it. */
function ProblemLine({ problem, children }: { problem: Problem; children: ReactNode }) {
  const { since, ack } = problem
  const isAllowed = useStore($isAllowed)
  const isDisplay = useStore($display) !== undefined
  const label = problemLabel(problem)
  const { why, todo } = healthSentence(problem)
  const link = isDisplay ? undefined : mendLink(problem, isAllowed)
  return (
    <li className="problem" data-tone={label.tone}>
      <StatusLabel {...label} />
      <strong className="cut" data-tip="">
        {problemName(problem)}
      </strong>
      <span className="cause">
        {why} {todo && <span className="muted">{todo}</span>}{' '}
        {link && (
          <a href={`#${link.href}`} className="mend">
            {link.text}
          </a>
        )}
        {ack && <AcknowledgedBy ack={ack} />}
      </span>
      {since > 0 ? <ElapsedTime since={since} /> : <span />}
      {children}
    </li>
  )
}
