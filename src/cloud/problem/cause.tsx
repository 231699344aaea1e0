// Why something is a problem, and the action that opens the console of its hub.
import { type CloudProblem, openHub } from '../../../contract/cloud/calls.ts'
import type { Action } from '../../parts/actions.tsx'
import { AcknowledgedBy } from '../../parts/problem/acknowledged-by.tsx'
import { t } from '../../text/language.ts'
import { open } from '../hub/store.ts'
import { pageOf, sentenceOf } from './describe.ts'
import { TEXT } from './text.ts'

/** Why, what to do, who has acknowledged it, and whether it is current. */
export function Cause({ problem }: { problem: CloudProblem }) {
  const { ack, confirmed } = problem
  const { why, todo } = sentenceOf(problem)
  return (
    <span className="cause">
      {why} {todo && <span className="muted">{todo}</span>}
      {!confirmed && <small className="ack">{t(TEXT.lastKnown)}</small>}
      {ack && <AcknowledgedBy ack={ack} />}
    </span>
  )
}

/** Opens the console of the hub at the object of the problem. */
export const OPEN_PROBLEM: Action<CloudProblem> = {
  call: openHub,
  icon: 'forward',
  verb: TEXT.open,
  single: true,
  disabledReason: ([problem]) => (problem?.online ? undefined : t(TEXT.unreachable)),
  run: async ([problem]) => problem !== undefined && open(problem.hub, pageOf(problem))
}
