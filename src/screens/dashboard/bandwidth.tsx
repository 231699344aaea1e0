import { useState } from 'react'
import { Loaded } from '../../parts/load-state.tsx'
import { t } from '../../text/language.ts'
import { megabits } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { Segments } from '../../ui/choice.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $bandwidth } from './store.ts'
import { TEXT } from './text.ts'

/** Milliseconds between two of 60 values: a minute by seconds, an hour by minutes. */
const STEPS = { 'mbps-s': 1000, 'mbps-m': 60_000 }

/** The machine's network traffic: now, and over the past 60 minutes (specification 2). */
export function Bandwidth() {
  const [view, setView] = useState<keyof typeof STEPS>('mbps-s')
  const status = useStore($bandwidth).value?.status
  const rates = status?.['net-history']?.[view]
  return (
    <Card
      title={t(TEXT.network)}
      more={
        <Segments
          label={t(TEXT.network)}
          value={view}
          options={[
            { value: 'mbps-s', label: t(TEXT.instant) },
            { value: 'mbps-m', label: t(TEXT.hour) }
          ]}
          onChange={setView}
        />
      }
    >
      <Loaded of={$bandwidth} empty={!rates?.rx.length} says={t(TEXT.gathering)}>
        {rates && status && (
          <Chart
            label={t(TEXT.network)}
            series={[
              { label: t(TEXT.receive), values: rates.rx },
              { label: t(TEXT.transmit), values: rates.tx }
            ]}
            count={60}
            step={STEPS[view]}
            end={status.system.info['date-time'] * 1000}
            format={megabits}
          />
        )}
      </Loaded>
    </Card>
  )
}
