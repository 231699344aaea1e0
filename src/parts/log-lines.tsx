// The newest lines of a log, short: level, sentence, how long ago.
import type { LogLine } from '../../contract/log.ts'
import type { LiveStore } from '../state/live.ts'
import type { LiveList } from '../state/live-list.ts'
import { ago } from '../text/dates.ts'
import { type Pair, t } from '../text/language.ts'
import { Since } from '../ui/since.tsx'
import { useStore } from '../ui/use-store.ts'
import { Loaded } from './load-state.tsx'
import { Level } from './log-level.tsx'

const NO_LINES: Pair = ['Nothing has happened yet.', '暂无记录。']

export function LogLines({ of }: { of: LiveStore<LiveList<LogLine>> }) {
  const { items } = useStore(of)
  return (
    <Loaded of={of} empty={items.length === 0} says={t(NO_LINES)}>
      <ul className="lines log">
        {items.map((line) => (
          <li key={line.id}>
            <Level level={line.level} />
            <span className="cut" data-tip="">
              {line.text ?? line.detail}
            </span>
            <Since at={line.time} say={ago} />
          </li>
        ))}
      </ul>
    </Loaded>
  )
}
