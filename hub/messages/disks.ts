// How a disk of a device is, in words: how much is free on it where that is known.
import type { DeviceDisk, Standing } from '../../contract/device/device.ts'
import { type Language, type Pair, say } from './language.ts'

const STATES: Readonly<Record<DeviceDisk['state'], readonly [tone: Standing['tone'], text: Pair]>> = {
  none: ['off', ['Empty', '未插入']],
  invalid: ['bad', ['Cannot be used', '无法使用']],
  full: ['bad', ['Full', '已满']],
  ok: ['good', ['Connected', '已连接']]
}

const FREE: Pair = ['{0} of {1} free', '剩余 {0} / {1}']
const FREE_TIME: Pair = ['{0} of {1} free, {2} of recording', '剩余 {0} / {1}，可录制 {2}']

const UNITS = ['MB', 'GB', 'TB']

/** Three digits that count. @param count megabytes of 1024 kilobytes */
function sizeText(language: Language, count: number): string {
  const at = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(count) / 10)))
  const left = count / 1024 ** at
  const maximumFractionDigits = at === 0 || left >= 100 ? 0 : left >= 10 ? 1 : 2
  return `${left.toLocaleString(language, { maximumFractionDigits })} ${UNITS[at]}`
}

const LENGTHS: readonly (readonly [pair: Pair, seconds: number])[] = [
  [['{0} d', '{0} 天'], 86_400],
  [['{0} h', '{0} 小时'], 3600],
  [['{0} min', '{0} 分'], 60],
  [['{0} s', '{0} 秒'], 1]
]

/** The two largest parts of a length of time: '3 h 12 min'. */
function lengthText(language: Language, seconds: number): string {
  const first = LENGTHS.findIndex(([, length]) => seconds >= length)
  const parts = LENGTHS.slice(first, first + 2).map(([pair, length], at) => {
    const whole = at === 0 ? seconds : seconds % (LENGTHS[first]?.[1] ?? 1)
    return [pair, Math.floor(whole / length)] as const
  })
  return parts
    .filter(([, count]) => count > 0)
    .map(([pair, count]) => say(language, pair, [count]))
    .join(' ')
}

/** How it is; how much is free on it, and how long a recording that holds, where the device says so. */
export function diskStanding(language: Language, disk: DeviceDisk): Standing {
  const { state, total = 0, free, 'free-sec': seconds = 0 } = disk
  const [tone, word] = STATES[state]
  if (free === undefined) return { tone, text: say(language, word) }
  const pair = seconds >= 1 ? FREE_TIME : FREE
  const values = [sizeText(language, free), sizeText(language, total), lengthText(language, seconds)]
  return { tone, text: say(language, pair, values) }
}
