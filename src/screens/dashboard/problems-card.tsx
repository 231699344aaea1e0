import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import * as TEXT from '../../parts/problem/text.ts'
import { linkTo } from '../../paths.ts'
import { $freshness } from '../../state/freshness.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'

/** Problems shown. The page of problems has all of them. */
const LINES_MAX = 8

/** Everything that is wrong now, worst first. Acknowledged problems are a count. */
export function ProblemsCard() {
  const problems = useProblems()
  const { stale } = useStore($freshness)
  const { phase, items } = problems
  const open = items.filter(({ ack }) => !ack)
  const acknowledged = items.length - open.length
  const tone = stale ? 'bad' : phase === 'ready' ? (open[0]?.severity ?? 'good') : undefined
  const title = open.length === 1 ? t(TEXT.one) : open.length > 0 ? t(TEXT.many, open.length) : t(TEXT.none)
  return (
    <section className="card problems" data-tone={tone}>
      <header>
        <h2>{phase === 'ready' && !(stale && open.length === 0) ? title : t(TEXT.title)}</h2>
        {acknowledged > 0 && <span className="muted">{t(TEXT.acknowledged, acknowledged)}</span>}
        <a href={`#${linkTo('problems')}`} className="push">
          {t(TEXT.all)}
        </a>
      </header>
      <StaleWarning />
      <ProblemList problems={problems} shown={open} max={LINES_MAX} />
    </section>
  )
}
