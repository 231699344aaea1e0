// What goes in and out of a device, line by line: its ports and tallies, what it records and streams.
import type { Device, DeviceActivity, DeviceSession, DeviceStatus } from '../../../contract/device.ts'
import { portLines } from '../../parts/device-lines.ts'
import { codeText } from '../../text/codes.ts'
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

/** How a session is, beside the codes that every answer of the family has (device-api 3.6). */
const SESSION_STATES: Readonly<Record<number, Word>> = {
  0: ['good', TEXT.on],
  22: ['good', TEXT.connected],
  23: ['busy', TEXT.connecting],
  24: ['busy', TEXT.waiting],
  25: ['busy', TEXT.authorising],
  27: ['off', TEXT.idle]
}

/** @param result how it is; undefined where it is off */
function runLine(name: string, { bps, 'run-ms': ms, message }: Partial<DeviceSession>, result?: number): FactLine {
  const [tone, word]: readonly [Tone, Pair?] =
    result === undefined ? ['off', TEXT.off] : (SESSION_STATES[result] ?? ['bad'])
  return [
    name,
    <span className="row">
      {tone !== 'off' && [bps && bitRate(bps / 1000), ms && duration(ms / 1000)].filter(Boolean).join(', ')}
      <State tone={tone} text={word ? t(word) : (message ?? codeText(result ?? 0))} />
    </span>
  ]
}

function runLines(name: Pair, act?: DeviceActivity): FactLine[] {
  if (!act) return []
  const { on, result = 0, sessions = [] } = act
  return [
    // What ended well, or has not begun, is no more than off.
    runLine(t(name), act, on ? 0 : SESSION_STATES[result] ? undefined : result),
    ...sessions.map((session) =>
      runLine(
        session.name || t(TEXT.session, session.id),
        session,
        session.use === false ? undefined : (session.result ?? 0)
      )
    )
  ]
}

/** What it records and streams; nothing for who does neither. */
export function activityLines({ recording, live }: DeviceStatus): FactLine[] {
  return [...runLines(TEXT.recording, recording), ...runLines(TEXT.streaming, live)]
}
