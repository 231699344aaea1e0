// Labels for the numeric states of devices on the wire (contract/device/status.ts).
import { UNKNOWN_ERROR } from '../../contract/codes.ts'
import { DEVICE_WARNING_BITS, type DeviceUpdate } from '../../contract/device/status.ts'
import { UPDATE_FAILED, UPDATE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { WARNING_LABELS } from '../../contract/text/sentences.ts'
import { codeText } from './codes.ts'
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

/** The status of a device update, in the words of the hub or in those of its numbers. */
export function updateLabel({ state, progress, reason, tone, text }: DeviceUpdate): StateLabel {
  const [stateTone, sentence] = UPDATE_STATE_SENTENCES[state] ?? UPDATE_FAILED
  const detail = stateTone === 'bad' ? codeText(reason ?? UNKNOWN_ERROR) : Math.round(progress)
  return { tone: tone ?? stateTone, text: text ?? t(sentence, detail) }
}
