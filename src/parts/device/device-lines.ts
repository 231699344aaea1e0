// Texts for the ports and disks of a device.
import type { DeviceDisk, DevicePort } from '../../../contract/device/status.ts'
import { type Translation, t } from '../../text/language.ts'
import { signalText } from './device-facts.tsx'

type Line = readonly [name: string, text: string]

const TEXT = {
  line: ['{0}: {1}', '{0}：{1}']
} as const satisfies Record<string, Translation>

/** One line for each port: its name and signal. @param unnamed label of a port without a name */
export function portLines(unnamed: Translation, ports: readonly DevicePort[] = []): Line[] {
  return ports.map(({ name, signal }) => [name || t(unnamed), signalText(signal)])
}

/** One line for each disk or disk slot: its name, state and tone. The hub words the state. */
export const diskLines = (disks: readonly DeviceDisk[] = []) =>
  disks.map(({ kind, label, text = '', tone = 'off' }) => [label || kind.toUpperCase(), text, tone] as const)

/** Joins lines into one text. */
export function joinLines(lines: readonly (readonly [name: string, text: string, tone?: unknown])[]): string {
  return lines.map(([name, text]) => t(TEXT.line, name, text)).join(', ')
}
