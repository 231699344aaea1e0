// What happened to a channel: the statistics of its legs, the timeline and the log.
import { listLog } from '../../../contract/log.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { TimelineCard } from '../../parts/channel/timeline.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { linkTo } from '../../paths.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { HistoryCard } from './history-card.tsx'
import { StatisticsCard } from './statistics.tsx'
import { $log } from './store.ts'

export function HistoryTab({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  return (
    <div className="cards">
      <TimelineCard channel={channel}>
        <a className="button" href={`#${linkTo('problems', { tab: 'all', channel: String(channel.id) })}`}>
          {t(TEXT.events)}
        </a>
      </TimelineCard>
      <HistoryCard channel={channel} />
      <StatisticsCard channel={channel} />
      {isAllowed(listLog) && (
        <Card
          title={t(TEXT.log)}
          fullWidth
          action={<a href={`#${linkTo('logs', { tab: 'system', channel: String(channel.id) })}`}>{t(TEXT.wholeLog)}</a>}
        >
          <LogLines store={$log} />
        </Card>
      )}
    </div>
  )
}
