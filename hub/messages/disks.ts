// Status of the disks of a device, with the free space if it is known.
import type { DeviceDisk, StatusInfo } from '../../contract/device/status.ts'
import { type Language, type Translation, translate } from './language.ts'

const STATES: Readonly<Record<DeviceDisk['state'], readonly [tone: StatusInfo['tone'], text: Translation]>> = {
  none: ['off', ['Empty', '未插入']],
  invalid: ['bad', ['Not usable', '无法使用']],
  full: ['bad', ['Full', '已满']],
  ok: ['good', ['Connected', '已连接']]
}

const FREE: Translation = ['{0} of {1} free', '剩余 {0} / {1}']
const FREE_TIME: Translation = ['{0} of {1} free, {2} of recording time', '剩余 {0} / {1}，可录制 {2}']

const UNITS = ['MB', 'GB', 'TB']

/** A size with three significant digits. @param count MB (1 MB = 1024 KB) */
function sizeText(language: Language, count: number): string {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(count) / 10)))
  const amount = count / 1024 ** unit
  const maximumFractionDigits = unit === 0 || amount >= 100 ? 0 : amount >= 10 ? 1 : 2
  return `${amount.toLocaleString(language, { maximumFractionDigits })} ${UNITS[unit]}`
}

const DURATION_UNITS: readonly (readonly [pair: Translation, seconds: number])[] = [
  [['{0} d', '{0} 天'], 86_400],
  [['{0} h', '{0} 小时'], 3600],
  [['{0} min', '{0} 分'], 60],
  [['{0} s', '{0} 秒'], 1]
]

/** A duration in its two largest units: '3 h 12 min'. */
function durationText(language: Language, seconds: number): string {
  const first = DURATION_UNITS.findIndex(([, length]) => seconds >= length)
  const parts = DURATION_UNITS.slice(first, first + 2).map(([pair, length], index) => {
    const whole = index === 0 ? seconds : seconds % (DURATION_UNITS[first]?.[1] ?? 1)
    return [pair, Math.floor(whole / length)] as const
  })
  return parts
    .filter(([, count]) => count > 0)
    .map(([pair, count]) => translate(language, pair, [count]))
    .join(' ')
}

/** Status of a disk, with free space and remaining recording time if the device reports them. */
export function diskStatus(language: Language, disk: DeviceDisk): StatusInfo {
  const { state, total = 0, free, 'free-sec': seconds = 0 } = disk
  const [tone, word] = STATES[state]
  if (free === undefined) return { tone, text: translate(language, word) }
  const pair = seconds >= 1 ? FREE_TIME : FREE
  const values = [sizeText(language, free), sizeText(language, total), durationText(language, seconds)]
  return { tone, text: translate(language, pair, values) }
}
