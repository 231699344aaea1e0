// What is shown of a device in several rooms: its state, its activity, its warnings, its picture.
import { type Device, RUNNING } from '../../contract/device.ts'
import { DIR_BOTH, DIR_INPUT, DIR_OUTPUT } from '../../contract/protocols.ts'
import { Picture } from '../preview/picture.tsx'
import { previews } from '../state/previews.ts'
import { duration } from '../text/dates.ts'
import { type Pair, t } from '../text/language.ts'
import { warningWords } from '../text/states.ts'
import { $now, $skew } from '../ui/clock.ts'
import { State } from '../ui/state.tsx'
import { useStore } from '../ui/use-store.ts'

const TEXT = {
  noSignal: ['No signal', '无信号'],
  locking: ['Locking', '锁定中'],
  unsupported: ['Unsupported signal', '不支持的信号'],
  input: ['Input', '输入'],
  output: ['Output', '输出'],
  both: ['Input and output', '输入和输出'],
  manage: ['Management only', '仅管理'],
  recording: ['Recording', '录制中'],
  streaming: ['Streaming', '推流中'],
  online: ['Online', '在线'],
  offline: ['Offline', '离线'],
  offlineFor: ['Offline for {0}', '已离线 {0}'],
  onlineFor: ['Online for {0}', '已在线 {0}'],
  never: ['Not seen since the hub knows it', '尚未上线'],
  noPicture: ['No picture', '无画面'],
  pictureOf: ['Live picture of {0}', '{0} 的实时画面']
} as const satisfies Record<string, Pair>

/** Online or offline, and since when. */
export function Presence({ device, pill }: { device: Device; pill?: boolean }) {
  const now = useStore($now) + useStore($skew)
  const { 'online-date': online, 'offline-date': offline = 0 } = device
  if (online > 0)
    return (
      <State tone="good" pill={pill} text={t(TEXT.online)} tip={t(TEXT.onlineFor, duration((now - online) / 1000))} />
    )
  if (!offline) return <State tone="off" pill={pill} text={t(TEXT.offline)} tip={t(TEXT.never)} />
  return <State tone="off" pill={pill} text={t(TEXT.offlineFor, duration((now - offline) / 1000))} />
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

/** Its input signal, as the device says it; the words some say instead of one are translated. */
export function signalOf(device: Device): string {
  const input = device['pro-feature']?.input ?? ''
  const word = SIGNALS[input]
  return word ? t(word) : input
}

/** What it is doing: recording, streaming. */
export function activityOf(device: Device): string {
  const running = device.status?.['cur-status'] ?? 0
  const words: Pair[] = []
  if (running & RUNNING.recording) words.push(TEXT.recording)
  if (running & RUNNING.streaming) words.push(TEXT.streaming)
  return words.map((word) => t(word)).join(', ')
}

export function directionOf({ dir }: Device): string {
  const word =
    (dir & DIR_BOTH) === DIR_BOTH
      ? TEXT.both
      : dir & DIR_INPUT
        ? TEXT.input
        : dir & DIR_OUTPUT
          ? TEXT.output
          : TEXT.manage
  return t(word)
}

/** Its live picture, or why there is none. */
export function LivePicture({ device }: { device: Device }) {
  const id = device['preview-id']
  if (!id || device['online-date'] === 0) return <div className="picture">{t(id ? TEXT.offline : TEXT.noPicture)}</div>
  return <Picture previews={previews} id={id} alt={t(TEXT.pictureOf, device.name)} />
}
