import { useState } from 'react'
import { LoadState } from '../../parts/load-state.tsx'
import { t } from '../../text/language.ts'
import { megabits } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DETAILS_TEXT } from './details-text.ts'
import { $bandwidth } from './store.ts'
import * as TEXT from './text.ts'

/** Interval of the 60 values of a series, in milliseconds: seconds of a minute, or minutes of an hour. */
const STEP_MS = { 'mbps-s': 1000, 'mbps-m': 60_000 }

/** Network traffic of the machine: live, or over the past 60 minutes. */
export function Bandwidth() {
  const [view, setView] = useState<keyof typeof STEP_MS>('mbps-s')
  const status = useStore($bandwidth).value?.status
  const rates = status?.['net-history']?.[view]
  return (
    <Card
      title={t(TEXT.network)}
      action={
        <SegmentedControl
          label={t(TEXT.network)}
          value={view}
          options={[
            { value: 'mbps-s', label: t(DETAILS_TEXT.instant) },
            { value: 'mbps-m', label: t(DETAILS_TEXT.hour) }
          ]}
          onChange={setView}
        />
      }
    >
      <LoadState store={$bandwidth} isEmpty={!rates?.rx.length} emptyText={t(DETAILS_TEXT.gathering)}>
        {rates && status && (
          <Chart
            label={t(TEXT.network)}
            series={[
              { label: t(DETAILS_TEXT.receive), values: rates.rx },
              { label: t(DETAILS_TEXT.transmit), values: rates.tx }
            ]}
            count={60}
            interval={STEP_MS[view]}
            end={status.system.info['date-time'] * 1000}
            format={megabits}
          />
        )}
      </LoadState>
    </Card>
  )
}
