// What goes in and out of a device, line by line: its ports and tallies, what it records and streams.
import type { Device, DeviceActivity, DeviceSession, DeviceStatus } from '../../../contract/device/device.ts'
import { portLines } from '../../parts/device/device-lines.ts'
import { duration } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { connectionWord, type Tone } from '../../text/states.ts'
import type { FactLine } from '../../ui/facts.tsx'
import { State } from '../../ui/state.tsx'
import { TEXT } from './text.ts'

type Word = readonly [tone: Tone, text: Pair]

/** Each port with what is there, the tallies, and the stream that the hub has ordered, as it arrives. */
export function signalLines({ status, stream }: Device): FactLine[] {
  const { tally } = status ?? {}
  const [tone, word]: Word = tally?.program
    ? ['bad', TEXT.program]
    : tally?.preview
      ? ['good', TEXT.preview]
      : ['off', TEXT.neither]
  const arriving = stream && connectionWord(stream['conn-state'])
  return [
    ...portLines(TEXT.input, status?.inputs),
    ...portLines(TEXT.output, status?.outputs),
    [t(TEXT.tally), tally && <State tone={tone} text={t(word)} />],
    [
      t(TEXT.arriving),
      arriving && (
        <span className="row">
          {stream.kbps !== undefined && <span className="num">{bitRate(stream.kbps)}</span>}
          <State tone={arriving.tone} text={arriving.text} tip={stream.reason} />
        </span>
      )
    ]
  ]
}

const runLine = (name: string, { bps, 'run-ms': ms, tone = 'off', text = '' }: Partial<DeviceSession>): FactLine => [
  name,
  <span className="row">
    {tone !== 'off' && [bps && bitRate(bps / 1000), ms && duration(ms / 1000)].filter(Boolean).join(', ')}
    <State tone={tone} text={text} />
  </span>
]

/** All of a kind in one, then each of them, as the hub says it is. */
const runLines = (name: Pair, act?: DeviceActivity): FactLine[] =>
  act
    ? [
        runLine(t(name), act),
        ...(act.sessions ?? []).map((session) => runLine(session.name || t(TEXT.session, session.id), session))
      ]
    : []

/** What it records and streams; nothing for who does neither. */
export function activityLines({ recording, live }: DeviceStatus): FactLine[] {
  return [...runLines(TEXT.recording, recording), ...runLines(TEXT.streaming, live)]
}
