import type { ReactNode } from 'react'
import type { Problem } from '../../../contract/problem.ts'
import { $isAllowed } from '../../state/session.ts'
import { healthSentence } from '../../text/health.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { mendLink, problemName, problemState } from './describe-problem.ts'

/** Why there is a problem, what to do, and the link to the place where it is mended. */
export function ProblemCause({ problem }: { problem: Problem }) {
  const isAllowed = useStore($isAllowed)
  const { why, todo } = healthSentence(problem)
  const link = mendLink(problem, isAllowed)
  return (
    <>
      {why} {todo && <span className="muted">{todo}</span>}{' '}
      {link && (
        <a href={`#${link.href}`} className="mend">
          {link.text}
        </a>
      )}
    </>
  )
}

/** One problem in a list: what, why, and since when. `children` are the actions. */
export function ProblemLine({ problem, children }: { problem: Problem; children?: ReactNode }) {
  return (
    <li className="problem" data-tone={problemState(problem).tone}>
      <StatusLabel {...problemState(problem)} />
      <strong className="cut" data-tip="">
        {problemName(problem)}
      </strong>
      <span className="cause">
        <ProblemCause problem={problem} />
      </span>
      <ElapsedTime since={problem.since} />
      {children}
    </li>
  )
}
