import type { ReactNode } from 'react'
import type { Problem } from '../../../contract/problem.ts'
import { $isAllowed } from '../../state/session.ts'
import { ago } from '../../text/dates.ts'
import { healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { mendLink, problemName, problemState } from './describe-problem.ts'
import * as TEXT from './text.ts'

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

interface ProblemLineProps {
  problem: Problem
  /** In front of the line: a checkbox. */
  selector?: ReactNode
  /** Actions. */
  children?: ReactNode
}

/** One problem in a list: what, why, since when, and who acknowledged it. */
export function ProblemLine({ problem, selector, children }: ProblemLineProps) {
  const { ack } = problem
  return (
    <li className="problem" data-tone={problemState(problem).tone}>
      <span className="row">
        {selector}
        <StatusLabel {...problemState(problem)} />
      </span>
      <strong className="cut" data-tip="">
        {problemName(problem)}
      </strong>
      <span className="cause">
        <ProblemCause problem={problem} />
        {ack && (
          <small className="ack">
            {t(TEXT.ackBy, ack.by)} <ElapsedTime since={ack.at} format={ago} />
            {ack.note && `: ${ack.note}`}
          </small>
        )}
      </span>
      <ElapsedTime since={problem.since} />
      {children}
    </li>
  )
}
