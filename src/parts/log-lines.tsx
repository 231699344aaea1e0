// The newest lines of a log in short form: level, message, age.
import type { LogEntry } from '../../contract/log.ts'
import type { LiveListState } from '../state/live-list.ts'
import type { LiveStore } from '../state/live-store.ts'
import { ago } from '../text/dates.ts'
import { type Translation, t } from '../text/language.ts'
import { ElapsedTime } from '../ui/elapsed-time.tsx'
import { useStore } from '../ui/use-store.ts'
import { LoadState } from './load-state.tsx'
import { LogLevel } from './log-level.tsx'

const NO_LINES: Translation = ['No entries yet.', '暂无记录。']

export function LogLines({ store }: { store: LiveStore<LiveListState<LogEntry>> }) {
  const { items } = useStore(store)
  return (
    <LoadState store={store} isEmpty={items.length === 0} emptyText={t(NO_LINES)}>
      <ul className="lines log">
        {items.map((line) => (
          <li key={line.id}>
            <LogLevel level={line.level} />
            <span className="cut" data-tip="">
              {line.text ?? line.detail}
            </span>
            <ElapsedTime since={line.time} format={ago} />
          </li>
        ))}
      </ul>
    </LoadState>
  )
}
