import { useState } from 'react'
import { LOG_ERROR, LOG_WARNING } from '../../../contract/log.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { ago } from '../../text/dates.ts'
import { eventText } from '../../text/events.ts'
import { t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { Segments } from '../../ui/choice.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { LOGS } from './store.ts'
import { TEXT } from './text.ts'

const toneOf = (level: number): Tone => (level === LOG_ERROR ? 'bad' : level === LOG_WARNING ? 'warn' : 'off')

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
              <Level tone={toneOf(line.level)} />
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

function Level({ tone }: { tone: Tone }) {
  const word = tone === 'bad' ? TEXT.error : tone === 'warn' ? TEXT.warning : TEXT.information
  return <State tone={tone} text={t(word)} />
}
