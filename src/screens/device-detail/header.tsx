import type { Device } from '../../../contract/device/device.ts'
import { DeviceState, DeviceWarnings, healthOfDevice } from '../../parts/device/device-facts.tsx'
import { duration } from '../../text/dates.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { DeviceActions } from './device-actions.tsx'
import { TEXT } from './text.ts'

/** 'for 2 min 14 s' */
const lasting = (seconds: number): string => t(TEXT.lasting, duration(seconds))

/** The state of a device and the actions on it. Of a device that is offline or has warnings: since when, why, and what to do. */
export function DeviceHeader({ device }: { device: Device }) {
  const health = healthOfDevice(device)
  const { verdict, since } = health
  if (verdict !== 'offline' && verdict !== 'warning')
    return (
      <div className="tools">
        <DeviceState device={device} />
        <DeviceWarnings device={device} />
        <span className="push" />
        <DeviceActions device={device} />
      </div>
    )
  const label = healthLabel(health)
  const { why, todo } = healthSentence(health)
  return (
    <div className="verdict" data-tone={label.tone}>
      <span>
        <StatusLabel {...label} /> {since !== undefined && <ElapsedTime since={since} format={lasting} />}
      </span>
      {/* Without the time, which would be announced every second. */}
      <p role="status">
        <span className="unseen">{label.text}</span>
        {verdict === 'warning' && why} <small>{todo}</small>
      </p>
      <span className="row push">
        <DeviceActions device={device} />
      </span>
    </div>
  )
}
