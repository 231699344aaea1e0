// Statistics of a leg: the bit rate of the last minutes, and the counters since the baseline.
import { useLayoutEffect } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import {
  exportChannelHistory,
  type LegReport,
  setBaseline,
  type TransportReport
} from '../../../contract/stream/channel-history.ts'
import type { TransportError } from '../../../contract/stream/transport.ts'
import { CallButton } from '../../parts/actions.tsx'
import { isOnAir } from '../../parts/channel/channel-state.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { sendMutation } from '../../state/mutations.ts'
import { downloadUrl } from '../../state/system.ts'
import { dateTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT, TRANSPORT_ERROR_NAMES } from './dialog-text.ts'
import { $history, $legId, $span, inputName } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

type ReportKey = Exclude<keyof LegReport, 'level' | 'transport'>

const milliseconds = (ms: number) => `${number(ms)} ms`

/** The values shown. A protocol reports only some of them. */
const REPORT_LINES: readonly (readonly [key: ReportKey, title: Translation, format: (value: number) => string])[] = [
  ['kbps-avg', TEXT.average, bitRate],
  ['kbps-peak', TEXT.peak, bitRate],
  ['rtt-ms', TEXT.roundTrip, milliseconds],
  ['pkt-loss-total', TEXT.lost, number],
  ['pkt-drop-total', TEXT.dropped, number],
  ['pkt-retrans-total', TEXT.sentAgain, number],
  ['pkt-recovered-total', TEXT.recovered, number],
  ['ts-cc-errors-total', TEXT.gaps, number],
  ['since', TEXT.since, dateTime]
]

/** The errors of the transport stream by indicator, and the jitter of its clock references. */
function transportItems(transport?: TransportReport): DescriptionItem[] {
  if (!transport) return []
  const errors = (Object.keys(transport.errors) as TransportError[]).map(
    (error) => `${t(TRANSPORT_ERROR_NAMES[error])} ${number(transport.errors[error]?.count ?? 0)}`
  )
  const jitter = transport['pcr-jitter-ms']
  return [
    [t(TEXT.transportErrors), errors.join(', ') || number(0)],
    [t(TEXT.pcrJitter), jitter !== undefined && milliseconds(jitter)]
  ]
}

type Values = readonly (number | null)[]

/**
 * The values from the first one that was measured. A missing last value is left out, because its interval has only
 * begun; further missing values are gaps.
 */
function measuredValues(values: Values): { values: Values; omitted: number } {
  const first = values.findIndex((value) => value !== null)
  if (first < 0) return { values: [], omitted: 0 }
  const omitted = values.at(-1) === null ? 1 : 0
  return { values: values.slice(first, values.length - omitted), omitted }
}

export function StatisticsCard({ channel }: { channel: Channel }) {
  const { id, input, backups = [], outputs, 'on-air': onAir } = channel
  const requestedId = useQuery().get('leg')
  const legs = [...(input ? [{ ...input, id: 0, name: t(CHANNEL_TEXT.input) }] : []), ...backups, ...outputs.list]
  // Of several inputs.
  const legOnAir =
    backups.length > 0 && isOnAir(channel) && onAir && !onAir.slate
      ? legs.find((leg) => leg.id === (onAir.input === input?.id ? 0 : onAir.input))
      : undefined
  const selected = legs.find((leg) => String(leg.id) === requestedId) ?? legOnAir ?? legs[0]
  const labelOf = (leg: typeof selected) => {
    const name = leg ? inputName(leg) : ''
    return leg && leg === legOnAir ? t(TEXT.onAir, name) : name
  }
  useLayoutEffect(() => $legId.set(selected?.id ?? 0), [selected?.id])
  const history = useStore($history).value
  const span = useStore($span)
  const column = history?.columns.kbps ?? []
  const { values, omitted } = measuredValues(column)
  const report = selected?.report
  if (!selected) return null
  const leg = { id, leg: selected.id }
  return (
    <Card
      title={t(CHANNEL_TEXT.rate)}
      fullWidth
      action={
        <SegmentedControl
          label={t(CHANNEL_TEXT.rate)}
          value={String(selected.id)}
          options={legs.map((leg) => ({ value: String(leg.id), label: labelOf(leg) }))}
          onChange={(value) => setQuery({ leg: value })}
        />
      }
    >
      {history && values.length > 0 && (
        <Chart
          label={t(CHANNEL_TEXT.rate)}
          series={[{ label: labelOf(selected), values }]}
          count={column.length - omitted}
          interval={history.step}
          end={history.start + history.step * (column.length - omitted)}
          format={bitRate}
        />
      )}
      {report && (
        <DescriptionList
          items={[
            ...REPORT_LINES.map(
              ([key, title, format]): DescriptionItem => [
                t(title),
                report[key] !== undefined && format(report[key] as number)
              ]
            ),
            ...transportItems(report.transport)
          ]}
        />
      )}
      <div className="row">
        <SegmentedControl
          label={t(TEXT.period)}
          value={span}
          options={[
            { value: '300', label: t(TEXT.instant) },
            { value: '3600', label: t(TEXT.hour) }
          ]}
          onChange={(value) => $span.set(value)}
        />
        <span className="push" />
        <CallButton
          call={setBaseline}
          label={t(TEXT.reset)}
          onClick={() => sendMutation(setBaseline, leg, { success: { text: OUTCOME.reset, names: [selected.name] } })}
        />
        <a className="button" href={downloadUrl(exportChannelHistory, leg)} download>
          CSV
        </a>
      </div>
    </Card>
  )
}
