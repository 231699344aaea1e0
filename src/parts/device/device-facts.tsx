// What is shown of a device in several places: its state, its activity, its ports and storage, its picture.
import { type Device, RUNNING } from '../../../contract/device/device.ts'
import { DIR_INPUT } from '../../../contract/stream/protocols.ts'
import { Picture } from '../../preview/preview-image.tsx'
import { previews } from '../../state/previews.ts'
import { duration } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { warningWords } from '../../text/states.ts'
import { $now, $skew } from '../../ui/clock.ts'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  online: ['Online', '在线'],
  offline: ['Offline', '离线'],
  noSignal: ['No signal', '无信号'],
  locking: ['Locking', '锁定中'],
  unsupported: ['Unsupported signal', '不支持的信号'],
  recording: ['Recording', '录制中'],
  streaming: ['Streaming', '推流中'],
  since: ['{0} for {1}', '{0} {1}'],
  input: ['Input', '输入'],
  output: ['Output', '输出'],
  both: ['Input and output', '输入和输出'],
  manage: ['Management only', '仅管理'],
  noPicture: ['No picture', '无画面'],
  pictureOf: ['Live picture of {0}', '{0} 的实时画面']
} as const satisfies Record<string, Pair>

/** How long something lasts. @param time milliseconds; none where it is not known */
const lasting = (word: Pair, time?: number): string => (time ? t(TEXT.since, t(word), duration(time / 1000)) : t(word))

/** Online or offline, and since when. */
export function Presence({ device, pill }: { device: Device; pill?: boolean }) {
  const now = useStore($now) + useStore($skew)
  const { 'online-date': online, 'offline-date': offline } = device
  if (online > 0)
    return <State tone="good" pill={pill} text={t(TEXT.online)} tip={lasting(TEXT.online, now - online)} />
  return <State tone="off" pill={pill} text={lasting(TEXT.offline, offline && now - offline)} />
}

/** Its warnings in words; nothing where there are none. */
export function Warnings({ device }: { device: Device }) {
  return (
    <span className="row">
      {warningWords(device['dev-warns']).map((word) => (
        <State key={word} tone="warn" text={word} />
      ))}
    </span>
  )
}

const SIGNALS: Readonly<Record<string, Pair>> = {
  'no-signal': TEXT.noSignal,
  locking: TEXT.locking,
  unsupported: TEXT.unsupported
}

/** A signal as the device says it; the words some say instead of one are translated. */
export function signalText(signal: string): string {
  const word = SIGNALS[signal]
  return word ? t(word) : signal
}

/** Its input signal. */
export function signalOf(device: Device): string {
  return signalText(device['pro-feature']?.input ?? '')
}

export function isRecording({ status }: Device): boolean {
  return status?.recording?.on ?? Boolean((status?.['cur-status'] ?? 0) & RUNNING.recording)
}

export function isStreaming({ status }: Device): boolean {
  return status?.live?.on ?? Boolean((status?.['cur-status'] ?? 0) & RUNNING.streaming)
}

export const recordingOf = (device: Device) =>
  isRecording(device) ? lasting(TEXT.recording, device.status?.recording?.['run-ms']) : ''
export const streamingOf = (device: Device) =>
  isStreaming(device) ? lasting(TEXT.streaming, device.status?.live?.['run-ms']) : ''

/** What it is doing: recording, streaming. */
export function activityOf(device: Device): string {
  return [isRecording(device) && t(TEXT.recording), isStreaming(device) && t(TEXT.streaming)].filter(Boolean).join(', ')
}

/** By the bits of input and output. */
const DIRECTIONS = [TEXT.manage, TEXT.input, TEXT.output, TEXT.both] as const

export const directionOf = ({ dir }: Device) => t(DIRECTIONS[((dir / DIR_INPUT) & 3) as 0])

/** Its live picture, or why there is none. */
export function LivePicture({ device }: { device: Pick<Device, 'preview-id' | 'online-date' | 'name'> }) {
  const id = device['preview-id']
  if (!id || device['online-date'] === 0) return <div className="picture">{t(id ? TEXT.offline : TEXT.noPicture)}</div>
  return <Picture previews={previews} id={id} alt={t(TEXT.pictureOf, device.name)} />
}
