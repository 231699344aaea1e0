// Everything about devices, network and machine, and the newest lines of the logs.
import { useState } from 'react'
import { listLog } from '../../../contract/log.ts'
import type { SystemStatus } from '../../../contract/system.ts'
import { LogLines } from '../../parts/log-lines.tsx'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Bandwidth } from './bandwidth.tsx'
import { DETAILS_TEXT } from './details-text.ts'
import { DeviceStrip } from './device-strip.tsx'
import { Machine } from './machine.tsx'
import { LOGS } from './store.ts'
import * as TEXT from './text.ts'

export function Details({ status }: { status: SystemStatus }) {
  const isAllowed = useStore($isAllowed)
  return (
    <>
      <DeviceStrip device={status.system.device} />
      <div className="cards">
        <Bandwidth />
        <Machine status={status} />
        {isAllowed(listLog) && <LogCard />}
      </div>
    </>
  )
}

/** The newest lines of the system log or of the device log. */
function LogCard() {
  const [kind, setKind] = useState<keyof typeof LOGS>('system')
  const options = [
    { value: 'system' as const, label: t(TEXT.system) },
    { value: 'device' as const, label: t(TEXT.devices) }
  ]
  return (
    <Card
      title={t(DETAILS_TEXT.logs)}
      action={<SegmentedControl label={t(DETAILS_TEXT.logs)} options={options} value={kind} onChange={setKind} />}
    >
      <LogLines store={LOGS[kind]} />
    </Card>
  )
}
