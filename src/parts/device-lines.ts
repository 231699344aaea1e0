// The ports and disks of a device line by line, or in one line.
import type { DeviceDisk, DevicePort } from '../../contract/device.ts'
import { duration } from '../text/dates.ts'
import { type Pair, t } from '../text/language.ts'
import { megabytes } from '../text/numbers.ts'
import type { Tone } from '../text/states.ts'
import { signalText } from './device-facts.tsx'

export type Line = readonly [name: string, text: string]

const TEXT = {
  line: ['{0}: {1}', '{0}：{1}'],
  connected: ['Connected', '已连接'],
  free: ['{0} of {1} free', '剩余 {0} / {1}'],
  freeTime: ['{0} of {1} free, {2} of recording', '剩余 {0} / {1}，可录制 {2}'],
  full: ['Full', '已满'],
  invalid: ['Cannot be used', '无法使用'],
  none: ['Empty', '未插入']
} as const satisfies Record<string, Pair>

/** Ports, each with what is there. @param unnamed what one is that the device does not name */
export function portLines(unnamed: Pair, ports: readonly DevicePort[] = []): Line[] {
  return ports.map(({ name, signal }) => [name || t(unnamed), signalText(signal)])
}

/** How a disk is, where it does not say how much is free. */
const DISK_STATES: Readonly<Record<DeviceDisk['state'], readonly [tone: Tone, text: Pair]>> = {
  none: ['off', TEXT.none],
  invalid: ['bad', TEXT.invalid],
  full: ['bad', TEXT.full],
  ok: ['good', TEXT.connected]
}

/** Disks and slots for them, each with how much is free on it. Lists are not told that, only how it is. */
export function diskLines(disks: readonly DeviceDisk[] = []): (readonly [...Line, tone: Tone])[] {
  return disks.map(({ kind, state, label, total = 0, free, 'free-sec': seconds }) => {
    const [tone, word] = DISK_STATES[state]
    const pair = free === undefined ? word : seconds ? TEXT.freeTime : TEXT.free
    const text = t(pair, megabytes(free ?? 0), megabytes(total), duration(seconds ?? 0))
    return [label || kind.toUpperCase(), text, tone]
  })
}

/** Lines in one. */
export function inLine(lines: readonly (readonly [name: string, text: string, tone?: Tone])[]): string {
  return lines.map(([name, text]) => t(TEXT.line, name, text)).join(', ')
}
