// Lines of the device page for its ports, tally, stream to the hub, recording and streaming.
import type { Device } from '../../../contract/device/device.ts'
import type { DeviceActivity, DeviceSession, DeviceStatus, IngestStatus } from '../../../contract/device/status.ts'
import type { Health } from '../../../contract/health.ts'
import { assessInput } from '../../../contract/stream/channel-health.ts'
import { SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { portLines } from '../../parts/device/device-lines.ts'
import { duration } from '../../text/dates.ts'
import { healthLabel, type Verdict } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import type { Tone } from '../../text/states.ts'
import type { DescriptionItem } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { TEXT } from './text.ts'

type LabelledTone = readonly [tone: Tone, text: Translation]

/** The health of the stream that the hub receives from a device. It is on air only through a channel. */
function streamHealth(stream: IngestStatus): Health<Verdict> {
  const health = assessInput(true, { ...stream, id: 0, state: SOURCE_STATE.running })
  return health.verdict === 'on-air' ? { verdict: 'online' } : health
}

/** One line for each port, one for the tally, and one for the stream that the device sends to the hub. */
export function signalLines({ status, stream }: Device): DescriptionItem[] {
  const { tally } = status ?? {}
  const [tone, label]: LabelledTone = tally?.program
    ? ['bad', TEXT.program]
    : tally?.preview
      ? ['good', TEXT.preview]
      : ['off', TEXT.neither]
  return [
    ...portLines(TEXT.input, status?.inputs),
    ...portLines(TEXT.output, status?.outputs),
    [t(TEXT.tally), tally && <StatusLabel tone={tone} text={t(label)} />],
    [
      t(TEXT.arriving),
      stream && (
        <span className="row">
          {stream.kbps !== undefined && <span className="num">{bitRate(stream.kbps)}</span>}
          <StatusLabel {...healthLabel(streamHealth(stream))} tooltip={stream.reason} />
        </span>
      )
    ]
  ]
}

const sessionLine = (
  name: string,
  { bps, 'run-ms': ms, tone = 'off', text = '' }: Partial<DeviceSession>
): DescriptionItem => [
  name,
  <span className="row">
    {tone !== 'off' && [bps && bitRate(bps / 1000), ms && duration(ms / 1000)].filter(Boolean).join(', ')}
    <StatusLabel tone={tone} text={text} />
  </span>
]

/**
 * The summary of an activity, followed by its sessions. The hub words the states. @param session name of a session
 * without one
 */
const activityLinesOf = (name: Translation, session: Translation, activity?: DeviceActivity): DescriptionItem[] =>
  activity
    ? [
        sessionLine(t(name), activity),
        ...(activity.sessions ?? []).map((one) => sessionLine(one.name || t(session, one.id), one))
      ]
    : []

/** Lines for recording and streaming. Empty for a device that reports neither. */
export function activityLines({ recording, live }: DeviceStatus): DescriptionItem[] {
  return [
    ...activityLinesOf(TEXT.recording, TEXT.recordingSession, recording),
    ...activityLinesOf(TEXT.streaming, TEXT.streamSession, live)
  ]
}
