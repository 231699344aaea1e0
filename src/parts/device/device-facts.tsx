// Parts of a device's state that several screens show: online state, warnings, signal, activity, live preview.
import type { Device } from '../../../contract/device/device.ts'
import { hasDetailView } from '../../../contract/device/families.ts'
import { findFamily } from '../../../contract/device/products.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { listFirmware } from '../../../contract/firmware.ts'
import type { DeviceVerdict, Health } from '../../../contract/health.ts'
import { DIR_INPUT } from '../../../contract/stream/protocols.ts'
import type { InputSource } from '../../../contract/stream/source.ts'
import { deviceHealth, isRecording, isStreaming } from '../../other-hubs.ts'
import { linkTo } from '../../paths.ts'
import { PreviewImage } from '../../preview/preview-image.tsx'
import { previews } from '../../state/previews.ts'
import { $isAllowed } from '../../state/session.ts'
import { duration } from '../../text/dates.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import * as RECORDING_TEXT from '../../text/recording.ts'
import { warningLabels } from '../../text/states.ts'
import { $clockOffset, $now } from '../../ui/clock.ts'
import { Icon, isIconName } from '../../ui/icon.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { deviceLink } from './device-link.ts'

const TEXT = {
  unconnected: ['{0}, offline', '{0}，离线'],
  noSignal: ['No signal', '无信号'],
  locking: ['Locking', '锁定中'],
  unsupported: ['Unsupported signal', '不支持的信号'],
  streaming: ['Streaming', '推流中'],
  input: ['Input', '输入'],
  output: ['Output', '输出'],
  both: ['Input and output', '输入和输出'],
  manage: ['Management only', '仅管理'],
  noPreview: ['No picture', '无画面'],
  onlineFirmware: ['Firmware online', '在线固件'],
  previewOf: ['Live picture of {0}', '{0} 的实时画面']
} as const satisfies Record<string, Translation>

/** A state and its duration. Apart from `TEXT`, because the build numbers no text without Chinese characters. */
const SINCE: Translation = ['{0} for {1}', '{0} {1}']

/** A state with its duration. @param time milliseconds; undefined or 0 if the duration is unknown */
const withDuration = (word: Translation, time?: number): string =>
  time ? t(SINCE, t(word), duration(time / 1000)) : t(word)

/** The verdict on a device. The message of one whose hub does not word its warnings is their labels. */
export function wordedHealth(device: Device): Health<DeviceVerdict> {
  const health = deviceHealth(device)
  const message = health.message ?? warningLabels(device['dev-warns']).join(', ')
  return { ...health, ...(message && { message }) }
}

/** The verdict on a device: with its duration if offline, otherwise with duration and cause in the tooltip. */
export function DeviceState({ device, pill }: { device: Device; pill?: boolean }) {
  const now = useStore($now) + useStore($clockOffset)
  const health = wordedHealth(device)
  const { text: word, ...label } = healthLabel(health)
  const isUnconnected = (health.verdict === 'pending' || health.verdict === 'rejected') && !device['online-date']
  const text = isUnconnected ? t(TEXT.unconnected, word) : word
  const lasting = (units?: number) =>
    health.since ? t(SINCE, text, duration((now - health.since) / 1000, units)) : text
  // One unit: the lists have many columns.
  if (health.verdict === 'offline') return <StatusLabel {...label} pill={pill} text={lasting(1)} tooltip={lasting()} />
  const { why } = healthSentence(health)
  return <StatusLabel {...label} pill={pill} text={text} tooltip={[lasting(), why].filter(Boolean).join('. ')} />
}

const FIRMWARE_WARNINGS = DEVICE_WARNING_BITS.firmwareOld | DEVICE_WARNING_BITS.firmwareUnsupported

/** The warnings of a device, one label each, with a link to newer firmware if that is missing. */
export function DeviceWarnings({ device }: { device: Device }) {
  const isAllowed = useStore($isAllowed)
  const warnings = device['dev-warns']
  return (
    <span className="row">
      {warningLabels(warnings).map((word) => (
        <StatusLabel key={word} tone="warn" text={word} />
      ))}
      {(warnings & FIRMWARE_WARNINGS) > 0 && isAllowed(listFirmware) && (
        <a href={`#${linkTo('firmware', { tab: 'online' })}`}>{t(TEXT.onlineFirmware)}</a>
      )}
    </span>
  )
}

const SIGNALS: Readonly<Record<string, Translation>> = {
  'no-signal': TEXT.noSignal,
  locking: TEXT.locking,
  unsupported: TEXT.unsupported
}

/** The format of some devices: `1920x1080p, 60.00 Hz`. */
const LONG_FORMAT = /^(\d+x\d+[pi]), ([\d.]+) Hz$/

/** A signal format in one notation, such as `1920x1080p60`. The words for a missing signal are translated. */
export function signalText(signal: string): string {
  const word = SIGNALS[signal]
  return word ? t(word) : signal.replace(LONG_FORMAT, (_, format, rate) => format + Number(rate))
}

/** The input signal of a device. */
export function signalOf(device: Device): string {
  return signalText(device['pro-feature']?.input ?? '')
}

export const recordingOf = (device: Device) =>
  isRecording(device) ? withDuration(RECORDING_TEXT.recording, device.status?.recording?.['run-ms']) : ''
export const streamingOf = (device: Device) =>
  isStreaming(device) ? withDuration(TEXT.streaming, device.status?.live?.['run-ms']) : ''

/** The current activities of a device: recording, streaming. */
export function activityOf(device: Device): string {
  return [isRecording(device) && t(RECORDING_TEXT.recording), isStreaming(device) && t(TEXT.streaming)]
    .filter(Boolean)
    .join(', ')
}

/** Indexed by the input bit and the output bit of `dir`. */
const DIRECTIONS = [TEXT.manage, TEXT.input, TEXT.output, TEXT.both] as const

export const directionOf = ({ dir }: Device) => t(DIRECTIONS[((dir / DIR_INPUT) & 3) as 0])

/** The live preview, or the reason why there is none. */
export function LivePreview({ device }: { device: Device }) {
  const { 'preview-id': id, 'no-picture': reason } = device
  if (!id || device['online-date'] === 0)
    return <div className="picture">{id ? healthLabel(deviceHealth(device)).text : (reason ?? t(TEXT.noPreview))}</div>
  return <PreviewImage previews={previews} id={id} alt={t(TEXT.previewOf, device.name)} emptyText={reason} />
}

/** The picture of the camera of an input. @param source name of its stream */
export const CameraPicture = ({ input: { id, name }, source }: { input: InputSource; source?: string | undefined }) => (
  <PreviewImage
    previews={previews}
    id={`INPUT-${id}`}
    alt={t(TEXT.previewOf, name)}
    source={source}
    emptyText={t(TEXT.noPreview)}
  />
)

/** The name of a device, with a link to its page if its family has one. */
export function DeviceName({ device }: { device: Device }) {
  const { name } = device
  return hasDetailView(device) ? <a href={`#${deviceLink(device)}`}>{name}</a> : name
}

/**
 * The picture of a product family from the product catalogue, with the name of the family as its tooltip; nothing for
 * an unknown family.
 */
export function FamilyPicture({ module }: { module: number }) {
  const family = findFamily(module)
  return (
    family && (
      <span data-tip={family.name}>
        <Icon name={isIconName(family.pic) ? family.pic : 'devices'} />
      </span>
    )
  )
}
