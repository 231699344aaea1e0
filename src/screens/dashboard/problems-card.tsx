import { AcknowledgeButton } from '../../parts/problem/acknowledge-button.tsx'
import { ProblemLine } from '../../parts/problem/problem-line.tsx'
import { refreshProblems, useProblems } from '../../parts/problem/problems.ts'
import { StaleWarning } from '../../parts/problem/stale-warning.tsx'
import * as TEXT from '../../parts/problem/text.ts'
import { linkTo } from '../../paths.ts'
import { $freshness } from '../../state/freshness.ts'
import { codeText } from '../../text/codes.ts'
import { ago } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { $now } from '../../ui/clock.ts'
import { ErrorState, Skeleton } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'

/** Problems shown. The page of problems has all of them. */
const LINES_MAX = 8

/** Everything that is wrong now, worst first. Acknowledged problems are a count. */
export function ProblemsCard() {
  const { phase, code, items, updatedAt, canAcknowledge } = useProblems()
  const open = items.filter(({ ack }) => !ack)
  const acknowledged = items.length - open.length
  const tone = open.some(({ severity }) => severity === 'bad') ? 'bad' : open.length > 0 ? 'warn' : 'good'
  const isLoaded = phase === 'ready'
  const { stale } = useStore($freshness)
  const title = open.length === 1 ? t(TEXT.one) : open.length > 0 ? t(TEXT.many, open.length) : t(TEXT.none)
  return (
    <section className="card problems" data-tone={stale ? 'bad' : isLoaded ? tone : undefined}>
      <header>
        <h2>{isLoaded && !(stale && open.length === 0) ? title : t(TEXT.title)}</h2>
        {acknowledged > 0 && <span className="muted">{t(TEXT.acknowledged, acknowledged)}</span>}
        <a href={`#${linkTo('problems')}`} className="push">
          {t(TEXT.all)}
        </a>
      </header>
      {isLoaded ? (
        <>
          <StaleWarning />
          {open.length === 0 && !stale && <NoProblems checkedAt={updatedAt} />}
          <ul>
            {open.slice(0, LINES_MAX).map((problem) => (
              <ProblemLine key={problem.id} problem={problem}>
                {canAcknowledge && <AcknowledgeButton problem={problem} />}
              </ProblemLine>
            ))}
          </ul>
        </>
      ) : phase === 'failed' ? (
        <ErrorState text={codeText(code)} onRetry={() => void refreshProblems()} />
      ) : (
        <Skeleton />
      )}
    </section>
  )
}

function NoProblems({ checkedAt }: { checkedAt: number }) {
  const now = useStore($now)
  return (
    <p className="problem-note">
      <StatusLabel tone="good" text={t(TEXT.none)} /> {t(TEXT.noneText)}{' '}
      <span className="muted num">{t(TEXT.checked, ago((now - checkedAt) / 1000))}</span>
    </p>
  )
}
