// An input or output in the signal path: name and measured value, state, details, cause and what to do.
import type { ReactNode } from 'react'
import type { Health } from '../../../contract/health.ts'
import type { Leg } from '../../../contract/stream/leg.schema.ts'
import { lasting, shortTime } from '../../text/dates.ts'
import { healthLabel, healthSentence, type Verdict } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { TEXT } from './path-text.ts'

/** The texts that are not empty, as one line. */
export const joinFacts = (facts: readonly (string | false | undefined)[]): string => facts.filter(Boolean).join(' · ')

interface PathNodeProps {
  health: Health<Verdict>
  flow: Flow
  /** Before the name, for instance a switch. */
  lead?: ReactNode
  name: ReactNode
  /** A measured value, at the end of the line of the name. */
  value?: ReactNode
  /** After the state. */
  note?: ReactNode
  /** Buttons, at the end of the line of the state. */
  actions?: ReactNode
  children?: ReactNode
}

export function PathNode({ health, flow, lead, name, value, note, actions, children }: PathNodeProps) {
  const label = healthLabel(health)
  const { why, todo } = healthSentence(health)
  const { since } = health
  return (
    // An input that could take over is well, but the eye is to find the one on air.
    <li className="node" data-tone={health.verdict === 'standby' ? 'off' : label.tone} data-flow={flow}>
      <div className="node-line">
        {lead}
        <h3 className="cut" data-tip="">
          {name}
        </h3>
        <span className="num push">{value}</span>
      </div>
      <div className="node-line">
        <StatusLabel {...label} />
        {since !== undefined && health.verdict !== 'stopped' && <ElapsedTime since={since} format={lasting} />}
        {note}
        <span className="push row">{actions}</span>
      </div>
      {children}
      {why && (
        <p className={health.verdict === 'down' ? 'fault' : 'muted'}>
          {why} {todo}
        </p>
      )}
    </li>
  )
}

/** When a leg that waits for a caller has refused one; the sentence of its verdict says which and why. */
export const RefusedCallerNote = ({ 'refused-caller': refused }: Pick<Leg, 'refused-caller'>) =>
  refused && <small>{t(TEXT.refused, shortTime(refused.at))}</small>

/** `live`: carries the stream on air. `failed`: should carry it, but cannot. `idle`: carries nothing. */
export type Flow = 'live' | 'failed' | 'idle'

/** @param isSelected whether the node is the input on air, or an output */
export function flowOf({ verdict }: Pick<Health<string>, 'verdict'>, isSelected = true): Flow {
  if (verdict === 'down') return 'failed'
  return ['on-air', 'degraded'].includes(verdict) && isSelected ? 'live' : 'idle'
}
