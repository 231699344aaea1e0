import type { Problem } from '../../../contract/problem.ts'
import { ago } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import * as TEXT from './text.ts'

/** Who has acknowledged a problem, when, and with which note. */
export function AcknowledgedBy({ ack: { by, at, note } }: { ack: NonNullable<Problem['ack']> }) {
  return (
    <small className="ack">
      {t(TEXT.ackBy, by)} <ElapsedTime since={at} format={ago} />
      {note && `: ${note}`}
    </small>
  )
}
