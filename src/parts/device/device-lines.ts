// The ports and disks of a device line by line, or in one line.
import type { DeviceDisk, DevicePort } from '../../../contract/device/device.ts'
import { type Pair, t } from '../../text/language.ts'
import { signalText } from './device-facts.tsx'

export type Line = readonly [name: string, text: string]

const TEXT = {
  line: ['{0}: {1}', '{0}：{1}']
} as const satisfies Record<string, Pair>

/** Ports, each with what is there. @param unnamed what one is that the device does not name */
export function portLines(unnamed: Pair, ports: readonly DevicePort[] = []): Line[] {
  return ports.map(({ name, signal }) => [name || t(unnamed), signalText(signal)])
}

/** Disks and slots for them, each as the hub says it is. */
export const diskLines = (disks: readonly DeviceDisk[] = []) =>
  disks.map(({ kind, label, text = '', tone = 'off' }) => [label || kind.toUpperCase(), text, tone] as const)

/** Lines in one. */
export function inLine(lines: readonly (readonly [name: string, text: string, tone?: unknown])[]): string {
  return lines.map(([name, text]) => t(TEXT.line, name, text)).join(', ')
}
