// The cards below the signal path: statistics, log, ingest keys and clients.
import { listLog } from '../../../contract/log.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { LogLines } from '../../parts/log-lines.tsx'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { ClientsCard, IngestKeys } from './ingest-keys.tsx'
import { StatisticsCard } from './statistics.tsx'
import { $log } from './store.ts'

export function LowerCards({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  return (
    <div className="cards">
      <StatisticsCard channel={channel} />
      {isAllowed(listLog) && (
        <Card title={t(TEXT.log)} fullWidth>
          <LogLines store={$log} />
        </Card>
      )}
      {channel.config['push-key'] && <IngestKeys channel={channel} />}
      {channel.clients.total > 0 && <ClientsCard channel={channel} />}
    </div>
  )
}
