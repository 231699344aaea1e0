import { useState } from 'react'
import { LogLines } from '../../parts/log-lines.tsx'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { LOGS } from './store.ts'
import { TEXT } from './text.ts'

/** The newest lines of the system log or of the device log. */
export function LogCard() {
  const [kind, setKind] = useState<keyof typeof LOGS>('system')
  const options = [
    { value: 'system' as const, label: t(TEXT.system) },
    { value: 'device' as const, label: t(TEXT.devices) }
  ]
  return (
    <Card
      title={t(TEXT.logs)}
      action={<SegmentedControl label={t(TEXT.logs)} options={options} value={kind} onChange={setKind} />}
    >
      <LogLines store={LOGS[kind]} />
    </Card>
  )
}
