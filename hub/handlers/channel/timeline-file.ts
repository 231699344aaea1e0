// Writes the timeline of a channel as a file: CSV for spreadsheets, or text that people send to each other.
import { TIMELINE_DAYS, type TimelineEntry } from '../../../contract/stream/channel-timeline.ts'
import { TIMELINE_KIND_NAMES } from '../../../contract/text/timeline-kinds.ts'
import { type Language, type Translation, translate } from '../../messages/language.ts'
import { csvText } from './csv-file.ts'

interface TimelineFileOptions {
  id: number
  /** Name of the channel. */
  name: string
  format: 'csv' | 'txt'
  language: Language
  /** IANA name of the time zone; UTC by default. */
  zone?: string | undefined
  removedBefore?: number
}

const COLUMNS = ['time', 'since', 'count', 'kind', 'severity', 'text', 'by'] as const

const TEXT = {
  title: ['Timeline of channel {0}, times in {1}', '频道“{0}”的时间线，时区 {1}'],
  empty: ['No entries in this period.', '该时段没有记录。'],
  repeated: ['{0} ({1} times since {2})', '{0}（自 {2} 起共 {1} 次）'],
  gap: ['{0} (since {1})', '{0}（自 {1} 起）'],
  removed: ['Entries before {0} were removed, because there were too many.', '{0} 之前的记录因数量过多已删除。'],
  kept: ['Entries are kept for {0} days.', '记录保留 {0} 天。']
} as const satisfies Record<string, Translation>

/** Returns a function that writes a time with the offset of its zone: `2026-03-01 17:03:12 +08:00`. */
export function zonedTimeFormat(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset'
  })
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const offset = (parts.timeZoneName ?? '').replace('GMT', '') || '+00:00'
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${offset}`
  }
}

function entriesAsCsv(entries: readonly TimelineEntry[], timeText: (ms: number) => string): string {
  const rows = entries.map((entry) =>
    COLUMNS.map((column) => {
      const value = entry[column]
      if (value === undefined) return ''
      return column === 'time' || column === 'since' ? timeText(Number(value)) : value
    })
  )
  return csvText([COLUMNS, ...rows])
}

function plainText(
  entries: readonly TimelineEntry[],
  timeText: (ms: number) => string,
  { name, language, zone = 'UTC', removedBefore }: TimelineFileOptions
): string {
  const lines = [translate(language, TEXT.title, [name, zone]), '']
  if (removedBefore !== undefined) lines.push(translate(language, TEXT.removed, [timeText(removedBefore)]))
  for (const { time, since, count, kind, text } of entries) {
    const told =
      count !== undefined && since !== undefined
        ? translate(language, TEXT.repeated, [text, count, timeText(since)])
        : since === undefined
          ? text
          : translate(language, TEXT.gap, [text, timeText(since)])
    lines.push(`${timeText(time)}  ${translate(language, TIMELINE_KIND_NAMES[kind])}  ${told}`)
  }
  if (entries.length === 0) lines.push(translate(language, TEXT.empty))
  lines.push('', translate(language, TEXT.kept, [TIMELINE_DAYS]))
  return `${lines.join('\r\n')}\r\n`
}

/** The file as a download. @param entries oldest first */
export function timelineFileResponse(entries: readonly TimelineEntry[], options: TimelineFileOptions): Response {
  const { id, format, zone = 'UTC' } = options
  const timeText = zonedTimeFormat(zone)
  const text = format === 'csv' ? entriesAsCsv(entries, timeText) : plainText(entries, timeText, options)
  const date = timeText(Date.now()).slice(0, 10)
  return new Response(text, {
    headers: {
      'content-type': `text/${format === 'csv' ? 'csv' : 'plain'};charset=utf-8`,
      'content-disposition': `attachment; filename="channel-${id}-timeline-${date}.${format}"`,
      'cache-control': 'no-store'
    }
  })
}
