// What was measured on a channel in an hour, a day, a week, a month or a year. The period is in the URL, so that a link
// shows others the same.
import { atom } from 'nanostores'
import { useLayoutEffect, useMemo } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import {
  type ChannelSeries,
  channelSeries,
  exportChannelSeries,
  HISTORY_CHANNELS_MAX
} from '../../../contract/stream/channel-series.ts'
import type { TimelineEntry } from '../../../contract/stream/channel-timeline.ts'
import { isMissingCall } from '../../other-hubs.ts'
import { createTimeline, SEVERITY_TONES } from '../../parts/channel/timeline.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { createLiveValue } from '../../state/live-value.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { downloadUrl } from '../../state/system.ts'
import { dateAndShortTime, dateTime, duration } from '../../text/dates.ts'
import { inLanguage, t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { StateBand } from '../../ui/chart/state-band.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import {
  areaBetween,
  bandOf,
  type Columns,
  meanOf,
  type Span,
  STATES,
  stateLabel,
  stateText,
  sumOf,
  unrecordedSeconds
} from './history-series.ts'
import { PAUSE_REASONS, PERIOD_NAMES, TEXT } from './history-text.ts'

/** Seconds of each period. */
const PERIODS = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000 } as const
type Period = keyof typeof PERIODS

/** Intervals of a chart, at most. */
const POINTS = 480
/** Entries of the timeline that are marked, at most. */
const EVENTS_MAX = 300
/** Entries of the timeline shown for the selected interval, at most. */
const NAMED_EVENTS = 2

const dates = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))

/**
 * Returns the formatter for the times of a chart; undefined: the chart shows times of day.
 * @param length length of the chart in milliseconds
 */
function timeTextFor(length: number): ((ms: number) => string) | undefined {
  if (length <= 2 * PERIODS.hour * 1000) return undefined
  return length > 2 * PERIODS.month * 1000 ? (ms) => dates().format(ms) : dateAndShortTime
}

interface SeriesRequest {
  id: number
  span: number
  points: number
  /** Milliseconds since the epoch; absent: now. */
  to?: number
}

function createStores(id: number) {
  const $request = atom<SeriesRequest>({ id, span: PERIODS.day, points: POINTS })
  const series = { call: channelSeries, request: $request }
  const $eventRequest = atom({ id, from: 0, to: 0, kinds: 'state,input,output,change,system', count: EVENTS_MAX })
  return {
    $request,
    $eventRequest,
    /** A chart of the last hour is refreshed more often than the others. */
    $hour: createLiveValue({ ...series, pace: 'slowest' }),
    $longer: createLiveValue({ ...series, pace: 'rare' }),
    $events: createTimeline($eventRequest)
  }
}

/** Values between the whole numbers of a count are on the axis only. */
const countText = (count: number) => number(count, 1)

const isPeriod = (name: string | null): name is Period => name !== null && name in PERIODS

/** The period of the URL. `until` is its end in milliseconds since the epoch; undefined: now. */
function usePeriod(): { period: Period; until: number | undefined } {
  const query = useQuery()
  const period = query.get('period')
  return {
    period: isPeriod(period) ? period : 'day',
    until: Date.parse(query.get('until') ?? '') || undefined
  }
}

export function HistoryCard({ channel: { id } }: { channel: Channel }) {
  const { $request, $eventRequest, $hour, $longer, $events } = useMemo(() => createStores(id), [id])
  const { period, until } = usePeriod()
  const span = PERIODS[period]
  useLayoutEffect(() => {
    $request.set({ id, span, points: POINTS, ...(until !== undefined && { to: until }) })
    // The end is open: entries of tomorrow are in the chart only if the page stays open.
    const [from, to] = [(until ?? Date.now()) - span * 1000, until ?? Date.now() + span * 1000]
    $eventRequest.set({ ...$eventRequest.get(), from, to })
  }, [id, span, until])
  const $series = period === 'hour' && until === undefined ? $hour : $longer
  const { value, code } = useStore($series)
  const { items: events } = useStore($events)
  const isEmpty = !value?.columns.observed
  const placeholder = usePlaceholder($series, isEmpty, <p className="muted nothing">{t(TEXT.empty)}</p>)
  if (isMissingCall(code)) return null
  return (
    <Card title={t(TEXT.title)} fullWidth>
      <PeriodTools id={id} period={period} until={until} />
      {value?.pause && <StatusLabel tone="warn" text={t(PAUSE_REASONS[value.pause], HISTORY_CHANNELS_MAX)} />}
      {placeholder ?? (value && <Charts series={value} events={events} />)}
    </Card>
  )
}

/** Selects the period of the charts, and downloads its values as CSV. */
function PeriodTools({ id, period, until }: { id: number; period: Period; until: number | undefined }) {
  const span = PERIODS[period]
  const end = until ?? Date.now()
  const moveTo = (time: number) => setQuery({ until: time < Date.now() ? new Date(time).toISOString() : '' })
  return (
    <div className="row">
      <SegmentedControl
        label={t(TEXT.period)}
        value={period}
        options={(Object.keys(PERIODS) as Period[]).map((value) => ({ value, label: t(PERIOD_NAMES[value]) }))}
        onChange={(value) => setQuery({ period: value })}
      />
      <Button label={t(TEXT.earlier)} icon="back" iconOnly onClick={() => moveTo(end - span * 1000)} />
      {until !== undefined && (
        <>
          <Button label={t(TEXT.later)} icon="right" iconOnly onClick={() => moveTo(end + span * 1000)} />
          <Button label={t(TEXT.now)} onClick={() => setQuery({ until: '' })} />
        </>
      )}
      <span className="period num muted">
        {dateTime(end - span * 1000)} – {until === undefined ? t(TEXT.now) : dateTime(end)}
      </span>
      <span className="push" />
      <a
        className="button"
        href={downloadUrl(exportChannelSeries, { id, span, ...(until !== undefined && { to: until }) })}
        download
      >
        CSV
      </a>
    </div>
  )
}

interface ChartsProps {
  series: ChannelSeries
  /** Newest first. */
  events: readonly TimelineEntry[]
}

function Charts({ series: { start, step, columns }, events }: ChartsProps) {
  const count = columns.observed?.length ?? 0
  const span: Span = { columns, count, seconds: step / 1000 }
  const axis = {
    count,
    interval: step,
    end: start + (count - 1) * step,
    timeText: timeTextFor(step * count)
  }
  const eventsAt = Map.groupBy(events, ({ time }) => Math.floor((time - start) / step))
  const valuesOf = (field: keyof Columns) => columns[field] ?? Array<null>(count).fill(null)
  const rates = [
    { label: t(TEXT.input), values: valuesOf('kbps-in'), highs: columns['kbps-in-max'] },
    { label: t(TEXT.outputs), values: valuesOf('kbps-out'), highs: columns['kbps-out-max'] }
  ]
  const losses = [
    { label: t(TEXT.lost), values: valuesOf('lost') },
    { label: t(TEXT.errors), values: valuesOf('errors') }
  ].filter(({ values }) => values.some((value) => value !== null))
  return (
    <div className="history">
      <Chart
        {...axis}
        label={t(TEXT.rates)}
        series={rates}
        format={bitRate}
        overlay={(max) => (
          <>
            {(['in', 'out'] as const).map((side, index) => (
              <path
                key={side}
                className="area"
                data-series={index}
                d={areaBetween(valuesOf(`kbps-${side}-min`), valuesOf(`kbps-${side}-max`))}
              />
            ))}
            {[...eventsAt].map(
              ([index, [event]]) =>
                event &&
                index >= 0 &&
                index < count && (
                  <path
                    key={index}
                    className="mark"
                    data-tone={SEVERITY_TONES[event.severity]}
                    d={`M${index} ${-max}v${max / 12}`}
                  />
                )
            )}
          </>
        )}
        band={<StateBand intervals={bandOf(span)} />}
        detail={(index) => <IntervalDetail text={stateText(span, index)} events={eventsAt.get(index) ?? []} />}
      />
      {losses.length > 0 && (
        <Chart {...axis} label={t(TEXT.losses)} series={losses} format={countText} whole height={90} />
      )}
      {sumOf(columns.viewers) > 0 && (
        <Chart
          {...axis}
          label={t(TEXT.viewers)}
          series={[{ label: t(TEXT.viewers), values: valuesOf('viewers') }]}
          format={countText}
          whole
          height={90}
        />
      )}
      <Summary span={span} />
    </div>
  )
}

/** The state in the selected interval, and the entries of the timeline in it. */
function IntervalDetail({ text, events }: { text: string; events: readonly TimelineEntry[] }) {
  return (
    <>
      <span className="plain">{text}</span>
      {events.slice(0, NAMED_EVENTS).map(({ id, text: what }) => (
        <span key={id} className="plain muted">
          {what}
        </span>
      ))}
      {events.length > NAMED_EVENTS && (
        <span className="plain muted">{t(TEXT.moreEvents, events.length - NAMED_EVENTS)}</span>
      )}
    </>
  )
}

/** The period in words: shares of the states, bit rates, losses, viewers. */
function Summary({ span }: { span: Span }) {
  const { columns } = span
  const observed = sumOf(columns.observed)
  const shareText = (seconds: number) => {
    // Rounded down, so that 100 % means that nothing is missing.
    const permille = Math.floor((1000 * seconds) / observed)
    const share = permille === 0 && seconds > 0 ? `< ${number(0.1, 1)}` : number(permille / 10, 1)
    return t(TEXT.share, `${share} %`, duration(seconds))
  }
  const rateText = (side: 'in' | 'out') => {
    const mean = meanOf(span, `kbps-${side}`)
    const lows = (columns[`kbps-${side}-min`] ?? []).filter((value) => value !== null)
    const highs = (columns[`kbps-${side}-max`] ?? []).filter((value) => value !== null)
    return (
      mean !== undefined && t(TEXT.rateFacts, bitRate(Math.min(...lows)), bitRate(mean), bitRate(Math.max(...highs)))
    )
  }
  const unrecorded = unrecordedSeconds(span)
  const states = STATES.map((state) => {
    const seconds = state.seconds(columns)
    return [stateLabel(state).text, (seconds > 0 || state.name === 'down') && shareText(seconds)] as const
  })
  return (
    <div className="history-facts">
      <DescriptionList items={[...states, [t(TEXT.unrecorded), unrecorded > 0 && duration(unrecorded)]]} />
      <DescriptionList
        items={[
          [t(TEXT.input), rateText('in')],
          [t(TEXT.outputs), rateText('out')]
        ]}
      />
      <DescriptionList
        items={[
          [t(TEXT.lost), columns.lost && number(sumOf(columns.lost))],
          [t(TEXT.errors), columns.errors && number(sumOf(columns.errors))],
          [t(TEXT.mostViewers), number(Math.max(0, ...(columns.viewers ?? []).map((value) => value ?? 0)))]
        ]}
      />
    </div>
  )
}
