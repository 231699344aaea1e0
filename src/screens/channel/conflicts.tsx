// The sources and decoders that several channels use at the same time.
import { atom } from 'nanostores'
import { type CalendarConflict, channelCalendar } from '../../../contract/stream/channel-calendar.ts'
import { channelLink } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { calendarDay, calendarTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Week } from './week.tsx'

const TEXT = {
  title: ['Conflicts', '冲突'],
  further: ['Not shown: {0} later ones', '另有 {0} 项更晚的未显示'],
  hidden: ['{0} channels of other users', '其他用户的 {0} 个频道'],
  unnamed: ['Source of other users', '其他用户的源']
} as const satisfies Record<string, Translation>

/** Names of what several channels use. */
const KIND_NAMES = {
  input: ['Input {0}', '输入 {0}'],
  device: ['Device {0}', '设备 {0}'],
  ndi: ['NDI source {0}', 'NDI 源 {0}'],
  decoder: ['Decoder {0}', '解码器 {0}']
} as const satisfies Record<string, Translation>

/** The week that is shown, and the channel if it is the schedule of one. */
export const $request = atom<{ from: number; to: number; channel?: number }>({ from: 0, to: 0 })

/** Schedules change seldom. A change of a channel is announced, and requests them at once. */
export const $calendar = createLiveValue({
  call: channelCalendar,
  request: $request,
  pace: 'rare',
  topic: 'channel'
})

/** Conflicts that are shown: more than somebody reads, and no more than a page can have. */
const SHOWN_MAX = 50

interface ConflictsCardProps {
  week: Week
  conflicts: readonly CalendarConflict[]
  /** Number of conflicts that the hub has not listed. */
  more?: number | undefined
}

/** Shows nothing without conflicts. */
export function ConflictsCard({ week, conflicts, more = 0 }: ConflictsCardProps) {
  if (conflicts.length + more === 0) return null
  const further = Math.max(0, conflicts.length - SHOWN_MAX) + more
  return (
    <Card title={t(TEXT.title)} note={number(conflicts.length + more)} fullWidth>
      <ul className="lines">
        {conflicts.slice(0, SHOWN_MAX).map((conflict) => (
          <ConflictLine key={JSON.stringify(conflict)} week={week} conflict={conflict} />
        ))}
        {further > 0 && <li>{t(TEXT.further, number(further))}</li>}
      </ul>
    </Card>
  )
}

function ConflictLine({ week: { clock }, conflict }: { week: Week; conflict: CalendarConflict }) {
  const { kind, name, channels, hidden } = conflict
  const [from, to] = [clock(conflict.from), clock(conflict.to)]
  return (
    <li>
      <Icon name="warning" />
      <strong>{name === undefined ? t(TEXT.unnamed) : t(KIND_NAMES[kind], name)}</strong>
      <span className="num">{`${calendarDay(from)} ${calendarTime(from)}–${calendarTime(to)}`}</span>
      <div className="row">
        {channels.map((channel) => (
          <a key={channel.id} href={`#${channelLink(channel.id, { tab: 'schedule' })}`}>
            {channel.name}
          </a>
        ))}
        {hidden && <span>{t(TEXT.hidden, hidden)}</span>}
      </div>
    </li>
  )
}
