import { useState } from 'react'
import { Level } from '../../parts/level.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ago } from '../../text/dates.ts'
import { eventText } from '../../text/events.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { Segments } from '../../ui/choice.tsx'
import { Since } from '../../ui/since.tsx'
import { useStore } from '../../ui/use-store.ts'
import { LOGS } from './store.ts'
import { TEXT } from './text.ts'

/** The newest lines of the system log or the device log. */
export function LogCard() {
  const [kind, setKind] = useState<keyof typeof LOGS>('system')
  const $lines = LOGS[kind]
  const list = useStore($lines)
  const options = [
    { value: 'system' as const, label: t(TEXT.systemLog) },
    { value: 'device' as const, label: t(TEXT.deviceLog) }
  ]
  return (
    <Card
      title={t(TEXT.logs)}
      more={<Segments label={t(TEXT.logs)} options={options} value={kind} onChange={setKind} />}
    >
      <Loaded of={$lines} empty={list.items.length === 0} says={t(TEXT.noLines)}>
        <ul className="lines log">
          {list.items.map((line) => (
            <li key={line.id}>
              <Level level={line.level} />
              <span className="cut" data-tip="">
                {eventText(line.event, line.detail)}
              </span>
              <Since at={line.time} say={ago} />
            </li>
          ))}
        </ul>
      </Loaded>
    </Card>
  )
}
