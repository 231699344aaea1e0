// A verdict in a list: its shape and word, and the cause if something is wrong.
import type { Health } from '../../contract/health.ts'
import { healthLabel, healthSentence, type Verdict } from '../text/health.ts'
import { StatusLabel } from '../ui/status-label.tsx'

/** Whether a verdict says that something is wrong. */
export const isTrouble = ({ verdict }: Health<Verdict>): boolean => verdict === 'down' || verdict === 'degraded'

export function HealthState({ health }: { health: Health<Verdict> }) {
  return (
    <>
      <StatusLabel {...healthLabel(health)} />
      {isTrouble(health) && (
        <small className="cut fault" data-tip="">
          {healthSentence(health).why}
        </small>
      )}
    </>
  )
}
