// What a leg carried in the last minutes, and what was counted of it since its baseline.
import { useLayoutEffect } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { exportChannelHistory, type LegReport, setBaseline } from '../../../contract/stream/channel-history.ts'
import { address } from '../../link/relay.ts'
import { ActButton } from '../../parts/actions.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { change } from '../../state/toasts.ts'
import { dateTime } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { Segments } from '../../ui/choice.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useStore } from '../../ui/use-store.ts'
import { inputName } from './status.ts'
import { $history, $leg, $span } from './store.ts'
import { TEXT } from './text.ts'

type Figure = Exclude<keyof LegReport, 'level'>

/** What is shown, as far as the leg's protocol has it. */
const FIGURES: readonly (readonly [wire: Figure, title: Pair, format: (value: number) => string])[] = [
  ['kbps-avg', TEXT.average, bitRate],
  ['kbps-peak', TEXT.peak, bitRate],
  ['rtt-ms', TEXT.roundTrip, (ms) => `${number(ms)} ms`],
  ['pkt-loss-total', TEXT.lost, number],
  ['pkt-drop-total', TEXT.dropped, number],
  ['pkt-retrans-total', TEXT.sentAgain, number],
  ['pkt-recovered-total', TEXT.recovered, number],
  ['ts-cc-errors-total', TEXT.gaps, number],
  ['since', TEXT.since, dateTime]
]

export function Figures({ channel: { id, input, backups = [], outputs } }: { channel: Channel }) {
  const wanted = Number(useQuery().get('leg'))
  const legs = [...(input ? [{ ...input, id: 0, name: t(TEXT.input) }] : []), ...backups, ...outputs.list]
  const shown = legs.find((leg) => leg.id === wanted) ?? legs[0]
  useLayoutEffect(() => $leg.set(shown?.id ?? 0), [shown?.id])
  const history = useStore($history).value
  const span = useStore($span)
  const values = history?.columns.kbps ?? []
  const first = values.findIndex((value) => value !== null)
  const report = shown?.report
  if (!shown) return null
  const leg = { id, leg: shown.id }
  return (
    <Card
      title={t(TEXT.rate)}
      span
      more={
        <Segments
          label={t(TEXT.rate)}
          value={String(shown.id)}
          options={legs.map((leg) => ({ value: String(leg.id), label: inputName(leg) }))}
          onChange={(to) => setQuery({ leg: to })}
        />
      }
    >
      {history && first >= 0 && (
        <Chart
          label={t(TEXT.rate)}
          series={[{ label: shown.name, values: values.slice(first).map((value) => value ?? 0) }]}
          count={values.length}
          step={history.step}
          end={history.start + history.step * values.length}
          format={bitRate}
        />
      )}
      {report && (
        <Facts
          lines={FIGURES.map(([wire, title, format]) => [
            t(title),
            report[wire] !== undefined && format(report[wire] as number)
          ])}
        />
      )}
      <div className="row">
        <Segments
          label={t(TEXT.period)}
          value={span}
          options={[
            { value: '300', label: t(TEXT.instant) },
            { value: '3600', label: t(TEXT.hour) }
          ]}
          onChange={(to) => $span.set(to)}
        />
        <span className="push" />
        <ActButton call={setBaseline} label={t(TEXT.reset)} onAct={() => change(setBaseline, leg)} />
        <a className="button" href={address(exportChannelHistory.path, leg)} download>
          CSV
        </a>
      </div>
    </Card>
  )
}
