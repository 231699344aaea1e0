import { CHANNEL_VERDICTS } from '../../../contract/health.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../other-hubs.ts'
import { healthLabel } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { StatusLabel } from '../../ui/status-label.tsx'

/** A count and a verdict. */
const COUNT: Translation = ['{0} {1}', '{0} {1}']

/** The number of channels with each verdict, worst first. */
export function VerdictCounts({ channels }: { channels: readonly Channel[] }) {
  const groups = Map.groupBy(channels, (channel) => channelHealth(channel).verdict)
  return (
    <span className="counts">
      {CHANNEL_VERDICTS.map((verdict) => {
        const count = groups.get(verdict)?.length
        const label = healthLabel({ verdict })
        return count && <StatusLabel key={verdict} {...label} text={t(COUNT, number(count), label.text)} />
      })}
    </span>
  )
}
