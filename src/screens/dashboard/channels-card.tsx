import { HealthTile, sortByTrouble } from '../../parts/channel/health-tile.tsx'
import { VerdictCounts } from '../../parts/channel/verdict-counts.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Tiles shown. The list of channels has all of them. */
const TILES_MAX = 24

/** Started channels as tiles, worst first, and the number of channels with each verdict. */
export function ChannelsCard() {
  const { items } = useStore($channels)
  const started = sortByTrouble(items).filter(({ config }) => config.enable)
  return (
    <section className="card">
      <header>
        <h2>{t(TEXT.channels)}</h2>
        <VerdictCounts channels={items} />
        <a href={`#${linkTo('wall')}`} className="push">
          {t(TEXT.wall)}
        </a>
        <a href={`#${linkTo('channels')}`}>{t(TEXT.all)}</a>
      </header>
      <div className="body">
        <LoadState
          store={$channels}
          isEmpty={started.length === 0}
          emptyText={t(items.length > 0 ? TEXT.noneStarted : TEXT.none)}
        >
          <ul className="tiles">
            {started.slice(0, TILES_MAX).map((channel) => (
              <HealthTile key={channel.id} channel={channel} />
            ))}
          </ul>
        </LoadState>
      </div>
    </section>
  )
}
