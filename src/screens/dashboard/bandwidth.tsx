import { useState } from 'react'
import { Loaded } from '../../parts/loaded.tsx'
import { t } from '../../text/language.ts'
import { megabits } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Segments } from '../../ui/choice.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $bandwidth } from './store.ts'
import { TEXT } from './text.ts'

/** Values of an axis, and milliseconds between two: a minute by seconds, an hour by minutes. */
const VIEWS = { 'mbps-s': { count: 60, step: 1000 }, 'mbps-m': { count: 60, step: 60_000 } } as const

/** The machine's network traffic: now, and over the past 60 minutes (specification 2). */
export function Bandwidth() {
  const state = useStore($bandwidth)
  const [view, setView] = useState<keyof typeof VIEWS>('mbps-s')
  const status = state.value?.status
  const rates = status?.['net-history']?.[view]
  const known = rates !== undefined && rates.rx.length > 0
  return (
    <Card
      title={t(TEXT.bandwidth)}
      more={
        <Segments
          label={t(TEXT.bandwidth)}
          value={view}
          options={[
            { value: 'mbps-s', label: t(TEXT.instant) },
            { value: 'mbps-m', label: t(TEXT.hour) }
          ]}
          onChange={setView}
        />
      }
    >
      <Loaded of={$bandwidth} empty={!known} says={t(TEXT.gathering)}>
        {rates && status && (
          <Chart
            label={t(TEXT.bandwidth)}
            series={[
              { label: t(TEXT.receive), values: rates.rx },
              { label: t(TEXT.transmit), values: rates.tx }
            ]}
            {...VIEWS[view]}
            end={status.system.info['date-time'] * 1000}
            format={megabits}
          />
        )}
      </Loaded>
    </Card>
  )
}
