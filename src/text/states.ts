// Labels for the numeric states of devices on the wire (contract/device/status.ts).
import { DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { WARNING_LABELS } from '../../contract/text/sentences.ts'
import { t } from './language.ts'

/** The meaning of a state, shown as a colour and a symbol next to its label. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off'

/** The label of a state. */
export interface StateLabel {
  text: string
  tone: Tone
}

/** The labels of the bits of a warning mask (`dev-warns`). */
export function warningLabels(mask: number): string[] {
  return (Object.keys(WARNING_LABELS) as (keyof typeof DEVICE_WARNING_BITS)[])
    .filter((name) => mask & DEVICE_WARNING_BITS[name])
    .map((name) => t(WARNING_LABELS[name]))
}
