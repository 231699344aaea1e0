// What goes in and out of a device: its ports and tallies, what it records and streams, and where that is stored.
import type { Device, DeviceActivity, DeviceDisk, DeviceSession } from '../../../contract/device.ts'
import { signalText } from '../../parts/device-facts.tsx'
import { duration } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { bitRate, megabytes } from '../../text/numbers.ts'
import { connectionWord, type Tone } from '../../text/states.ts'
import { ultraCodeText } from '../../text/ultra-codes.ts'
import { Card } from '../../ui/card.tsx'
import { type FactLine, Facts } from '../../ui/facts.tsx'
import { Meter } from '../../ui/meter.tsx'
import { State } from '../../ui/state.tsx'
import { TEXT } from './text.ts'

type Word = readonly [tone: Tone, text: Pair]

/** Each port with what is there, the tallies, and the stream that the hub has ordered, as it arrives. */
export function PortsCard({ device: { status, stream } }: { device: Device }) {
  const ports = (name: Pair, list: readonly { name: string; signal: string }[] = []): FactLine[] =>
    list.map(({ name: own, signal }, at) => [own || t(name, at + 1), signalText(signal)])
  const { tally } = status ?? {}
  const [tone, word]: Word = tally?.program
    ? ['bad', TEXT.program]
    : tally?.preview
      ? ['good', TEXT.preview]
      : ['off', TEXT.neither]
  const arriving = stream && connectionWord(stream['conn-state'])
  const lines: FactLine[] = [
    ...ports(TEXT.input, status?.inputs),
    ...ports(TEXT.output, status?.outputs),
    [t(TEXT.tally), tally && <State key="tally" tone={tone} text={t(word)} />],
    [
      t(TEXT.arriving),
      stream && arriving && (
        <span className="row" key="stream">
          {stream.kbps !== undefined && <span className="num">{bitRate(stream.kbps)}</span>}
          <State tone={arriving.tone} text={arriving.text} tip={stream.reason} />
        </span>
      )
    ]
  ]
  if (!status?.inputs?.length && !status?.outputs?.length && !tally && !stream) return null
  return (
    <Card title={t(TEXT.ports)}>
      <Facts lines={lines} />
    </Card>
  )
}

/** How a session is, beside the codes that every answer of the family has (device-api 3.6). */
const SESSION_STATES: Readonly<Record<number, Word>> = {
  0: ['good', TEXT.onNow],
  22: ['good', TEXT.connected],
  23: ['busy', TEXT.connecting],
  24: ['busy', TEXT.waiting],
  25: ['busy', TEXT.authorising],
  27: ['off', TEXT.idle]
}

function SessionState({ use, result = 0, bps, 'run-ms': ms = 0 }: DeviceSession) {
  const [tone, pair]: readonly [Tone, Pair?] = use === false ? ['off', TEXT.off] : (SESSION_STATES[result] ?? ['bad'])
  const text = pair ? t(pair) : ultraCodeText(result)
  return (
    <span className="row">
      {use !== false && bps !== undefined && <span className="num">{bitRate(bps / 1000)}</span>}
      {use !== false && ms > 0 && <span className="num">{duration(ms / 1000)}</span>}
      <State tone={tone} text={text} />
    </span>
  )
}

function activity(name: Pair, act: DeviceActivity | undefined): FactLine[] {
  if (!act) return []
  const { on, result, sessions = [], 'run-ms': ms } = act
  const running = ms ? t(TEXT.on, duration(ms / 1000)) : t(TEXT.onNow)
  // What ended well, or has not begun, is no more than off.
  const fault = !on && result !== undefined && !SESSION_STATES[result] ? ultraCodeText(result) : undefined
  return [
    [
      t(name),
      <State key="state" tone={on ? 'good' : fault ? 'bad' : 'off'} text={on ? running : (fault ?? t(TEXT.off))} />
    ],
    ...sessions.map(
      (session): FactLine => [
        session.name || t(TEXT.session, session.id),
        <SessionState key={session.id} {...session} />
      ]
    )
  ]
}

/** What it records and streams; nothing for who does neither. */
export function ActivityCard({ device }: { device: Device }) {
  const { recording, live } = device.status ?? {}
  if (!recording && !live) return null
  return (
    <Card title={t(TEXT.activity)}>
      <Facts lines={[...activity(TEXT.recording, recording), ...activity(TEXT.streaming, live)]} />
    </Card>
  )
}

const KINDS: Readonly<Record<DeviceDisk['kind'], Pair>> = { usb: TEXT.usb, sd: TEXT.sd, nas: TEXT.nas }

function Disk({ disk }: { disk: DeviceDisk }) {
  const { kind, state, label, total, free, 'free-sec': seconds } = disk
  const name = label || t(KINDS[kind])
  if (state === 'none' || state === 'invalid' || !total || free === undefined) {
    const [tone, word]: Word =
      state === 'none' ? ['off', TEXT.none] : state === 'invalid' ? ['bad', TEXT.invalid] : ['off', TEXT.unknown]
    return <Facts lines={[[name, <State key={kind} tone={tone} text={t(word)} />]]} />
  }
  const [left, all] = [megabytes(free), megabytes(total)]
  const text = seconds ? t(TEXT.freeTime, left, all, duration(seconds)) : t(TEXT.free, left, all)
  return (
    <Meter label={name} value={1 - free / total} text={state === 'full' ? t(TEXT.full) : text} warn={0.9} bad={0.99} />
  )
}

export function StorageCard({ device }: { device: Device }) {
  const disks = device.status?.disks ?? []
  if (disks.length === 0) return null
  return (
    <Card title={t(TEXT.storage)}>
      {disks.map((disk, at) => (
        <Disk key={`${disk.kind} ${at}`} disk={disk} />
      ))}
    </Card>
  )
}
